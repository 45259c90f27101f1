import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One TCP segment from client to server, or back. */
export interface Segment {
  /** Determines the client's port. */
  readonly connection: number
  readonly from: 'client' | 'server'
  readonly payload: Buffer
}

const FIRST_CLIENT_PORT = 10_000
const MQTT_PORT = 1883
const RAW_IP = 101

/**
 * Writes a pcap file: raw IPv4, TCP without a handshake, and checksums of 0. Sequence numbers continue in both directions of a
 * connection.
 */
export function pcap(segments: readonly Segment[]): Buffer {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(0xa1b2c3d4, 0)
  header.writeUInt16LE(2, 4)
  header.writeUInt16LE(4, 6)
  header.writeUInt32LE(0x40000, 16)
  header.writeUInt32LE(RAW_IP, 20)
  const sent = new Map<string, number>()
  const count = (connection: number, from: string) => sent.get(`${from} ${connection}`) ?? 0
  const parts: Buffer[] = [header]
  for (const [i, { connection, from, payload }] of segments.entries()) {
    const ports = [FIRST_CLIENT_PORT + connection, MQTT_PORT]
    const hosts = [0x0a000001, 0x0a000002]
    const other = from === 'client' ? 'server' : 'client'
    if (from === 'server') [ports, hosts].map((pair) => pair.reverse())
    const packet = Buffer.alloc(40)
    packet.writeUInt16BE(0x4500, 0)
    packet.writeUInt16BE(packet.length + payload.length, 2)
    packet.writeUInt16BE(0x4006, 8)
    packet.writeUInt32BE(hosts[0]!, 12)
    packet.writeUInt32BE(hosts[1]!, 16)
    packet.writeUInt16BE(ports[0]!, 20)
    packet.writeUInt16BE(ports[1]!, 22)
    packet.writeUInt32BE(1 + count(connection, from), 24)
    packet.writeUInt32BE(1 + count(connection, other), 28)
    packet.writeUInt32BE(0x5018ffff, 32)
    const record = Buffer.alloc(16)
    record.writeUInt32LE(i, 0)
    record.writeUInt32LE(packet.length + payload.length, 8)
    record.writeUInt32LE(packet.length + payload.length, 12)
    parts.push(record, packet, payload)
    sent.set(`${from} ${connection}`, count(connection, from) + payload.length)
  }
  return Buffer.concat(parts)
}

export interface TsharkField {
  /** For example `mqtt.clientid`. Warnings are called `_ws.expert.message`. */
  readonly name: string
  /** The value in tshark's words. */
  readonly show: string
  /** The bytes in hex. For a flag, tshark gives only its bits. */
  readonly hex: string
}

/** For example `TShark 4.0.17`, or `undefined` if it isn't installed. */
export function tsharkVersion(): string | undefined {
  const { stdout } = spawnSync('tshark', ['--version'], { encoding: 'utf8' })
  return /TShark \(Wireshark\) (\d+(?:\.\d+)*)/.exec(stdout ?? '')?.[0].replace('(Wireshark) ', '')
}

/**
 * Runs tshark on a capture, and returns the MQTT fields of each segment in wire order. Fields precede the fields inside them.
 */
export function dissect(capture: Buffer): TsharkField[][] {
  const directory = mkdtempSync(join(tmpdir(), 'handshakes-'))
  try {
    const file = join(directory, 'handshakes.pcap')
    writeFileSync(file, capture)
    const { stdout, stderr, status } = spawnSync('tshark', ['-r', file, '-T', 'pdml', '-J', 'mqtt'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
    if (status !== 0) throw new Error(`tshark: ${stderr}`)
    return stdout.split('<packet>').slice(1).map(fieldsOf)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Matches an element. Values have no raw `"`, but may contain line breaks. */
const element = /<field name="([^"]*)"((?: \w+="[^"]*")*)/g

function fieldsOf(packet: string): TsharkField[] {
  return Array.from(packet.matchAll(element), ([, name, attributes]) => ({
    name: name!,
    show: attribute(attributes!, 'show'),
    hex: attribute(attributes!, 'value'),
  })).filter(({ name }) => name.startsWith('mqtt.') || name === '_ws.expert.message')
}

function attribute(attributes: string, name: string): string {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
  return value.replaceAll(/&(?:#x([0-9a-f]+)|(\w+));/g, (_, code, entity) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : (entities[entity] ?? '?'),
  )
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
