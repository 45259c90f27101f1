import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { expect } from 'chai'
import { type Result, verdicts } from '../lib/index.ts'
import { Broker } from './broker/broker.ts'
import { program, run } from './support.ts'

/* Tests the command line as its users run it. */

describe('mqtt-connect-probe', function () {
  this.timeout(60_000)
  const correct = new Broker()
  const broken = new Broker('accepts-will-qos')
  let good: string
  let bad: string

  before(async () => {
    good = await correct.start()
    bad = await broken.start()
  })

  after(() => {
    correct.close()
    broken.close()
  })

  it('--json prints a line per result and then a summary', async () => {
    const { code, out, errors } = await program(bad, '--json', '--protocol', '5', '--only', 'connect')
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const results: Result[] = lines.slice(0, -1)
    const keys = ['id', 'version', 'clause', 'verdict', 'sent', 'received', 'closed', 'milliseconds', 'text']
    for (const result of results) expect(Object.keys(result)).to.deep.equal(keys)
    const { summary } = lines.at(-1)
    expect(Object.keys(summary)).to.deep.equal([...verdicts])
    for (const verdict of verdicts) {
      expect(summary[verdict]).to.equal(results.filter((one) => one.verdict === verdict).length)
    }
    expect(results.find(({ id }) => id === 'connect.will-qos')).to.include({
      ...{
        version: '5.0',
        clause: 'MQTT-3.1.2-12',
        verdict: 'violates',
        received: '2003000000',
        closed: false,
      },
    })
    expect([code, errors]).to.deep.equal([1, ''])
  })

  it('exits with 0 if there is no violation', async () => {
    const { code, out } = await program(good, '--only', 'first')
    expect(code).to.equal(0)
    expect(out).to.contain('No clause is violated.')
  })

  it('prints a report with the violations, a table of the groups and the clauses', async () => {
    const { code, out } = await run(bad, '--protocol', '3.1.1', '--protocol', '5', '--only', 'connect')
    expect(code).to.equal(1)
    expect(out).to.match(/^violates MQTT-3\.1\.2-12 \(5\.0\) connect\.will-qos and 1 more case$/m)
    expect(out).to.match(/^ {2}sent 10..00044d515454051e/m)
    expect(out).to.match(/^group +passed +violates +differs +no-answer +not-tested$/m)
    expect(out).to.match(/^connect +\d+ +4 +0 +0 +0$/m)
    expect(out).to.match(
      /^Violated clauses\n {2}MQTT-3\.1\.2-14 \(3\.1\.1\): 2 cases\n {2}MQTT-3\.1\.2-12 \(5\.0\): 2 cases$/m,
    )
  })

  it('--only with an id shows the bytes and the answer, explained', async () => {
    const { out } = await run(bad, '--protocol', '5', '--only', 'connect.will-qos')
    expect(out).to.match(/will QoS +3/)
    expect(out).to.match(/reason code +0x00 \(success\)/)
  })

  it('--tap and --junit print what build servers read', async () => {
    const only = ['--protocol', '5', '--only', 'connect.will-qos', '--only', 'first']
    const tap = await run(bad, '--tap', ...only)
    expect(tap.code).to.equal(1)
    expect(tap.out).to.match(/^TAP version 14\n1\.\.\d+\n/)
    expect(tap.out).to.match(
      /^not ok \d+ - connect\.will-qos \(5\.0\) \[MQTT-3\.1\.2-12\]\n {2}---\n {2}verdict: "violates"$/m,
    )
    expect(tap.out.match(/^(not )?ok \d+/gm)).to.have.lengthOf(Number(/^1\.\.(\d+)$/m.exec(tap.out)![1]))
    const { out } = await run(bad, '--junit', ...only)
    expect(out).to.match(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="mqtt:[^"]*" tests="\d+" failures="\d+">/,
    )
    expect(out).to.match(
      /<testcase classname="connect" name="connect\.will-qos \(5\.0\) [^"]*" time="[\d.]+"><failure message="/,
    )
    expect(out.match(/<testcase /g)).to.have.lengthOf(Number(/tests="(\d+)"/.exec(out)![1]))
  })

  it('--list names every case, and --help every option and exit code', async () => {
    const { out } = await program('--list')
    expect(out).to.match(/^connect\.will-qos \(5\.0\) \[MQTT-3\.1\.2-12\]$/m)
    expect(out).to.match(/^keep-alive\.ends \(3\.1\.1\) \[MQTT-3\.1\.2-24\]$/m)
    const help = await run('--help')
    expect(help.out).to.contain('--yes-i-operate-this-server').and.to.contain('Exit code: 0')
    expect(help.code).to.equal(0)
  })

  it('exits with 2 if the results cannot be written', async function () {
    if (process.platform !== 'linux') this.skip()
    const full = openSync('/dev/full', 'w')
    const args = ['probe/dist/main.js', good, '--json', '--only', 'connack.accepts']
    const child = spawn(process.execPath, args, { stdio: ['ignore', full, 'pipe'] })
    closeSync(full)
    let errors = ''
    child.stderr!.on('data', (chunk) => {
      errors += chunk
    })
    const [code] = await once(child, 'close')
    expect([code, errors]).to.deep.equal([
      2,
      "The results can't be written: ENOSPC: no space left on device, write\n",
    ])
  })

  it('exits with 3 if the server can not be reached', async () => {
    const { code, errors } = await program('mqtt://127.0.0.1:1')
    expect([code, errors]).to.deep.equal([3, 'connect ECONNREFUSED 127.0.0.1:1\n'])
    expect((await run('mqtt://nothing.invalid')).code).to.equal(3)
    const webSocket = await run('ws://127.0.0.1:1')
    expect([webSocket.code, webSocket.errors]).to.deep.equal([3, 'connect ECONNREFUSED 127.0.0.1:1\n'])
  })
})
