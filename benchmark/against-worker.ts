/* Times one build of the library in its own process, and prints the nanoseconds per call for each of `CALLS` calls. */
import { strict as assert } from 'node:assert'
import { pathToFileURL } from 'node:url'
import { R3, R5 } from './packets.ts'

/** The measured parts of the API. Every version of the library has them. */
interface Library {
  bufferToPacketVariant(bytes: Uint8Array, protocolVersion?: number, options?: object): Packet
  decode?(bytes: Uint8Array, options?: object): Packet
  readonly v3_1_1: { ConnectPacket: new (fields: object) => Packet }
  readonly v5: { ConnectPacket: new (fields: object) => Packet }
}

interface Packet {
  readonly bytes: Uint8Array
  readonly clientId: string
  readonly keepAlive: number
  readonly cleanSession?: boolean
  readonly cleanStart?: boolean
  readonly userName?: string
  readonly password?: Uint8Array
  readonly props?: readonly { readonly id: number }[]
  readonly will?: {
    readonly topic: string
    readonly message: Uint8Array
    readonly qos: number
    readonly retain: boolean
    readonly props?: readonly { readonly id: number }[]
  }
}

/** Calls between two readings of the clock: so few that other programs rarely interrupt them. */
const CALLS = 1500
const ROUNDS = 1000

const [entry, key] = process.argv.slice(2)
const library = (await import(pathToFileURL(entry!).href)) as Library
const [what, name] = key!.split(' ') as [string, 'R3' | 'R5']
const bytes = { R3, R5 }[name]

/** Reads every field. Adding them up keeps the engine from optimising a read away. */
function readEverything(packet: Packet): number {
  const { will } = packet
  let sum = packet.clientId.length + packet.keepAlive + (packet.cleanSession || packet.cleanStart ? 1 : 0)
  sum += (packet.userName?.length ?? 0) + (packet.password?.length ?? 0)
  for (const { id } of packet.props ?? []) sum += id
  if (will === undefined) return sum
  for (const { id } of will.props ?? []) sum += id
  return sum + will.topic.length + will.message.length + will.qos + (will.retain ? 1 : 0)
}

function fieldsOf(packet: Packet): object {
  const { will, props } = packet
  return {
    ...(name === 'R3' ? { cleanSession: packet.cleanSession } : { cleanStart: packet.cleanStart }),
    keepAlive: packet.keepAlive,
    clientId: packet.clientId,
    ...(will && {
      will: {
        topic: will.topic,
        message: will.message,
        qos: will.qos,
        retain: will.retain,
        props: [...(will.props ?? [])],
      },
    }),
    userName: packet.userName,
    password: packet.password,
    ...(name === 'R5' && { props: [...(props ?? [])] }),
  }
}

const { bufferToPacketVariant, decode = bufferToPacketVariant } = library
const Class = library[name === 'R3' ? 'v3_1_1' : 'v5'].ConnectPacket
const fields = fieldsOf(bufferToPacketVariant(bytes))
const options = { protocolVersion: name === 'R3' ? 4 : 5, maximumPacketSize: 4096 }
const subjects: Readonly<Record<string, () => unknown>> = {
  decode: () => decode(bytes),
  alias: () => bufferToPacketVariant(bytes, options.protocolVersion),
  options: () => decode(bytes, options as never),
  read: () => readEverything(decode(bytes)),
  encode: () => new Class(fields).bytes,
}
const run = subjects[what]!
assert.ok(Buffer.from(new Class(fields).bytes).equals(bytes))

let sink: unknown
for (let i = 0; i < 200_000; i++) sink = run()
let least = Number.POSITIVE_INFINITY
for (let round = 0; round < ROUNDS; round++) {
  const start = process.hrtime.bigint()
  for (let i = 0; i < CALLS; i++) sink = run()
  least = Math.min(least, Number(process.hrtime.bigint() - start) / CALLS)
}
assert.ok(sink)
console.log(least)
