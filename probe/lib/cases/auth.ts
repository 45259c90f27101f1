import { PropertyId, property, v5 } from 'mqtt-connect-packet'
import { AUTH, answerOf, CONNACK, versions } from '../packets.ts'
import { differs, noAnswer, notTested, passed, violates } from '../result.ts'
import { hexCode, unique } from '../trial.ts'
import { type Case, inEach } from './case.ts'
import { connackOf } from './connack.ts'
import { closesAfter } from './invalid.ts'

/* Enhanced authentication of MQTT 5.0, as far as it can be tested without a method that the server supports. */

const BAD_METHOD = 0x8c
const NOT_AUTHORIZED = 0x87

export const authProviders: readonly Case[] = inEach(
  versions,
  'auth.unknown-method',
  { '5.0': 'MQTT-4.12.0-1' },
  async (trial) => {
    const props = [property.authenticationMethod(unique())]
    const { connection } = await trial.ask(trial.packet({ clientId: unique(), props }), [CONNACK, AUTH])
    const [frame] = connection.frames
    if (frame === undefined) {
      return connection.closed
        ? passed('The server closed the connection.')
        : noAnswer(`There was no answer within ${trial.timeout} ms.`)
    }
    if (frame[0]! >> 4 === AUTH) return notTested('The server goes on with any authentication method.')
    const { code } = answerOf(frame)
    if (code === BAD_METHOD || code === NOT_AUTHORIZED) return passed(`The server answered ${hexCode(code)}.`)
    if (code !== 0)
      return differs(`The server answered ${hexCode(code)}. Expected ${hexCode(BAD_METHOD)} or no CONNACK.`)
    return connackOf(connection).property(PropertyId.authenticationMethod) === undefined
      ? violates('The server accepted a client whose authentication method it can not know.')
      : notTested('The server accepts any authentication method.')
  },
)

export const authCases: readonly Case[] = [
  ...authProviders,
  ...inEach(
    versions,
    'auth.without-method',
    { '5.0': 'MQTT-4.12.0-7' },
    async (trial) => {
      const { connection } = await trial.connect()
      const props = [property.authenticationMethod('a')]
      const { bytes } = new v5.AuthPacket({ reasonCode: 0x18, props })
      const finding = await closesAfter(trial, connection, bytes, 'an AUTH')
      return finding.verdict === 'violates'
        ? differs('The server ignored an AUTH, although the CONNECT has no authentication method.')
        : finding
    },
    {},
  ),
]
