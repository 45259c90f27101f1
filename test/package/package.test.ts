import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { expect } from 'chai'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..', '..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const bin = (name: string) => join(root, 'node_modules', '.bin', name)

/** The package as its users get it: the files that npm packs, in a project of their own. */
describe('the package', function () {
  this.timeout(60_000)
  let folder: string
  let installed: string
  let packed: string[]

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'package-'))
    installed = join(folder, 'node_modules', manifest.name)
    const output = JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--json'], {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
    const [entry] = Object.values(output) as { files: { path: string }[] }[]
    packed = (entry?.files ?? []).map(({ path }) => path)
    for (const path of packed) {
      mkdirSync(dirname(join(installed, path)), { recursive: true })
      cpSync(join(root, path), join(installed, path))
    }
    // Its dependencies, and what they depend on, as an installation would put beside it.
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (!name.startsWith('.') && name !== manifest.name) {
        symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
      }
    }
  })

  after(() => rmSync(folder, { recursive: true, force: true }))

  it('holds the built library and its documents, and nothing else', () => {
    for (const path of packed) {
      expect(path).to.match(
        /^(dist\/.*\.(js|d\.ts)|docs\/.*\.(md|svg)|README\.md|CHANGELOG\.md|SECURITY\.md|LICENSE|package\.json)$/,
      )
    }
    expect(packed).to.include.members([
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'dist/index.js',
      'dist/index.d.ts',
    ])
  })

  it('passes publint', () => {
    expect(execFileSync(bin('publint'), ['--strict'], { cwd: root, encoding: 'utf8' })).to.contain(
      'All good!',
    )
  })

  it('has types that resolve wherever its modules do', () => {
    execFileSync(bin('attw'), ['--pack', root, '--profile', 'esm-only'], { encoding: 'utf8', stdio: 'pipe' })
  })

  it('has only exact versions, and a lockfile without download addresses', () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies }) as string[]
    for (const version of versions) expect(version).to.match(/^\d+\.\d+\.\d+$/)
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.to.match(/"resolved": "\w+:/)
  })

  it('can be imported under each of its sub-paths', () => {
    for (const path of Object.keys(manifest.exports)) {
      const name = `${manifest.name}${path.slice(1)}`
      const type = path.endsWith('.json') ? " with { type: 'json' }" : ''
      writeFileSync(
        join(folder, 'import.mjs'),
        `import * as all from '${name}'${type}; if (Object.keys(all).length === 0) throw new Error('empty')`,
      )
      execFileSync(process.execPath, ['--no-warnings', join(folder, 'import.mjs')])
    }
  })

  it('gives a strict TypeScript user types that hold, and refuses wrong calls', () => {
    writeFileSync(
      join(folder, 'user.ts'),
      `
import { Transform } from 'readable-stream'
import { bufferToPacketVariant, ConnectEncoder, MqttError, PacketDecoder, PropertyId, property, readConnect, v3_1_1, v5, Will } from '${manifest.name}'
import type { Socket } from 'node:net'

const fields: v5.ConnectPacketFields = { cleanStart: true, keepAlive: 1, clientId: 'c', will: { topic: 't', message: 'm' } }
const packet = new v5.ConnectPacket({ ...fields, props: [property.receiveMaximum(1), property.userProperty('k', 'v')] })
for (const item of packet.props) {
  if (item.id === PropertyId.userProperty) { const key: string = item.key; void key }
  if (item.id === PropertyId.receiveMaximum) { const value: number = item.value; void value }
  if (item.id === PropertyId.authenticationData) { const value: Buffer = item.value; void value }
}
const changed: v5.ConnectPacket = packet.with({ will: undefined, userName: 'u' })
const will: Will | undefined = changed.will
const any = bufferToPacketVariant(packet.bytes, 5)
if (any.type === 0x10) { const id: string = any.clientId; void id } else { const id: number | undefined = any.packetId; void id }
const decoder: Transform = new PacketDecoder({ connection: true, errors: 'push', allow: ['bytes-left-over'] })
const encoder: Transform = new ConnectEncoder()
declare const socket: Socket
socket.pipe(decoder)
encoder.pipe(socket)
const first: Promise<v3_1_1.ConnectPacket | v5.ConnectPacket> = readConnect(socket, { timeout: 1, signal: AbortSignal.timeout(1) })
const code: 'will-qos' | string = new Error() instanceof MqttError ? 'will-qos' : ''
void [will, first, code]
// @ts-expect-error cleanStart is of MQTT 5.0
new v3_1_1.ConnectPacket({ cleanStart: true, keepAlive: 1, clientId: 'c' })
// @ts-expect-error no such code
new PacketDecoder({ allow: ['anything'] })
// @ts-expect-error a number
property.sessionExpiryInterval('1')
// @ts-expect-error the scan's own way in is not public
new v5.ConnectPacket(packet.bytes, 2)
`,
    )
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: 'nodenext',
      target: 'es2023',
      noEmit: true,
      skipLibCheck: false,
      types: ['node'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['user.ts'] }))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    try {
      execFileSync(bin('tsc'), ['-p', folder], { encoding: 'utf8', stdio: 'pipe' })
    } catch (error) {
      expect.fail((error as { stdout: string }).stdout)
    }
  })

  it('has packets that a browser can run with nothing but the buffer package', async () => {
    const { outputFiles, metafile } = await build({
      stdin: { contents: `export * from '${manifest.name}/packets'`, resolveDir: folder },
      bundle: true,
      platform: 'browser',
      format: 'iife',
      globalName: 'library',
      write: false,
      metafile: true,
      logLevel: 'silent',
    })
    const foreign = Object.keys(metafile.inputs).filter(
      (path) => !path.includes(`${manifest.name}/dist/`) && path !== '<stdin>',
    )
    for (const path of foreign) expect(path).to.match(/node_modules\/(buffer|base64-js|ieee754)\//)
    const context = createContext({})
    const text = runInContext(
      `${outputFiles[0]?.text}
      const { v5, property, bufferToPacketVariant } = library
      const packet = new v5.ConnectPacket({ cleanStart: true, keepAlive: 1, clientId: 'ключ', password: 'p', props: [property.userProperty('k', 'v')], will: { topic: 't', message: 'm' } })
      const again = bufferToPacketVariant(new Uint8Array(packet.bytes))
      if (again.password.toString() !== 'p' || again.constBufferSequence().length < 10) throw new Error('not the same');
      \`\${again}\``,
      context,
    )
    expect(text).to.equal(
      'v5::connect{cid:ключ,ka:1,cs:1,pw:*****,will:{topic:t,message:m,qos:at_most_once,retain:no},ps:[{id:user_property,key:k,val:v}]}',
    )
  })
})
