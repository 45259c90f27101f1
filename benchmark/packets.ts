import { Buffer } from 'node:buffer'

/** A small CONNECT of MQTT 3.1.1: 50 bytes, client id, user name, password. */
export const R3: Buffer = Buffer.from(
  '103000044d51545404c2003c000b73656e736f722d303034320006646576696365000f7333637265742d7061737377307264',
  'hex',
)

/** R3 in MQTT 3.1: 52 bytes. */
export const R31: Buffer = Buffer.concat([Buffer.from('103200064d514973647003', 'hex'), R3.subarray(9)])

/** A CONNECT of MQTT 5.0: 148 bytes, will, six properties, user name, password. */
export const R5: Buffer = Buffer.from(
  '10910100044d51545405ee003c281100000e10210064260006726567696f6e000965752d776573742d3126000266770005312e322e33000b73656e736f722d3030343212180000001e03000a746578742f706c61696e001a646576696365732f73656e736f722d303034322f73746174757300076f66666c696e650006646576696365000f7333637265742d7061737377307264',
  'hex',
)

/** The CONNACK of MQTT 3.1.1 that accepts a client. */
export const C3: Buffer = Buffer.from('20020000', 'hex')

/** A CONNACK of MQTT 5.0 with five properties: session expiry, receive maximum, assigned client id, keep alive, user property. */
export const C5: Buffer = Buffer.from(
  '20270000241100000e1021006412000b73656e736f722d3030343213003c26000466726f6d00026575',
  'hex',
)

/** R5 with will QoS 3, which the standard forbids. */
export const R5_REFUSED: Buffer = Buffer.from(R5)
R5_REFUSED[10] = (R5_REFUSED[10] as number) | 0x18

/** A full read of a socket: as many whole packets as fit into 64 KiB, and their number. */
export function fullChunk(packet: Buffer): { chunk: Buffer; count: number } {
  const count = Math.floor(65_536 / packet.length)
  return { chunk: Buffer.concat(new Array(count).fill(packet)), count }
}
