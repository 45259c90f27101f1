import { Buffer } from 'node:buffer'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { explain } from '../../lib/index.ts'
import { connect3 } from '../support/faults.ts'
import { hex, R3, R5 } from '../support/reference.ts'
import { cli } from './support.ts'

const dumpOfR3 = `${explain(hex(R3))}\n`
const pairs = R3.match(/../g)!
const invalid = connect3('03', '0001 63')

describe('mqtt-connect explain', function () {
  this.timeout(60_000)
  let directory: string
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'mqtt-connect-'))
  })
  after(() => rmSync(directory, { recursive: true }))

  async function expectR3(args: string[], stdin?: string | Uint8Array): Promise<void> {
    expect(await cli(['explain', ...args], stdin)).to.include({ code: 0, stdout: dumpOfR3, stderr: '' })
  }

  it('takes hex as one argument or several, in any common writing', async () => {
    await Promise.all([
      expectR3([R3]),
      expectR3([R3.toUpperCase()]),
      expectR3(pairs),
      expectR3([pairs.join(':')]),
      expectR3(pairs.map((pair) => `0x${pair},`)),
      expectR3([`0x${R3}`]),
      expectR3([pairs.map((pair) => `0x${pair.replace(/^0/, '')}`).join(' ')]),
    ])
  })

  it('takes hex or raw bytes from stdin, and tells which by the content', async () => {
    await Promise.all([
      expectR3(['-'], R3),
      expectR3([], `${R3}\n`),
      expectR3(['-'], pairs.join(' ')),
      expectR3(['-'], R3.replace(/.{32}/g, '$&\r\n')),
      expectR3(['-'], pairs.map((pair) => `0x${pair}`).join(',\n')),
      expectR3(['-'], hex(R3)),
    ])
    const ping = await cli(['explain', '-'], 'c0 00')
    expect(ping).to.include({ code: 0, stdout: `${explain(hex('c000'))}\n` })
    const http = Buffer.from('GET / HTTP/1.1\r\n\r\n')
    expect(await cli(['explain', '-'], http)).to.include({ code: 1, stdout: `${explain(http)}\n` })
    expect(await cli(['explain', '-'], '')).to.include({ code: 1, stdout: `${explain(hex(''))}\n` })
  })

  it('takes hex or raw bytes from a file', async () => {
    const file = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(directory, name), content)
      return join(directory, name)
    }
    await expectR3(['--file', file('a.hex', pairs.join('\n'))])
    await expectR3(['-f', file('a.bin', hex(R3))])
  })

  it('says what is wrong with an invalid packet, exit code 1', async () => {
    const { code, stdout, stderr } = await cli(['explain', invalid.toString('hex')])
    expect([code, stderr]).to.deep.equal([1, ''])
    expect(stdout).to.equal(`${explain(invalid)}\n`)
    expect(stdout).to.include('code     connect-flags-reserved')
  })

  it('takes --allow, repeated, and --protocol', async () => {
    const wire = connect3('0b', '0001 63').toString('hex')
    const allow = ['--allow', 'connect-flags-reserved', '--allow', 'will-qos-without-will']
    expect((await cli(['explain', wire, ...allow.slice(2)])).code).to.equal(1)
    expect((await cli(['explain', wire, ...allow])).code).to.equal(0)
    for (const [version, code] of [
      ['3.1.1', 0],
      ['5', 1],
    ] as const) {
      expect((await cli(['explain', '--protocol', version, R3])).code).to.equal(code)
    }
  })

  it('hides secrets, and shows them with --secrets', async () => {
    const password = 's3cret-passw0rd'
    expect((await cli(['explain', R5])).stdout).not.to.include(password)
    expect((await cli(['explain', R5, '--secrets'])).stdout).to.equal(
      `${explain(hex(R5), { secrets: true })}\n`,
    )
  })

  it('prints JSON with --json', async () => {
    for (const [wire, code] of [
      [R5, 0],
      [invalid.toString('hex'), 1],
    ] as const) {
      const run = await cli(['explain', wire, '--json'])
      expect(run.code).to.equal(code)
      expect(JSON.parse(run.stdout)).to.deep.equal(JSON.parse(JSON.stringify(explain(hex(wire)))))
    }
  })

  it('tells misuse in one line that holds nothing of the bytes, exit code 2', async () => {
    const cases = [
      [['explain', 'xyz'], 'not hex: only digits'],
      [['explain', '-', '10'], 'not hex: only digits'],
      [['explain', '103'], 'not hex: an odd number of digits, 3'],
      [['explain', '-'], 'not hex: only digits', '103000SECRETS'],
      [['explain', '-'], 'not hex: an odd number', '10300'],
      [['explain', '--file', 'no/such/file'], 'no such file'],
      [['explain', '--file', '.'], 'EISDIR'],
      [['explain', '--file', 'package.json', '10'], 'not from both'],
      [['explain', '--protocol', '3.1', '10'], "--protocol takes 3.1.1 or 5, not '3.1'"],
      [['explain', '--allow', 'will-qos', '10'], 'allow: will-qos: expected one of'],
    ] as const
    const check = async ([args, told, stdin]: readonly [readonly string[], string, string?]) => {
      const { code, stdout, stderr } = await cli(args, stdin)
      expect([code, stdout], stderr).to.deep.equal([2, ''])
      expect(stderr)
        .to.match(/^mqtt-connect: [^\n]+\n$/)
        .and.to.include(told)
      expect(stderr).not.to.include('SECRETS')
    }
    await Promise.all(cases.map(check))
  })
})
