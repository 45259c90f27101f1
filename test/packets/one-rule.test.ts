import { Buffer } from 'node:buffer'
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type * as library from '../../lib/index.ts'

/*
 * A rule has one place: an entry in the layout of its version. This test adds a rule there, in a copy of lib, for each kind of
 * packet with fields. Everything that reads or builds packets must then enforce it.
 */

const versions = [
  { level: 3, name: 'v3_1', clean: 'cleanSession', codeField: 'returnCode', notAuthorized: 5 },
  { level: 4, name: 'v3_1_1', clean: 'cleanSession', codeField: 'returnCode', notAuthorized: 5 },
  { level: 5, name: 'v5', clean: 'cleanStart', codeField: 'reasonCode', notAuthorized: 0x87 },
] as const

type Version = (typeof versions)[number]

/** The keep alive that a version's made-up rule forbids. In a CONNACK, "not authorized" is forbidden. */
const forbidden = ({ level }: Version) => 0x40 + level

/** Replaces each occurrence of a text in a file. There must be exactly as many as replacements. */
function replace(file: string, text: string, ...replacements: readonly string[]): void {
  const parts = readFileSync(file, 'utf8').split(text)
  expect(parts, `${text} in ${file}`).to.have.length(replacements.length + 1)
  writeFileSync(file, parts.map((part, i) => part + (replacements[i] ?? '')).join(''))
}

/** A rule like those in the layouts. It forbids one value of a byte. */
const madeUp = `
import { fault as faultOf } from '../../codec/context.ts'
function madeUp(value: number, offset = 0): any {
  return (context: any, bytes: any, at: any) =>
    bytes[at + offset] === value ? faultOf(context, 'made-up' as never, { name: 'f', section: '' }, at) : undefined
}
`

/** Copies lib, and adds eight rules to the copy. */
function copyWithRules(directory: string): void {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  cpSync(join(root, 'lib'), join(directory, 'lib'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'), 'junction')
  const table = 'export const errorTable = {'
  const row =
    "'made-up': { problem: 'is made up', reason: 'protocolError', clause: { v3_1: 'X', v3_1_1: 'X', v5: 'X' } },"
  replace(join(directory, 'lib/errors/error-table.ts'), table, `${table}\n  ${row}`)

  const packets = join(directory, 'lib/packets')
  const [connects, connacks] = [join(packets, 'connect/layouts.ts'), join(packets, 'connack/layouts.ts')]
  const [auth, disconnect] = [join(packets, 'auth/v5.ts'), join(packets, 'disconnect/v5.ts')]
  for (const file of [connects, connacks, auth, disconnect]) appendFileSync(file, madeUp)
  replace(
    connects,
    '\n    keepAlive,',
    ...versions.map((version) => `\n    { ...keepAlive, rule: madeUp(${forbidden(version)}, 1) },`),
  )
  replace(connacks, 'code(returnCodeField)', 'code(returnCodeField, madeUp(5))')
  for (const [field, value] of [
    ['returnCodeField', 5],
    ['reasonCodeField', 0x87],
  ] as const) {
    const entry = `code(${field}, sessionOnlyWithSuccess`
    replace(
      connacks,
      entry,
      `code(${field}, (...args) => madeUp(${value})(...args) ?? sessionOnlyWithSuccess(...args)`,
    )
  }
  replace(
    disconnect,
    '{ field, rule }',
    '{ field, rule: (...args) => rule(...args) ?? madeUp(0x8b)(...args) }',
  )
  const known = "codeRule(field, 'auth-code', 'MQTT-3.15.2-1')"
  replace(auth, known, `(...args) => ${known}(...args) ?? madeUp(0x19)(...args)`)
}

describe('a rule that is added to one entry of a layout', () => {
  const directory = mkdtempSync(join(tmpdir(), 'mqtt-connect-packet-'))
  let copy: typeof library

  before(async function () {
    this.timeout(60_000)
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

  /** Throws the error that explain reports. */
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

  const reason = (name: string) => ({ id: 0x1f, value: name }) as const
  const method = { id: 0x15, value: 'm' } as const
  const others: Readonly<
    Record<string, readonly [build: (reasonCode: number) => library.PacketVariant, code: number, at: number]>
  > = {
    DisconnectPacket: [
      (reasonCode) => new copy.v5.DisconnectPacket({ reasonCode, props: [reason('r')] } as never),
      0x8b,
      2,
    ],
    AuthPacket: [(reasonCode) => new copy.v5.AuthPacket({ reasonCode, props: [method] } as never), 0x19, 2],
  }
  for (const [name, [build, code, at]] of Object.entries(others)) {
    it(`is enforced for v5.${name} everywhere`, () => {
      const protocolVersion = { protocolVersion: 5 } as const
      const good = build(0)
      const bytes = Buffer.from(good.bytes)
      bytes[at] = code
      const request = connect(versions[2], 1)
      expectEnforced({
        constructor: () => build(code),
        with: () => (good as library.v5.DisconnectPacket).with({ reasonCode: code as never }),
        decode: () => copy.decode(bytes, protocolVersion),
        parser: () => {
          const parser = new copy.PacketParser({ ...protocolVersion, connection: true })
          for (const _ of parser.push(Buffer.concat([request.bytes, bytes])));
        },
        explain: () => explained(bytes, 5),
      })
      expect(copy.decode(good.bytes, protocolVersion).size).to.equal(good.size)
    })
  }
})
