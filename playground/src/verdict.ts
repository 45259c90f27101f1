import { clauseLink } from '../../lib/element/clause-link.ts'
import { payloadInFrame } from '../../lib/explain/capture/segments.ts'
import { type Diagnosis, explain, type PacketExplanation } from '../../lib/explain/index.ts'
import { decisive, outcomeOf } from '../../lib/explain/streams.ts'
import {
  type ConnectPacket,
  ConnectReasonCode,
  ControlPacketType,
  connack,
  type MqttError,
  type RelaxableCode,
} from '../../lib/packets/index.ts'
import { correctionView } from './correction-view.ts'
import { adviceOf } from './diagnosis-view.ts'
import { announce, button, copyText, create } from './dom.ts'
import { diagnosisOf, type Explained, errorIn } from './explained.ts'
import { formats } from './formats.ts'
import { choiceOf, explainOptions, isRelaxable, type ReadAs, type VersionChoice } from './read-as.ts'

/** The actions of a verdict's buttons. */
export interface Actions {
  /** True if secrets are shown. */
  readonly shows: boolean
  /** The meaning of a message that was pasted together with valid bytes. */
  readonly beside: Diagnosis | undefined
  allow(codes: readonly RelaxableCode[]): void
  explain(bytes: Uint8Array, version: VersionChoice): void
  edit(bytes: Uint8Array): void
}

/** The text above the dump: plain words first, then the details for developers. */
export function verdictOf(all: readonly Explained[], as: ReadAs, actions: Actions): Node[] {
  const one = decisive(all)!
  const invalid = errorIn(one)
  const diagnosis = diagnosisOf(one)
  const { headline } = actions.beside ?? diagnosis
  const nodes: Node[] = [create('h2', {}, headline), ...adviceOf(actions.beside ?? diagnosis)]
  if (actions.beside !== undefined) {
    nodes.push(
      create(
        'p',
        {},
        `That is what a message in the text means. The bytes are all right: ${diagnosis.headline}`,
      ),
    )
  }
  if (invalid === undefined) nodes.push(...ofPackets(all, actions))
  else {
    // If bytes are missing, no correction is certain.
    if (one.stream.rest === undefined)
      nodes.push(
        ...correctionView(one, invalid, actions.shows, (bytes) => actions.explain(bytes, one.as.version)),
      )
    const payload = payloadInFrame(one.stream.bytes)
    if (payload !== undefined) nodes.push(frame(one, payload, actions))
    nodes.push(facts(invalid.error!, actions))
    if (isRelaxable(invalid.error!.code)) nodes.push(offer(one, invalid.error!.code, actions))
  }
  if (as.allow.length > 0) nodes.push(allowed(as, actions))
  return nodes
}

function ofPackets(all: readonly Explained[], actions: Actions): Node[] {
  const packets = all.flatMap(({ explanation }) => explanation.packets)
  const [first] = packets
  const decoded = first !== undefined && outcomeOf(first) !== 'unknown' ? first.packet : undefined
  if (packets.length !== 1 || decoded === undefined || !('protocolVersion' in decoded)) return []
  const more: Node[] = [create('pre', {}, create('code', {}, `${decoded}`)), ...readings(first!)]
  if (decoded.type === ControlPacketType.connect) more.push(answers(decoded, actions))
  more.push(
    create(
      'p',
      {},
      button('Edit it in the form', () => actions.edit(decoded.bytes)),
    ),
  )
  const title = decoded.type === ControlPacketType.connect ? 'The packet, and how to answer it' : 'The packet'
  return [details(title, more)]
}

/** The other versions that fit a packet that doesn't name its version. */
function readings({ packet, readings = [] }: PacketExplanation): Node[] {
  const others = readings.filter((one) => one.packet !== packet)
  if (others.length === 0) return []
  const texts = others.map((one) => create('code', {}, `${one.packet}`))
  const list = texts.flatMap((text, i) => (i === 0 ? [text] : [', ', text]))
  return [
    create('p', {}, 'This packet does not contain its version, so it can also be read as ', ...list, '.'),
  ]
}

function details(title: string, nodes: readonly Node[]): HTMLElement {
  return create('details', { className: 'facts' }, create('summary', {}, title), ...nodes)
}

/** The code, the clause and the answer, for developers. */
function facts(error: MqttError, actions: Actions): HTMLElement {
  const { code, message, clause, protocolVersion, reasonCode, connack: answer, looksLike } = error
  const rows: (readonly [string, readonly (Node | string)[]])[] = [
    ['error', [create('code', {}, code)]],
    ['message', [message]],
    ['clause', [clauseLink(clause, protocolVersion)]],
    ['reason code', [`0x${reasonCode.toString(16)}`]],
  ]
  if (looksLike !== undefined) rows.push(['looks like', [looksLike]])
  if (code !== 'packet-incomplete') {
    rows.push(['answer', answerNodes(answer, versionOfAnswer(answer), actions)])
  }
  const list = create('dl')
  for (const [label, nodes] of rows) list.append(create('dt', {}, label), create('dd', {}, ...nodes))
  return details('Clause, code and answer', [list])
}

/** The note on the bytes before the packet, for a frame from a capture. */
function frame({ stream, as }: Explained, payload: number, actions: Actions): Node {
  return create(
    'div',
    { className: 'offer' },
    create('p', {}, `This is a complete frame from a capture. The payload of TCP begins at byte ${payload}.`),
    create(
      'p',
      {},
      button('Explain that', () => actions.explain(stream.bytes.subarray(payload), as.version), 'primary'),
    ),
  )
}

/** The version of a CONNACK. In 5.0 it's longer, because it has a property length. */
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
  const version = choiceOf(packet.protocolVersion)
  const output = create('p')
  const select = create('select', {
    onchange: () => {
      const answer = connack(packet, Number(select.value) as ConnectReasonCode)?.bytes
      output.replaceChildren(...answerNodes(answer, version, actions))
    },
  })
  for (const [name, code] of Object.entries(ConnectReasonCode)) {
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    select.append(create('option', { value: `${code}` }, `0x${code.toString(16).padStart(2, '0')} ${words}`))
  }
  select.onchange!(new Event('change'))
  return create('div', { className: 'answers' }, create('label', {}, 'Answer with ', select), output)
}

/** Offers to decode the packet without a rule. */
function offer({ stream, as }: Explained, code: RelaxableCode, actions: Actions): Node {
  const allow = [...as.allow, code]
  const { packet, error, summary } = explain(stream.bytes, explainOptions({ ...as, allow }))
  const [, text] = summary[0]!
  const shown = packet === undefined ? [] : [create('pre', {}, create('code', {}, `${packet}`))]
  return details('Accept it anyway', [
    create(
      'p',
      {},
      `With allow: ['${allow.join("', '")}'] it is ${error === undefined ? 'valid' : 'invalid'}: ${text}`,
    ),
    ...shown,
    create(
      'p',
      {},
      button('Allow this rule', () => actions.allow(allow), 'primary'),
    ),
  ])
}

function allowed(as: ReadAs, actions: Actions): Node {
  const chips = as.allow.map((code) => {
    const chip = button(`${code} ✕`, () => actions.allow(as.allow.filter((other) => other !== code)), 'chip')
    chip.ariaLabel = `No longer allow ${code}`
    return chip
  })
  return create('p', { className: 'group' }, create('span', { className: 'quiet' }, 'Allowed:'), ...chips)
}
