import { v3_1_1, v5 } from 'mqtt-connect-packet'

const base3 = { cleanSession: true, keepAlive: 60, clientId: 'c' }
const connect3 = new v3_1_1.ConnectPacket({ ...base3, userName: 'u', password: 'p' }).bytes
const connect5 = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c' }).bytes
const will5 = new v5.ConnectPacket({
  cleanStart: true,
  keepAlive: 60,
  clientId: 'c',
  will: { topic: 't', message: 'm' },
}).bytes

/** A copy of the packet with some bytes overwritten. */
function changed(packet: Uint8Array, ...changes: readonly (readonly [at: number, value: number])[]): Buffer {
  const bytes = Buffer.from(packet)
  for (const [at, value] of changes) bytes[at] = value
  return bytes
}

/** The 5.0 packet with different properties. */
function withProperties(hex: string): Buffer {
  const props = Buffer.from(hex, 'hex')
  const bytes = Buffer.concat([
    connect5.subarray(0, 12),
    Buffer.of(props.length),
    props,
    connect5.subarray(13),
  ])
  bytes[1] = bytes.length - 2
  return bytes
}

const FLAGS = 9
const CLIENT_ID = 14

/** Twenty packets that no server may accept. */
export const invalidPackets: Readonly<Record<string, Buffer>> = {
  'flags in the fixed header': changed(connect3, [0, 0x11]),
  'reserved connect flag': changed(connect3, [FLAGS, 0xc3]),
  'password without user name': changed(connect3, [FLAGS, 0x42]),
  'will QoS without will': changed(connect3, [FLAGS, 0xca]),
  'will retain without will': changed(connect3, [FLAGS, 0xe2]),
  'will QoS 3': changed(will5, [FLAGS, 0x1e]),
  'protocol name MQTX': changed(connect3, [7, 0x58]),
  'protocol level 6': changed(connect3, [8, 6]),
  'client id is not UTF-8': changed(connect3, [CLIENT_ID, 0xff]),
  'client id with NUL': changed(connect3, [CLIENT_ID, 0]),
  'user name is not UTF-8': changed(connect3, [CLIENT_ID + 3, 0xff]),
  'will topic with a wildcard': changed(will5, [will5.indexOf(0x74), 0x23]),
  'empty client id, session kept': Buffer.from('100c00044d51545404000 03c0000'.replace(' ', ''), 'hex'),
  'bytes after the last field': changed(Buffer.concat([connect3, Buffer.of(0)]), [1, connect3.length - 1]),
  'field past the end': changed(connect3, [connect3.length - 2, 9]),
  'unknown property': withProperties('7f00'),
  'property of another packet': withProperties('230001'),
  'property twice': withProperties('210001210001'),
  'receive maximum 0': withProperties('210000'),
  'authentication data without method': withProperties('16000141'),
}
