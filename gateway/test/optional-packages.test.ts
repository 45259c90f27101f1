import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { readPacket, v5 } from 'mqtt-connect-packet'
import { root } from './gateway-program.ts'
import { FakeBroker, Folder, until } from './support.ts'

const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync(join(root, 'gateway/package.json'), 'utf8'),
)

describe('gateway: installed without the optional packages', function () {
  this.timeout(60_000)
  const folder = new Folder()
  const main = join(folder.path, 'dist/main.js')

  before(() => {
    cpSync(join(root, 'gateway/dist'), join(folder.path, 'dist'), { recursive: true })
    cpSync(join(root, 'gateway/package.json'), join(folder.path, 'package.json'))
    for (const name of ['mqtt-connect-packet', ...Object.keys(dependencies)]) {
      const link = join(folder.path, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(name === 'mqtt-connect-packet' ? root : join(root, 'node_modules', name), link)
    }
  })
  after(() => folder.remove())

  it('names what is optional', () => {
    const { 'mqtt-connect-packet': _, ...others } = peerDependencies
    expect(Object.keys(others)).to.deep.equal(['aedes', 'mqtt', 'mqtt-packet'])
    for (const name of Object.keys(others))
      expect(peerDependenciesMeta[name], name).to.deep.equal({ optional: true })
  })

  it('says what to install for the embedded broker, with an exit code of its own', () => {
    const { status, stderr } = spawnSync(process.execPath, [main, '--port', '0'], {
      ...{ encoding: 'utf8', timeout: 30_000 },
    })
    expect(stderr).to.match(
      /^The embedded broker needs the package aedes, which is not installed: run `npm install aedes/,
    )
    expect(stderr.trim().split('\n')).to.have.length(1)
    expect(status).to.equal(7)
  })

  it('forwards to a broker, and says why there are no sample clients', async () => {
    const broker = await FakeBroker.answering()
    const upstream = `127.0.0.1:${broker.port}`
    const program = spawn(process.execPath, [main, '--port', '0', '--upstream', upstream])
    try {
      let output = ''
      program.stdout.on('data', (chunk) => {
        output += chunk
      })
      await until(() => output.includes('sample client'))
      expect(output).to.include('A sample client failed: they need the package mqtt, which is not installed')
      expect(output).to.include('or use --no-sample')
      const port = Number(/Listening on \S+:(\d+)/.exec(output)![1])
      const client = connect(port, '127.0.0.1')
      client.write(new v5.ConnectPacket({ cleanStart: true, keepAlive: 10, clientId: 'c' }).bytes)
      const answer = (await readPacket(client, { protocolVersion: 5 })) as v5.ConnackPacket
      client.destroy()
      expect(answer.reasonCode).to.equal(0)
    } finally {
      program.kill()
      broker.close()
    }
  })
})
