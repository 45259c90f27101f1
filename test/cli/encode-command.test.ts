import { expect } from 'chai'
import { property, v3_1_1, v5 } from '../../lib/index.ts'
import { fieldsOfR3, fieldsOfR5, R3, R5 } from '../support/reference.ts'
import { cli, misuse } from './support.ts'

const password = 's3cret-passw0rd'
const common = ['--client-id', 'sensor-0042', '--user-name', 'device']
const argsOfR3 = ['encode', '--protocol', '3.1.1', ...common]
const argsOfR5 = [
  ...['encode', '--protocol', '5', ...common],
  ...['--property', 'session-expiry-interval=3600', '--property', 'receive-maximum=0x64'],
  ...['--user-property', 'region=eu-west-1', '--user-property', 'fw=1.2.3'],
  ...[
    '--will-topic',
    'devices/sensor-0042/status',
    '--will-message',
    'offline',
    '--will-qos',
    '1',
    '--will-retain',
  ],
  ...['--will-property', 'will-delay-interval=30', '--will-property', 'content-type=text/plain'],
]

describe('mqtt-connect-packet encode', () => {
  async function expectHex(args: string[], packet: { bytes: Buffer }): Promise<void> {
    const { code, stdout, stderr } = await cli(['encode', ...args])
    expect([code, stderr]).to.deep.equal([0, ''])
    expect(stdout).to.equal(`${packet.bytes.toString('hex')}\n`)
  }

  it('builds R3 and R5 from options, in hex', async () => {
    expect(await cli([...argsOfR3, '--password', password])).to.include({ code: 0, stdout: `${R3}\n` })
    expect(await cli([...argsOfR5, '--password', password])).to.include({ code: 0, stdout: `${R5}\n` })
  })

  it('writes the bytes themselves with --raw', async () => {
    const { bytes } = await cli([...argsOfR5, '--password', password, '--raw'])
    expect(bytes.equals(new v5.ConnectPacket(fieldsOfR5).bytes)).to.equal(true)
  })

  it('takes the password from MQTT_PASSWORD, unless there is --password', async () => {
    const env = { MQTT_PASSWORD: password }
    expect(await cli(argsOfR3, '', env)).to.include({ code: 0, stdout: `${R3}\n` })
    const other = new v3_1_1.ConnectPacket({ ...fieldsOfR3, password: '' })
    expect((await cli([...argsOfR3, '--password', ''], '', env)).stdout).to.equal(
      `${other.bytes.toString('hex')}\n`,
    )
  })

  it('prints what explain can read, in hex and raw', async () => {
    const env = { MQTT_PASSWORD: password }
    for (const raw of [[], ['--raw']]) {
      const { bytes } = await cli([...argsOfR5, ...raw], '', env)
      const explained = await cli(['explain', '-', '--json', '--protocol', '5'], bytes)
      expect(explained.code).to.equal(0)
      const { rows, packet } = JSON.parse(explained.stdout)
      expect(packet).to.deep.equal(JSON.parse(JSON.stringify(new v5.ConnectPacket(fieldsOfR5))))
      expect(rows.find((row: { field: string }) => row.field === 'keepAlive').value).to.equal('60 s')
    }
  })

  it('has defaults: 5.0, an empty client id, 60 seconds, a clean start', async () => {
    const least = { cleanStart: true, keepAlive: 60, clientId: '' }
    await expectHex([], new v5.ConnectPacket(least))
    await expectHex(
      ['--no-clean', '--keep-alive', '0'],
      new v5.ConnectPacket({ ...least, cleanStart: false, keepAlive: 0 }),
    )
    await expectHex(
      ['--will-topic', 't'],
      new v5.ConnectPacket({ ...least, will: { topic: 't', message: '' } }),
    )
  })

  it('takes every property, in the order of the command line, with binary ones as text or hex', async () => {
    const props = [
      property.userProperty('a', 'b=c'),
      property.topicAliasMaximum(7),
      property.userProperty('', ''),
      property.authenticationMethod('PLAIN'),
      property.authenticationData(Buffer.from([0, 255])),
      property.maximumPacketSize(0xffffffff),
      property.requestResponseInformation(1),
      property.requestProblemInformation(0),
    ]
    const willProps = [
      property.correlationData('text'),
      property.userProperty('k', 'v'),
      property.responseTopic('r'),
      property.payloadFormatIndicator(1),
      property.messageExpiryInterval(10),
    ]
    await expectHex(
      [
        ...['--user-property', 'a=b=c', '--property', 'topic-alias-maximum=7', '--user-property', '='],
        ...['--property', 'authenticationMethod=PLAIN', '--property', 'authentication_data=hex:00fF'],
        ...['--property', 'maximum-packet-size=0xffffffff', '--property', 'request-response-information=1'],
        ...['--property', 'request-problem-information=0', '--will-topic', 't', '--will-message', 'hex:0001'],
        ...['--will-property', 'correlation-data=text', '--will-user-property', 'k=v'],
        ...['--will-property', 'response-topic=r', '--will-property', 'payload-format-indicator=1'],
        ...['--will-property', 'message-expiry-interval=10'],
      ],
      new v5.ConnectPacket({
        cleanStart: true,
        keepAlive: 60,
        clientId: '',
        props,
        will: { topic: 't', message: Buffer.from([0, 1]), props: willProps },
      }),
    )
  })

  it('refuses what would break a rule with its code and clause, exit code 1', async () => {
    const cases = [
      [['--protocol', '3.1.1', '--no-clean'], '[client-id-empty, MQTT-3.1.3-8]'],
      [['--property', 'receive-maximum=0'], '[receive-maximum-zero, 3.1.2.11.3]'],
      [['--property', 'content-type=x'], '[property-not-allowed-here, 2.2.2.2]'],
      [['--will-topic', 'a/#'], '[will-topic-wildcard, MQTT-4.7.0-1]'],
      [['--will-topic', 'a', '--will-qos', '3'], '[will-qos, MQTT-3.1.2-12]'],
    ] as const
    const check = async ([args, told]: readonly [readonly string[], string]) => {
      const { code, stdout, stderr } = await cli(['encode', ...args])
      expect([code, stdout], stderr).to.deep.equal([1, ''])
      expect(stderr)
        .to.match(/^mqtt-connect-packet: [^\n]+\n$/)
        .and.to.include(told)
    }
    await Promise.all(cases.map(check))
  })

  it('answers misuse with one line without secrets, and exit code 2', async () => {
    const longest = 'x'.repeat(65_536)
    for (const [args, told] of [
      [['--password', 'my', 'hunter2'], 'quote a value that has spaces'],
      [['--passwrd=hunter2'], 'unknown option --passwrd: did you mean --password?'],
      [['--protocol', '6'], '--protocol: must be 3.1, 3.1.1 or 5, not 6'],
      [['--keep-alive', '70000'], 'keepAlive: must be an integer from 0 to 65535'],
      [['--keep-alive', '1.5'], '--keep-alive takes a number'],
      [['--keep-alive=-1'], '--keep-alive takes a number'],
      [['--client-id', longest], 'clientId: must be at most 65535 bytes long'],
      [['--property', 'no-such=1'], '--property: unknown property no-such: use session-expiry-interval, '],
      [
        ['--will-property', 'no-such=1'],
        'use will-delay-interval, payload-format-indicator, message-expiry-interval, content-type, ',
      ],
      [['--property', 'user-property=a'], 'unknown property user-property: '],
      [['--property', 'constructor=a'], 'unknown property constructor: '],
      [['--property', 'topic-alias=1'], 'unknown property topic-alias: did you mean topic-alias-maximum?'],
      [['--property', 'receive-maximum'], 'takes NAME=VALUE'],
      [['--property', 'receive-maximum=many'], '--property receive-maximum takes a number'],
      [['--property', 'authentication-data=hex:hunter2'], 'must have hex after hex:'],
      [['--protocol', '3.1.1', '--user-property', 'a=b'], 'MQTT 3.1.1 has no properties'],
      [
        ['--protocol', '3.1.1', '--will-topic', 't', '--will-user-property', 'a=b'],
        'will.props: must be absent',
      ],
      [['--bridge'], 'MQTT 5.0 has no bridge bit'],
      [['--client-id', 'caf\ufffd'], 'a value contains U+FFFD'],
      [['--property', 'authentication-method=\ufffd'], 'a value contains U+FFFD'],
      [['--will-message', 'x'], 'a will needs --will-topic'],
    ] as const) {
      const line = await misuse(['encode', ...args])
      expect(line).to.include(told)
      expect(line).not.to.include('hunter2')
    }
  })
})
