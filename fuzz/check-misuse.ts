import { Readable } from 'node:stream'
import { checkMisuse, misuse } from './check-fields.ts'
import { inTime } from './drive.ts'
import { junkValue } from './hostile.ts'
import type { Library } from './outcome.ts'
import type { Random } from './random.ts'

/** Junk for every parameter and option: what is thrown is what misuse may throw. */
export async function checkJunk(library: Library, random: Random): Promise<void> {
  const packet = new library.v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c' })
  const junk = (): never => junkValue(random) as never
  const option = (...names: string[]): never => {
    const options: Record<string, unknown> = {}
    for (const name of names) if (random.oneIn(3)) options[name] = junk()
    return (random.oneIn(6) ? junk() : options) as never
  }
  const decode = ['allow', 'maximumPacketSize', 'packetIdBytes']
  const framing = ['allow', 'maximumPacketSize', 'protocolVersion']
  const bytes = random.oneIn(2) ? packet.bytes : junk()
  const actions: Readonly<Record<string, () => unknown>> = {
    bufferToPacketVariant: () =>
      library.bufferToPacketVariant(bytes, random.oneIn(2) ? 0 : junk(), option(...decode)),
    bufferToBasicPacketVariant: () => library.bufferToBasicPacketVariant(bytes, 0, option(...decode)),
    explain: () => `${library.explain(bytes, option('allow', 'protocolVersion', 'secrets'))}`,
    PacketDecoder: () => new library.PacketDecoder(option(...framing, 'connection', 'errors')).destroy(),
    ConnectEncoder: () => new library.ConnectEncoder(random.oneIn(2) ? {} : junk()).destroy(),
    with: () =>
      packet.with(option('cleanStart', 'keepAlive', 'clientId', 'will', 'userName', 'password', 'props')),
    equals: () => packet.equals(junk()),
    compare: () => packet.compare(junk()),
    Will: () => `${new library.Will(option('topic', 'message', 'qos', 'retain', 'props'))}`,
    property: () =>
      random.pick(Object.values(library.property) as ((...values: never[]) => unknown)[])(junk(), junk()),
  }
  for (const [name, action] of Object.entries(actions)) misuse(library, name, action)

  const socket = random.oneIn(3) ? junk() : Readable.from([packet.bytes], { objectMode: false })
  const reading = library
    .readConnect(socket, option(...framing, 'timeout', 'signal'))
    .catch((error: unknown) => {
      checkMisuse(library, 'readConnect', error)
    })
  await inTime('readConnect', reading)
}
