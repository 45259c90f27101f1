/*
 * `writev.ts [--high-water-mark BYTES] COUNT …`: writes packets to `encoder.pipe(socket)`, COUNT of them per tick, so that
 * strace can show the system calls. README.md in this folder has the command.
 */
import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { bufferToPacketVariant, ConnectEncoder } from 'mqtt-connect-packet'
import { scriptArguments } from '../test/support/script-arguments.ts'
import { R5 } from './packets.ts'

const { values: options, positionals } = scriptArguments(import.meta.filename, {
  allowPositionals: true,
  options: { 'high-water-mark': { type: 'string' } },
})
const counts = positionals.map(Number)
assert.ok(
  counts.length > 0 && counts.every((count) => count >= 1),
  'How many packets in a tick? e.g. 1 3 100',
)

const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const highWaterMark = options['high-water-mark']
const target = {
  port: (server.address() as AddressInfo).port,
  host: '127.0.0.1',
  writableHighWaterMark: highWaterMark === undefined ? undefined : Number(highWaterMark),
}
const socket = connect(target)
const [[peer]] = (await Promise.all([once(server, 'connection'), once(socket, 'connect')])) as [
  [Socket],
  unknown,
]

let received = 0
let expected = 0
peer.on('data', (chunk) => {
  received += chunk.length
  if (received === expected) peer.emit('all')
})

const encoder = new ConnectEncoder()
encoder.pipe(socket)
const packet = bufferToPacketVariant(R5)
for (const count of counts) {
  expected += count * R5.length
  const all = once(peer, 'all')
  for (let i = 0; i < count; i++) encoder.write(packet)
  await all
}
encoder.end()
server.close()
await once(peer.resume(), 'end')
peer.destroy()
