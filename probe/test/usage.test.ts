import { expect } from 'chai'
import { type ProbeOptions, probe, UsageError } from '../lib/index.ts'
import { Broker } from './broker/broker.ts'
import { program, resultsAt, run, runWith, thrownBy } from './support.ts'

/* Tests misuse of the command line and of the function, and that credentials are never printed. */

const nowhere = 'mqtt://127.0.0.1:1'

describe('wrong usage', function () {
  this.timeout(60_000)

  it('of the command line exits with 2 and says what is wrong, and what may have been meant', async () => {
    const cases: readonly (readonly [string[], RegExp])[] = [
      [[], /^The URL of a server is missing\n/],
      [[nowhere, 'mqtt://u:secret@127.0.0.1'], /^Only one URL is tested, not 2\n/],
      [[nowhere, '--protocol', '4'], /--protocol must be 3\.1, 3\.1\.1, 5 or all, not 4/],
      [[nowhere, '--timeout', '0'], /--timeout must be a whole number from 1 to 16777216, not 0/],
      [[nowhere, '--concurrency', '1001'], /--concurrency must be a whole number from 1 to 1000, not 1001/],
      [[nowhere, '--jsn'], /^Unknown option '--jsn'\. Did you mean '--json'\?\n/],
      [[nowhere, '--json', '--tap'], /Choose one of --json and --tap/],
      [[nowhere, '--password', 'p'], /--password needs --user/],
      [[nowhere, '--ca', '/nowhere'], /--ca: ENOENT/],
      [['mqtt://192.0.2.1'], /192\.0\.2\.1 is neither a loopback nor a private.*--yes-i-operate-this-server/],
      [
        ['mqtt://a%00b:x@127.0.0.1'],
        /^No CONNECT can hold the credentials: userName: must not contain U\+0000/,
      ],
      [
        [nowhere, '--user', 'a', '--password', 'p'.repeat(65_536)],
        /^No CONNECT can hold the credentials: password/,
      ],
      [['mqtt://127.0.0.1:0'], /port of the target must not be 0/],
      [['mqt://127.0.0.1'], /must be mqtt:\/\/.*not mqt:\/\/127\.0\.0\.1\. Did you mean 'mqtt'\?/],
    ]
    const runs = cases.map(async ([args, message]) => {
      const { code, out, errors } = await run(...args)
      expect(errors).to.match(message).and.not.to.contain('secret')
      expect(out).to.equal('')
      expect(code, errors).to.equal(2)
    })
    await Promise.all(runs)
    expect(await program()).to.deep.equal(await run())
  })

  it('includes a name in --only that selects nothing', async () => {
    const cases: readonly (readonly [string[], RegExp])[] = [
      [['--only', 'MQTT-3.1.3-55'], /or clause 'MQTT-3\.1\.3-55'\. Did you mean 'MQTT-3\.1\.3-5'\?/],
      [['--only', 'wills'], /Did you mean 'will'\?/],
      [['--only', 'will-qos'], /Did you mean 'connect\.will-qos'\?/],
      [['--only', 'will', '--only', 'nothing-like-it-at-all'], /'nothing-like-it-at-all'\. --list shows all/],
      [['--only', ''], /'' *\. --list shows all/],
      [
        ['--only', 'MQTT-3.1.2-12', '--protocol', '3.1'],
        /^'MQTT-3\.1\.2-12' names only cases of MQTT .*5\.0.*, but the run is for 3\.1\.\n/,
      ],
    ]
    for (const [args, message] of cases) {
      const { code, out, errors } = await run(nowhere, ...args)
      expect(errors).to.match(message)
      expect([code, out]).to.deep.equal([2, ''])
    }
  })

  it('of the function is an error with a code, at once', () => {
    const cases: readonly (readonly [string, object, string, RegExp])[] = [
      ['mqtt:', {}, 'ERR_INVALID_ARG_VALUE', /The target must be/],
      ['http://127.0.0.1', {}, 'ERR_INVALID_ARG_VALUE', /The target must be/],
      ['127.0.0.1', {}, 'ERR_INVALID_ARG_VALUE', /The target must be/],
      [nowhere, { only: ['MQTT-9.9.9-9'] }, 'ERR_INVALID_ARG_VALUE', /No case has the id/],
      [nowhere, { only: ['keep-alive'], protocol: [] }, 'ERR_INVALID_ARG_VALUE', /must name a version/],
      [nowhere, { only: 'will' }, 'ERR_INVALID_ARG_TYPE', /^only: must not be of this type/],
      [
        nowhere,
        { protocol: ['5'] },
        'ERR_INVALID_ARG_VALUE',
        /^protocol: must be 3\.1, 3\.1\.1, 5\.0, not 5/,
      ],
      [nowhere, { timeout: 0 }, 'ERR_OUT_OF_RANGE', /^timeout: must be/],
      [nowhere, { concurrency: 1.5 }, 'ERR_OUT_OF_RANGE', /^concurrency: must be/],
      [nowhere, { time: 1 }, 'ERR_INVALID_ARG_VALUE', /^Unknown option 'time'\. Did you mean 'timeout'\?/],
      [nowhere, { userName: 5 }, 'ERR_INVALID_ARG_TYPE', /^userName: must not/],
      ['mqtt://:p@127.0.0.1', {}, 'ERR_INVALID_ARG_VALUE', /a password but no user name/],
      ['mqtt://u:%zz@127.0.0.1', {}, 'ERR_INVALID_ARG_VALUE', /Write it as %25/],
    ]
    for (const [url, options, code, message] of cases) {
      expect(() => probe(url, options as ProbeOptions), `${url} ${JSON.stringify(options)}`)
        .to.throw(UsageError, message)
        .with.property('code', code)
    }
  })

  it('includes every address that is neither loopback nor private', async () => {
    for (const url of [
      'mqtt://192.0.2.1',
      'mqtt://[2001:db8::1]:1883',
      'mqtt://100.64.0.1',
      'ws://172.32.0.1',
    ]) {
      const error = await thrownBy(resultsAt(url))
      expect(error, url).to.be.instanceOf(UsageError).with.property('code', 'ERR_PUBLIC_ADDRESS')
    }
  })
})

describe('credentials', function () {
  this.timeout(60_000)
  const broker = new Broker('knows-its-clients')
  let host: string

  before(async () => {
    host = (await broker.start()).slice('mqtt://'.length)
  })

  after(() => broker.close())

  const only = ['--protocol', '3.1.1', '--only', 'connect.will-qos']

  it('may be in the URL, percent-encoded, and options replace them', async () => {
    expect((await run(`mqtt://${host}`, ...only)).code).to.equal(3)
    expect((await run(`mqtt://u:%70@${host}`, ...only)).code).to.equal(0)
    expect(
      (await run(`mqtt://other:secret@${host}`, ...only, '--user', 'u', '--password', 'p')).code,
    ).to.equal(0)
    expect((await run(`mqtt://u:secret@${host}`, ...only, '--password', 'p')).code).to.equal(0)
    expect((await runWith({ MQTT_PASSWORD: 'p' }, `mqtt://u@${host}`, ...only)).code).to.equal(0)
    expect((await runWith({ MQTT_PASSWORD: 'secret' }, `mqtt://u:p@${host}`, ...only)).code).to.equal(0)
    const options = { protocol: ['3.1.1'], only: ['connect.will-qos'] } as const
    expect(await resultsAt(`mqtt://u:p@${host}`, options)).to.have.lengthOf(2)
    // The user name of the options isn't combined with the password of the URL.
    expect(
      (await thrownBy(resultsAt(`mqtt://x:p@${host}`, { ...options, userName: 'u' }))).message,
    ).to.contain('code 5')
  })

  it('are in no output: neither the URL, nor the password in text, hex or an error', async () => {
    const secret = 'hunter2'
    const hex = Buffer.from(secret).toString('hex')
    const anyone = new Broker()
    const url = (await anyone.start()).replace('//', `//user:${secret}@`)
    for (const format of [['--verbose'], ['--json'], ['--tap'], ['--junit']]) {
      const { code, out, errors } = await run(
        url,
        ...format,
        '--protocol',
        '5',
        '--only',
        'accept',
        '--only',
        'connect',
      )
      expect(code, errors).to.equal(0)
      expect(out.includes(secret) || out.includes(hex), format[0]!).to.equal(false)
      // Other formats only show the bytes of faults.
      if (/verbose|json/.test(format[0]!)) expect(out).to.match(/75736572|user name +user/)
    }
    anyone.close()
    const refused = await run(`mqtt://user:${secret}@${host}`, ...only)
    expect(refused.code).to.equal(3)
    expect(refused.errors).not.to.contain(secret)
    for (const bad of [
      `mqt://user:${secret}@${host}`,
      `mqtt://user:${secret}/@@${host}`,
      `user:${secret}@${host}`,
    ]) {
      const { code, errors } = await run(bad)
      expect(code).to.equal(2)
      expect(errors).not.to.contain(secret)
    }
  })
})
