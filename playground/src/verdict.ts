import { Buffer } from 'buffer'
import { errorDiagnoses } from '../../lib/errors/diagnoses.ts'
import { payloadInFrame } from '../../lib/explain/capture.ts'
import { type Explanation, explain } from '../../lib/explain/index.ts'
import {
  type ConnectPacket,
  ConnectReasonCode,
  ControlPacketType,
  connack,
  type MqttError,
  type PacketVariant,
  type RelaxableCode,
} from '../../lib/packets/index.ts'
import { announce, button, copyText, create, prose } from './dom.ts'
import { formats } from './formats.ts'
import { explainOptions, isRelaxable, type ReadAs, type VersionChoice, versionChoices } from './read-as.ts'

/** What the buttons of a verdict do. */
export interface Actions {
  allow(codes: readonly RelaxableCode[]): void
  explain(answer: Uint8Array, version: VersionChoice): void
  edit(): void
}

/** What is said above a dump: whether the packet is valid, why not, what to answer, and what can be allowed. */
export function verdictOf(bytes: Uint8Array, as: ReadAs, explanation: Explanation, actions: Actions): Node[] {
  const { packet, error } = explanation
  const nodes =
    error === undefined ? ofPacket(packet, explanation, actions) : ofError(error, explanation, actions)
  const payload = error === undefined ? undefined : payloadInFrame(Buffer.from(bytes))
  if (payload !== undefined) nodes.push(frame(bytes, payload, as, actions))
  if (error !== undefined && isRelaxable(error.code)) nodes.push(offer(bytes, as, error.code, actions))
  if (as.allow.length > 0) nodes.push(allowed(as, actions))
  return nodes
}

function ofPacket(packet: PacketVariant, { summary }: Explanation, actions: Actions): Node[] {
  const nodes: Node[] = [
    create('h2', {}, `${summary[0]![0] === 'valid' ? 'Valid' : 'Not decoded'}: ${summary[0]![1]}`),
  ]
  if (!('protocolVersion' in packet)) return nodes
  nodes.push(create('pre', {}, create('code', {}, `${packet}`)))
  if (packet.type === ControlPacketType.connect) nodes.push(answers(packet, actions))
  nodes.push(
    create(
      'p',
      {},
      button('Edit it in the form', () => actions.edit()),
    ),
  )
  return nodes
}

function ofError(error: MqttError, { summary }: Explanation, actions: Actions): Node[] {
  const list = create('dl')
  for (const [label, text] of summary) {
    if (label === 'invalid' || label === 'hidden') continue
    list.append(create('dt', {}, label))
    if (label === 'answer')
      list.append(create('dd', {}, ...answerNodes(error.connack, versionOfAnswer(error.connack), actions)))
    else list.append(create('dd', {}, text))
  }
  return [
    create('h2', {}, `Invalid: ${summary[0]![1]}`),
    create('p', {}, ...prose(errorDiagnoses[error.code].cause)),
    list,
  ]
}

/** What a capture has before the packet. */
function frame(bytes: Uint8Array, payload: number, { version }: ReadAs, actions: Actions): Node {
  return create(
    'div',
    { className: 'offer' },
    create('p', {}, `This is a whole frame of a capture. What TCP carries begins at byte ${payload}.`),
    create(
      'p',
      {},
      button('Explain that', () => actions.explain(bytes.subarray(payload), version), 'primary'),
    ),
  )
}

/** A CONNACK of 5.0 is longer, because it has a property length. */
function versionOfAnswer(answer: Uint8Array | undefined): VersionChoice {
  return answer !== undefined && answer.length > 4 ? '5' : '3.1.1'
}

function answerNodes(answer: Uint8Array | undefined, version: VersionChoice, actions: Actions): Node[] {
  if (answer === undefined) return [document.createTextNode('None: just close the connection.')]
  const hex = formats.hex(answer)
  return [
    create('code', {}, hex),
    document.createTextNode(answer[3] === 0 ? ' ' : ', then close the connection. '),
    create(
      'span',
      { className: 'group answer' },
      button('Copy', () => void copyText(hex).then(() => announce('Copied the answer.'))),
      button('Explain it', () => actions.explain(answer, version)),
    ),
  ]
}

/** The CONNACK for a valid CONNECT, with each reason code. */
function answers(packet: ConnectPacket, actions: Actions): Node {
  const [version] = Object.entries(versionChoices).find(([, one]) => one === packet.protocolVersion)!
  const output = create('p')
  const select = create('select', {
    onchange: () => {
      const answer = connack(packet, Number(select.value) as ConnectReasonCode)?.bytes
      output.replaceChildren(...answerNodes(answer, version as VersionChoice, actions))
    },
  })
  for (const [name, code] of Object.entries(ConnectReasonCode)) {
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    select.append(create('option', { value: `${code}` }, `0x${code.toString(16).padStart(2, '0')} ${words}`))
  }
  select.onchange!(new Event('change'))
  return create('div', { className: 'answers' }, create('label', {}, 'Answer with ', select), output)
}

/** What would be decoded without a rule. */
function offer(bytes: Uint8Array, as: ReadAs, code: RelaxableCode, actions: Actions): Node {
  const allow = [...as.allow, code]
  const { packet, summary } = explain(bytes, explainOptions({ ...as, allow }))
  const [label, text] = summary[0]!
  const shown = packet === undefined ? [] : [create('pre', {}, create('code', {}, `${packet}`))]
  return create(
    'div',
    { className: 'offer' },
    create(
      'p',
      {},
      button('Allow this rule', () => actions.allow(allow), 'primary'),
    ),
    create('p', {}, `With allow: ['${allow.join("', '")}'] it is ${label}: ${text}`),
    ...shown,
  )
}

function allowed(as: ReadAs, actions: Actions): Node {
  const chips = as.allow.map((code) => {
    const chip = button(`${code} ✕`, () => actions.allow(as.allow.filter((other) => other !== code)), 'chip')
    chip.ariaLabel = `No longer allow ${code}`
    return chip
  })
  return create('p', { className: 'group' }, create('span', { className: 'quiet' }, 'Allowed:'), ...chips)
}
