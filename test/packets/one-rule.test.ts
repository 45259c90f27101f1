import { Buffer } from 'node:buffer'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type * as library from '../../lib/index.ts'

/*
 * A rule has one place: the check of its version. Here one is added there, in a copy of lib, for each of the six kinds of
 * packets. Whatever reads or builds packets must enforce it.
 */

const versions = [
  { level: 3, name: 'v3_1', clean: 'cleanSession', codeField: 'returnCode', notAuthorized: 5 },
  { level: 4, name: 'v3_1_1', clean: 'cleanSession', codeField: 'returnCode', notAuthorized: 5 },
  { level: 5, name: 'v5', clean: 'cleanStart', codeField: 'reasonCode', notAuthorized: 0x87 },
] as const

type Version = (typeof versions)[number]

/** The keep alive that the made-up rule of a version forbids. In CONNACK it forbids "not authorized". */
const forbidden = ({ level }: Version) => 0x40 + level

function insertAfter(file: string, pattern: RegExp, text: string): void {
  const source = readFileSync(file, 'utf8')
  expect(source.match(new RegExp(pattern, 'gm')), `${pattern} in ${file}`).to.have.length(1)
  const changed = source.replace(new RegExp(pattern, 'm'), (found) => found + text)
  writeFileSync(file, changed)
}

/** Puts a copy of lib with six more rules into a directory. */
function copyWithRules(directory: string): void {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  cpSync(join(root, 'lib'), join(directory, 'lib'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'), 'junction')
  const row = "\n  'made-up': { reason: 'protocolError', clause: { v3_1: 'X', v3_1_1: 'X', v5: 'X' } },"
  insertAfter(join(directory, 'lib/errors/error-table.ts'), /^export const errorTable = \{/, row)
  for (const version of versions) {
    for (const [folder, start, broken] of [
      ['connect', 'flagsAt', `bytes[flagsAt + 2] === ${forbidden(version)}`],
      ['connack', 'start', `bytes[start + 1] === ${version.notAuthorized}`],
    ] as const) {
      const file = join(directory, 'lib/packets', folder, `${version.name}.ts`)
      const rule = `  if (${broken}) return madeUp(rules, 'made-up' as never, { name: 'f', section: '' }, ${start}, 'a', 'b')\n`
      insertAfter(file, /^function check\(.*\{\n/, rule)
      insertAfter(
        file,
        /^import type \{ Fault \} .*\n/,
        "import { fault as madeUp } from '../../wire/check.ts'\n",
      )
    }
  }
}

describe('a rule that is added to the check of one version', () => {
  const directory = mkdtempSync(join(tmpdir(), 'mqtt-connect-packet-'))
  let copy: typeof library

  before(async function () {
    this.timeout(30_000)
    copyWithRules(directory)
    copy = (await import(pathToFileURL(join(directory, 'lib/index.ts')).href)) as typeof library
  })
  after(() => rmSync(directory, { recursive: true, force: true }))

  function connect({ name, clean }: Version, keepAlive: number): library.ConnectPacket {
    const Packet = copy[name].ConnectPacket as new (fields: object) => library.ConnectPacket
    return new Packet({ [clean]: true, keepAlive, clientId: 'c' })
  }

  function connack({ name, codeField }: Version, code: number): library.ConnackPacket {
    const Packet = copy[name].ConnackPacket as new (fields: object) => library.ConnackPacket
    return new Packet({ sessionPresent: false, [codeField]: code })
  }

  /** What explain says, thrown. */
  function explained(bytes: Buffer, protocolVersion: 3 | 4 | 5): void {
    const { error } = copy.explain(bytes, { protocolVersion })
    if (error !== undefined) throw error
  }

  function expectEnforced(actions: Readonly<Record<string, () => unknown>>): void {
    for (const [name, action] of Object.entries(actions)) {
      expect(action, name).to.throw(copy.MqttError).that.includes({ code: 'made-up', clause: 'X' })
    }
  }

  for (const version of versions) {
    const { level, name } = version
    const protocolVersion = { protocolVersion: level }

    it(`is enforced for ${name}.ConnectPacket everywhere, and in that version only`, () => {
      const good = connect(version, 1)
      const bytes = Buffer.from(good.bytes)
      bytes[bytes.length - good.clientId.length - (level === 5 ? 4 : 3)] = forbidden(version)
      expectEnforced({
        constructor: () => connect(version, forbidden(version)),
        with: () => good.with({ keepAlive: forbidden(version) }),
        decode: () => copy.decode(bytes, protocolVersion),
        'decode with relaxed rules': () =>
          copy.decode(bytes, { allow: ['protocol-mqtt-3-1', 'bytes-left-over'] }),
        parser: () => [...new copy.PacketParser(protocolVersion).push(bytes)],
        'parser, byte by byte': () => {
          const parser = new copy.PacketParser(protocolVersion)
          for (const byte of bytes) for (const _ of parser.push(Uint8Array.of(byte)));
        },
        stream: () => {
          const read = new copy.PacketDecoder({ ...protocolVersion, errors: 'push' }).end(bytes).read()
          if (read instanceof copy.MqttError) throw read
        },
        explain: () => explained(bytes, level),
      })
      expect(copy.decode(good.bytes, protocolVersion).size).to.equal(good.size)
      for (const other of versions) {
        if (other !== version)
          expect(connect(other, forbidden(version)).keepAlive).to.equal(forbidden(version))
      }
    })

    it(`is enforced for ${name}.ConnackPacket everywhere`, () => {
      const request = connect(version, 1)
      const bytes = Buffer.from(connack(version, 0).bytes)
      bytes[3] = version.notAuthorized
      expectEnforced({
        constructor: () => connack(version, version.notAuthorized),
        connack: () => copy.connack(request, copy.ConnectReasonCode.notAuthorized),
        decode: () => copy.decode(bytes, protocolVersion),
        parser: () => {
          const parser = new copy.PacketParser({ ...protocolVersion, connection: true })
          for (const _ of parser.push(Buffer.concat([request.bytes, bytes])));
        },
        explain: () => explained(bytes, level),
      })
      expect(copy.connack(request, copy.ConnectReasonCode.success)?.type).to.equal(0x20)
    })
  }
})
