import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect } from 'chai'
import mqttPacket from 'mqtt-packet'
import { main } from '../../lib/cli/main.ts'
import { decode, PacketParser, v3_1_1 } from '../../lib/index.ts'
import { command, explainPicture, pictured } from '../../scripts/picture.ts'
import { closeAll, closeLater, connectMqttJs, freePort, needs, until } from '../examples/support.ts'
import { hex } from '../support/reference.ts'
import { thrown } from '../support/thrown.ts'
import { blocks, read, root } from './documents.ts'

const readme = read('README.md')

describe('README.md', () => {
  describe('code', () => {
    let folder: string

    before(() => {
      folder = mkdtempSync(join(root, 'node_modules', '.readme-'))
    })

    after(() => rmSync(folder, { recursive: true }))

    for (const [i, code] of blocks(readme, 'js').entries()) {
      it(`block ${i + 1} is a module that prints what its comments say`, () => {
        const file = join(folder, `block-${i}.mjs`)
        const library = JSON.stringify(join(root, 'dist', 'index.js'))
        writeFileSync(file, code.replaceAll("'mqtt-connect-packet'", library))
        const printed = execFileSync(process.execPath, [file], { stdio: 'pipe', encoding: 'utf8' })
        const comments = Array.from(code.matchAll(/^ *console\.log\(.*\) \/\/ (.*)$/gm), ([, text]) => text)
        expect(comments).not.to.deep.equal([])
        expect(printed.trimEnd().split('\n')).to.deep.equal(comments)
      })
    }

    it('has three such blocks, and three recipes', () => {
      expect(blocks(readme, 'js')).to.have.lengthOf(3)
      expect(blocks(readme, 'ts')).to.have.lengthOf(3)
    })
  })

  describe('the picture', () => {
    it('is up to date (`npm run docs` writes it)', () => {
      expect(read('docs/explain.svg')).to.equal(explainPicture())
    })

    it('has all text that the command prints, and nothing else', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'picture-'))
      const file = join(folder, 'connect.bin')
      writeFileSync(file, pictured())
      let printed = ''
      const io = { ...process, stdout: { write: (output: string | Uint8Array) => (printed += output) } }
      const code = await main(['explain', '--file', file], io)
      rmSync(folder, { recursive: true })
      expect(code).to.equal(1)
      const texts = Array.from(
        read('docs/explain.svg').matchAll(/<text[^>]*>(.*)<\/text>/g),
        ([, text]) => text,
      )
      const words = (text: string) => text.split(/\s+/).filter((word) => word !== '')
      expect(words(texts.join(' '))).to.deep.equal(words(`$ ${command} ${printed}`))
    })
  })

  describe('the comparison with mqtt-packet', () => {
    const R3 = new v3_1_1.ConnectPacket({
      cleanSession: true,
      keepAlive: 60,
      clientId: 'c',
      userName: 'u',
      password: 's3cret',
    })

    function parse(bytes: Buffer): mqttPacket.IConnectPacket[] {
      const packets: mqttPacket.IConnectPacket[] = []
      const parser = mqttPacket.parser()
      parser.on('packet', (packet) => packets.push(packet as mqttPacket.IConnectPacket))
      parser.on('error', (error) => {
        throw error
      })
      parser.parse(bytes)
      return packets
    }

    it('is right about client ids that are not UTF-8', () => {
      const ids = ['ff', 'fe'].map((byte) => hex(`100d00044d5154540402003c0001${byte}`))
      expect(ids.map((bytes) => parse(bytes)[0]?.clientId)).to.deep.equal(['\ufffd', '\ufffd'])
      for (const bytes of ids) expect(thrown(() => decode(bytes))).to.include({ code: 'client-id-not-utf8' })
    })

    it('is right about memory before authentication', () => {
      const header = hex('10ffffff7f')
      const parser = mqttPacket.parser()
      parser.on('error', (error) => expect.fail(error.message))
      // mqtt-packet waits for the rest, and keeps what has arrived.
      expect(parser.parse(Buffer.concat([header, Buffer.alloc(1_000_000)]))).to.be.above(900_000)
      expect(thrown(() => [...new PacketParser({ connection: false }).push(header)])).to.include({
        code: 'packet-too-large',
      })
    })

    it('is right about passwords in logs', () => {
      const secret = inspect(Buffer.from('s3cret')).slice(8, -1)
      expect(inspect(parse(R3.bytes)[0])).to.include(secret)
      for (const text of [inspect(R3), String(R3), JSON.stringify(R3)]) expect(text).not.to.include('s3cret')
      expect(inspect(R3)).not.to.include(secret)
      expect(inspect(R3, { customInspect: false, depth: null })).not.to.include(secret)
    })

    it('is right about errors: mqtt-packet has a message only', () => {
      const bytes = Buffer.from(R3.bytes)
      bytes[9]! |= 1
      expect(Object.keys(thrown(() => parse(bytes)))).to.deep.equal([])
      expect(thrown(() => decode(bytes))).to.include.keys('code', 'clause', 'offset', 'reasonCode')
    })
  })

  describe('the commands', () => {
    it('install first, then those for a clone, and .ci/run runs the one that tests', () => {
      const at = (text: string) => {
        expect(readme).to.include(text)
        return readme.indexOf(text)
      }
      expect(at('npm install mqtt-connect-packet')).to.be.below(at('npm ci && npm start'))
      expect(at("isn't published yet")).to.be.below(at('npm ci && npm start'))
      at('npm cit')
      expect(read('.ci/run')).to.match(/\bnpm cit /)
    })

    it('npm start serves clients, and its JSON can be piped to jq', async function () {
      this.timeout(60_000)
      needs(this, 'jq')
      const [, pipe = ''] = /`(npm .*\| jq[^`]*)`/.exec(readme) ?? []
      const port = await freePort()
      // Skips the build before it, because other tests are using the same files.
      const shell = pipe
        .replace(' start ', ' start --ignore-scripts ')
        .replace('--json', `--json --no-sample --port ${port}`)
      const child = spawn('sh', ['-c', `${shell} --unbuffered`], {
        cwd: root,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      closeLater(() => process.kill(-child.pid!, 'SIGKILL'))
      let printed = ''
      let said = ''
      child.stdout.on('data', (chunk) => {
        printed += chunk
      })
      child.stderr.on('data', (chunk) => {
        said += chunk
      })
      await until(() => said.includes('Listening') || child.exitCode !== null)
      await connectMqttJs(port, 4, { clientId: 'piped' })
      await until(() => printed.includes('piped') || child.exitCode !== null)
      expect(printed).to.match(/"?piped"?/)
      closeAll()
    })
  })
})
