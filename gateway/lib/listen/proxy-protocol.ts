import { isUtf8 } from 'node:buffer'
import { isIPv4, isIPv6, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LeftError } from '../settings/causes.ts'
import { parseAddress } from '../settings/parse-address.ts'
import type { Peer } from './peer.ts'

/*
 * The PROXY protocol, versions 1 and 2: https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt
 */

/** The bytes are not a PROXY header. */
export class ProxyError extends Error {
  /** @param sent the description of what the proxy has sent */
  constructor(sent: string) {
    super(`the proxy sent ${sent}`)
  }
}

export interface ProxyHeader {
  /** The size of the header in bytes. */
  readonly length: number
  /** Absent if the proxy speaks for itself (LOCAL), or doesn't know the client (UNKNOWN). */
  readonly source?: Endpoint | undefined
  readonly destination?: Endpoint | undefined
  /** The server name of the client's TLS connection. */
  readonly authority?: string | undefined
  readonly tls?: ProxyTls | undefined
}

export interface Endpoint {
  readonly address: string
  readonly port: number
}

export interface ProxyTls {
  readonly version?: string | undefined
  readonly cipher?: string | undefined
  /** True if the client has sent a certificate that the proxy has verified. */
  readonly verified: boolean
  readonly commonName?: string | undefined
}

const SIGNATURE_2 = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const SIGNATURE_1 = Buffer.from('PROXY ')
const LONGEST_1 = 107
/** The standard allows 65,551. No proxy comes near this. */
const LONGEST_2 = 8192
/**
 * The longest name that is put into a header, in bytes. HAProxy refuses headers with a longer server name, and nginx those with more than
 * 4,096 bytes in all. Host names are shorter, as are the 64 characters that X.520 allows for the name in a certificate.
 */
const LONGEST_NAME = 255
/** Length of signature, command, family and length. */
const FIXED_2 = 16

const TLV = { authority: 0x02, ssl: 0x20, sslVersion: 0x21, commonName: 0x22, cipher: 0x23 } as const
const SSL_CLIENT = { tls: 0x01, certificateOnConnection: 0x02, certificateInSession: 0x04 } as const

/**
 * Reads the header at the start of the bytes.
 *
 * @returns `undefined` if more bytes are needed
 * @throws ProxyError
 */
export function parseProxyHeader(bytes: Buffer): ProxyHeader | undefined {
  if (startsAs(bytes, SIGNATURE_1)) return parse1(bytes)
  if (startsAs(bytes, SIGNATURE_2)) return parse2(bytes)
  throw new ProxyError('no PROXY header')
}

/** True if the bytes so far are the beginning of the signature, or begin with it. */
function startsAs(bytes: Buffer, signature: Buffer): boolean {
  const length = Math.min(bytes.length, signature.length)
  return signature.compare(bytes, 0, length, 0, length) === 0
}

function parse1(bytes: Buffer): ProxyHeader | undefined {
  const end = bytes.subarray(0, LONGEST_1).indexOf('\r\n')
  if (end < 0) {
    if (bytes.length >= LONGEST_1) throw new ProxyError('a PROXY line without an end')
    return undefined
  }
  const length = end + 2
  const [, family, from = '', to = '', fromPort, toPort, ...more] = bytes
    .toString('latin1', 0, end)
    .split(' ')
  if (family === 'UNKNOWN') return { length }
  const isAddress = family === 'TCP4' ? isIPv4 : family === 'TCP6' ? isIPv6 : () => false
  if (!isAddress(from) || !isAddress(to) || more.length > 0)
    throw new ProxyError('a PROXY line without valid addresses')
  return {
    length,
    source: { address: canonical(from), port: portOf(fromPort) },
    destination: { address: canonical(to), port: portOf(toPort) },
  }
}

/** The canonical form of an address, so that logs and templates contain only one spelling of it. */
function canonical(address: string): string {
  return parseAddress(address).toString()
}

function portOf(text: string = ''): number {
  if (!/^(0|[1-9]\d{0,4})$/.test(text) || Number(text) > 65_535)
    throw new ProxyError('a PROXY line without valid ports')
  return Number(text)
}

const LOCAL = 0x20
const PROXY = 0x21

function parse2(bytes: Buffer): ProxyHeader | undefined {
  if (bytes.length < FIXED_2) return undefined
  const command = bytes[12]!
  if (command !== LOCAL && command !== PROXY) throw new ProxyError('an unknown PROXY version or command')
  const length = FIXED_2 + bytes.readUInt16BE(14)
  if (length > LONGEST_2) throw new ProxyError('a PROXY header that is too long')
  if (bytes.length < length) return undefined
  if (command === LOCAL) return { length }
  const body = bytes.subarray(FIXED_2, length)
  const family = bytes[13]!
  // Unspecified, or a Unix socket: no address to report.
  if (family === 0x00 || family === 0x31) return { length }
  if (family !== 0x11 && family !== 0x21) throw new ProxyError('a PROXY header for another family than TCP')
  const size = family === 0x11 ? 4 : 16
  if (body.length < 2 * size + 4) throw new ProxyError('a PROXY header without addresses')
  const addressAt = (at: number) => ipaddr.fromByteArray([...body.subarray(at, at + size)]).toString()
  return {
    length,
    source: { address: addressAt(0), port: body.readUInt16BE(2 * size) },
    destination: { address: addressAt(size), port: body.readUInt16BE(2 * size + 2) },
    ...readTlvs(body, 2 * size + 4),
  }
}

function readTlvs(body: Buffer, start: number): Pick<ProxyHeader, 'authority' | 'tls'> {
  const tlvs = splitTlvs(body, start)
  const authority = textOf(tlvs.get(TLV.authority))
  const ssl = tlvs.get(TLV.ssl)
  if (ssl === undefined) return { authority }
  if (ssl.length < 5) throw new ProxyError('a TLV of TLS that is too short')
  const client = ssl[0]!
  if ((client & SSL_CLIENT.tls) === 0) return { authority }
  const inner = splitTlvs(ssl, 5)
  const certificates = SSL_CLIENT.certificateOnConnection | SSL_CLIENT.certificateInSession
  return {
    authority,
    tls: {
      version: textOf(inner.get(TLV.sslVersion)),
      cipher: textOf(inner.get(TLV.cipher)),
      verified: (client & certificates) !== 0 && ssl.readUInt32BE(1) === 0,
      commonName: textOf(inner.get(TLV.commonName)),
    },
  }
}

/** Refuses invalid UTF-8, because with replacement characters, different certificates could get the same name. */
function textOf(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined) return undefined
  if (!isUtf8(bytes)) throw new ProxyError('a PROXY header with text that is not UTF-8')
  return bytes.toString()
}

function splitTlvs(bytes: Buffer, start: number): Map<number, Buffer> {
  const tlvs = new Map<number, Buffer>()
  if (start > bytes.length) throw new ProxyError('a PROXY header that ends early')
  let at = start
  while (at < bytes.length) {
    const valueAt = at + 3
    const end = valueAt > bytes.length ? Number.POSITIVE_INFINITY : valueAt + bytes.readUInt16BE(at + 1)
    if (end > bytes.length) throw new ProxyError('a TLV that does not fit the PROXY header')
    tlvs.set(bytes[at]!, bytes.subarray(valueAt, end))
    at = end
  }
  return tlvs
}

/** The 4 bytes of an IPv4 address, or the 16 bytes of an IPv6 address, which can represent an IPv4 address. */
function addressBytes(address: string, size: 4 | 16): number[] {
  // A connection that has just been closed has no address any more.
  const parsed = parseAddress(address === '' ? '::' : address)
  return parsed instanceof ipaddr.IPv4 && size === 16
    ? parsed.toIPv4MappedAddress().toByteArray()
    : parsed.toByteArray()
}

/** The version 2 header for a client, with the known facts about its TLS connection. */
export function proxyHeader({ address, port, localAddress, localPort, serverName, tls }: Peer): Buffer {
  const size = isIPv4(address) && isIPv4(localAddress) ? 4 : 16
  const addresses = Buffer.from([...addressBytes(address, size), ...addressBytes(localAddress, size)])
  const ports = Buffer.alloc(4)
  ports.writeUInt16BE(port, 0)
  ports.writeUInt16BE(localPort, 2)
  const parts: Buffer[] = [addresses, ports]
  parts.push(nameTlv(TLV.authority, serverName))
  if (tls !== undefined) {
    const { certificate, version, cipher } = tls
    const client =
      SSL_CLIENT.tls |
      (certificate ? SSL_CLIENT.certificateOnConnection | SSL_CLIENT.certificateInSession : 0)
    // Verify is 0 only if a certificate has been verified.
    const inner: Buffer[] = [
      Buffer.from([client, 0, 0, 0, certificate ? 0 : 1]),
      tlv(TLV.sslVersion, Buffer.from(version)),
    ]
    if (cipher) inner.push(tlv(TLV.cipher, Buffer.from(cipher)))
    inner.push(nameTlv(TLV.commonName, certificate?.commonName))
    parts.push(tlv(TLV.ssl, Buffer.concat(inner)))
  }
  const body = Buffer.concat(parts)
  const fixed = Buffer.from([
    ...SIGNATURE_2,
    PROXY,
    size === 4 ? 0x11 : 0x21,
    body.length >> 8,
    body.length & 0xff,
  ])
  return Buffer.concat([fixed, body])
}

function tlv(type: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, value.length >> 8, value.length & 0xff]), value])
}

/** Nothing if there is no name, or if it's too long. */
function nameTlv(type: number, name: string = ''): Buffer {
  const value = Buffer.from(name)
  return value.length > 0 && value.length <= LONGEST_NAME ? tlv(type, value) : Buffer.alloc(0)
}

/**
 * Reads the header of a connection and leaves the following bytes unread.
 *
 * @throws ProxyError (as the rejection) if there is no valid header within `timeout` milliseconds, LeftError if the proxy leaves before that
 */
export function readProxyHeader(socket: Socket, timeout: number): Promise<ProxyHeader> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0)
    const timer = setTimeout(() => fail(new ProxyError('no PROXY header in time')), timeout)
    const onClose = () => fail(new LeftError('the proxy closed the connection before the end of its header'))
    const onReadable = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
        try {
          const header = parseProxyHeader(bytes)
          if (header === undefined) continue
          leave()
          if (bytes.length > header.length) socket.unshift(bytes.subarray(header.length))
          resolve(header)
        } catch (error) {
          fail(error as Error)
        }
        return
      }
    }
    const leave = () => {
      clearTimeout(timer)
      socket
        .removeListener('readable', onReadable)
        .removeListener('end', onClose)
        .removeListener('close', onClose)
    }
    const fail = (error: Error) => {
      leave()
      reject(error)
    }
    socket.on('readable', onReadable).on('end', onClose).on('close', onClose)
  })
}
