import { adviceOf } from './diagnosis-view.ts'
import { announce, button, byId, copyText, create } from './dom.ts'
import { askForBytes } from './report.ts'
import { type Symptom, search } from './symptoms.ts'

/** The number of symptoms shown before a search. */
const FEW = 5

/** Shows the list of messages for people without bytes, and the text that asks for bytes. */
export function showSymptoms(): void {
  const input = create('input', {
    type: 'search',
    id: 'symptom',
    placeholder: 'rc=-2, not authorised, connack timeout …',
    autocomplete: 'off',
  })
  const list = create('div', { className: 'symptoms' })
  const none = create('p', { className: 'quiet', role: 'status' })
  const show = (): void => {
    const found = search(input.value)
    const isAll = input.value.trim() === ''
    list.replaceChildren(...found.slice(0, isAll ? FEW : found.length).map((one) => itemOf(one, input.value)))
    none.textContent = found.length === 0 ? 'This message is unknown. Try the bytes instead.' : ''
  }
  input.addEventListener('input', show)
  byId('symptoms').append(
    create('label', { htmlFor: 'symptom', className: 'question' }, 'What does your client or server say?'),
    input,
    list,
    none,
    create(
      'p',
      { className: 'ask' },
      'Helping somebody else? ',
      button('Copy how to get bytes', () => {
        void copyText(askForBytes).then(() => announce('Copied a text to post.'))
      }),
    ),
  )
  show()
}

function itemOf({ messages, diagnosis }: Symptom, wanted: string): HTMLElement {
  const needle = wanted.trim().toLowerCase()
  const first = messages.find((message) => needle !== '' && message.toLowerCase().includes(needle))
  const shown = first === undefined ? messages.slice(0, 2) : [first]
  const others = messages.filter((one) => !shown.includes(one))
  return create(
    'details',
    {},
    create(
      'summary',
      {},
      create('strong', {}, diagnosis.headline),
      ' ',
      ...shown.flatMap((message, i) => [
        ...(i === 0 ? [] : [' · ']),
        create('code', { className: 'message' }, message),
      ]),
    ),
    ...adviceOf(diagnosis),
    ...(others.length === 0 ? [] : [create('p', { className: 'quiet' }, `Also: ${others.join(' · ')}`)]),
  )
}
