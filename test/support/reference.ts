import { Buffer } from 'node:buffer'
import { property, type v3_1_1, type v5 } from '../../lib/packets/index.ts'

/** A typical 3.1.1 CONNECT of a sensor, in hex. */
export const R3 =
  '103000044d51545404c2003c000b73656e736f722d303034320006646576696365000f7333637265742d7061737377307264'

/** A CONNECT of MQTT 5.0 with properties, a will and will properties, in hex. */
export const R5 =
  '10910100044d51545405ee003c281100000e10210064260006726567696f6e000965752d776573742d3126000266770005312e322e33' +
  '000b73656e736f722d3030343212180000001e03000a746578742f706c61696e001a646576696365732f73656e736f722d303034322f' +
  '73746174757300076f66666c696e650006646576696365000f7333637265742d7061737377307264'

/** The fields of R3. */
export const fieldsOfR3: v3_1_1.ConnectPacketFields = {
  cleanSession: true,
  keepAlive: 60,
  clientId: 'sensor-0042',
  userName: 'device',
  password: 's3cret-passw0rd',
}

/** The fields of R5. */
export const fieldsOfR5: v5.ConnectPacketFields = {
  cleanStart: true,
  keepAlive: 60,
  clientId: 'sensor-0042',
  will: {
    topic: 'devices/sensor-0042/status',
    message: 'offline',
    qos: 1,
    retain: true,
    props: [property.willDelayInterval(30), property.contentType('text/plain')],
  },
  userName: 'device',
  password: 's3cret-passw0rd',
  props: [
    property.sessionExpiryInterval(3600),
    property.receiveMaximum(100),
    property.userProperty('region', 'eu-west-1'),
    property.userProperty('fw', '1.2.3'),
  ],
}

/** Parses hex. Spaces are for the reader. */
export function hex(text: string): Buffer {
  const digits = text.replaceAll(' ', '')
  const bytes = Buffer.from(digits, 'hex')
  if (bytes.length * 2 !== digits.length) throw new Error(`not hex: ${text}`)
  return bytes
}
