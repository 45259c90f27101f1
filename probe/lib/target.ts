import { lookup } from 'node:dns/promises'
import { BlockList, connect as connectTcp, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  connect as connectTls,
  createSecureContext,
  type SecureContext,
  type SecureContextOptions,
} from 'node:tls'
import { v5 } from 'mqtt-connect-packet'
import { createWebSocketStream, WebSocket } from 'ws'
import { suggestion, Unreachable, UsageError } from './errors.ts'

/** The server to test. */
export interface Target {
  readonly url: URL
  readonly port: number
  /** The address that was checked. All connections go there. */
  readonly address: string
  /** Created once, because reading the certificates takes as long as a handshake. Absent without TLS. */
  readonly secureContext?: SecureContext
}

/** The bytes that a server may send on one connection. A run needs a few thousand at most. */
export const MOST_BYTES = 2 ** 17

const ports: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883, 'ws:': 80, 'wss:': 443 }

/**
 * Loopback, private (RFC 1918, and fc00::/7) and link-local addresses. 100.64.0.0/10 isn't included, because the neighbours in that
 * range are other customers of the same provider.
 */
const ownNetworks = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  ownNetworks.addSubnet(network, prefix, 'ipv4')
}
ownNetworks.addSubnet('fc00::', 7, 'ipv6')
ownNetworks.addSubnet('fe80::', 10, 'ipv6')
ownNetworks.addAddress('::1', 'ipv6')

/** A URL without its credentials, and those credentials. */
export interface Address extends Credentials {
  /** The URL without user name and password, so that nothing prints them, and ws doesn't send them as HTTP credentials. */
  readonly url: URL
}

export interface Credentials {
  readonly userName?: string | undefined
  readonly password?: string | undefined
}

/** @throws UsageError */
export function addressOf(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || ports[url.protocol] === undefined || url.hostname === '') {
    const schemes = Object.keys(ports).map((one) => one.slice(0, -1))
    const [, scheme] = /^(\w+):\/\//.exec(text) ?? []
    const hint = scheme === undefined || schemes.includes(scheme) ? '' : suggestion(scheme, schemes)
    throw new UsageError(
      `The target must be mqtt://, mqtts://, ws:// or wss:// with a host, not ${withoutUserInfo(text)}.${hint}`,
    )
  }
  if (url.port === '0') throw new UsageError('The port of the target must not be 0')
  const { username, password } = url
  url.username = url.password = ''
  if (username === '' && password === '') return { url }
  if (username === '') {
    throw new UsageError('The URL has a password but no user name, which 3.1.1 does not allow')
  }
  try {
    const userName = decodeURIComponent(username)
    return { url, userName, ...(password !== '' && { password: decodeURIComponent(password) }) }
  } catch {
    throw new UsageError('A % in the user name or the password of the URL encodes nothing. Write it as %25')
  }
}

/** A URL, valid or not, without its credentials, so that it can be printed. */
export function withoutUserInfo(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isClean = url !== undefined && url.host !== '' && `${url.username}${url.password}` === ''
  return isClean ? text : text.replace(/^([a-z]+:\/\/)?.*@/is, '$1…@')
}

/** The credentials of a run. Options replace those of the URL: both of them if there is a user name among the options. */
export function credentialsOf(address: Address, options: Credentials): Credentials {
  if (options.userName !== undefined) return options
  const { userName } = address
  const password = options.password ?? address.password
  return userName === undefined ? {} : { userName, password }
}

/** @throws UsageError if no CONNECT can hold the credentials */
export function checkCredentials({ userName, password }: Credentials): void {
  try {
    new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: '', userName, password })
  } catch (error) {
    throw new UsageError(`No CONNECT can hold the credentials: ${(error as Error).message}`)
  }
}

/**
 * Looks up a server.
 *
 * @param isOwn true if the caller says that they operate the server, wherever it is
 * @throws UsageError if the address is public and not the caller's own, or a certificate or a key can't be read
 * @throws Unreachable if the name doesn't exist
 */
export async function targetOf(url: URL, isOwn: boolean, tls: SecureContextOptions): Promise<Target> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const found = await lookup(host, { all: true }).catch(() => {
    throw new Unreachable(`The host ${host} is not known`)
  })
  const foreign = found.find(
    ({ address, family }) => !ownNetworks.check(address, family === 6 ? 'ipv6' : 'ipv4'),
  )
  if (foreign !== undefined && !isOwn) {
    throw new UsageError(
      `${foreign.address} is neither a loopback nor a private address. Test only servers that you operate, and then say so with --yes-i-operate-this-server.`,
      'ERR_PUBLIC_ADDRESS',
    )
  }
  const address = (found.find(({ family }) => family === 4) ?? found[0]!).address
  const isSecure = url.protocol === 'mqtts:' || url.protocol === 'wss:'
  return {
    ...{ url, port: Number(url.port) || ports[url.protocol]!, address },
    ...(isSecure && { secureContext: secureContextOf(tls) }),
  }
}

function secureContextOf(tls: SecureContextOptions): SecureContext {
  try {
    return createSecureContext(tls)
  } catch (error) {
    throw new UsageError(`A certificate or a key is invalid: ${(error as Error).message}`)
  }
}

/**
 * Opens a connection.
 *
 * @param timeout in milliseconds
 * @throws Unreachable
 */
export async function openStream(target: Target, timeout: number): Promise<Duplex> {
  const { url, port, address, secureContext } = target
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const tls = { ...(isIP(host) === 0 && { servername: host }), ...(secureContext && { secureContext }) }
  if (url.protocol.startsWith('ws')) {
    const ws = new WebSocket(url, 'mqtt', {
      ...tls,
      perMessageDeflate: false,
      // ws holds a message back until it's complete.
      maxPayload: MOST_BYTES,
      lookup: (_host, _options, done) =>
        done(null, [{ address, family: isIP(address) }] as never, isIP(address)),
    })
    const stream = createWebSocketStream(ws)
    // The stream repeats the WebSocket's errors, which are handled there, even before anyone else listens.
    stream.on('error', () => undefined)
    await opened(ws, 'open', timeout, () => ws.terminate())
    // Otherwise, a destroyed stream would send a close frame and wait, but the server should see a connection that breaks.
    stream.once('close', () => ws.terminate())
    return stream
  }
  const isTls = url.protocol === 'mqtts:'
  const socket = isTls
    ? connectTls({ host: address, port, ...tls })
    : connectTcp({ host: address, port, noDelay: true })
  await opened(socket, isTls ? 'secureConnect' : 'connect', timeout, () => socket.destroy())
  if (isTls) socket.setNoDelay(true)
  return socket
}

interface Opening {
  off(event: string, listener: (error: Error) => void): unknown
  once(event: string, listener: (error: Error) => void): unknown
  on(event: string, listener: () => void): unknown
}

function opened(opening: Opening, event: string, timeout: number, abandon: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOpen = false
    const fail = (error: Error, isTimeout = false): void => {
      clearTimeout(timer)
      abandon()
      const text = error.message || (error as NodeJS.ErrnoException).code || 'no connection'
      reject(new Unreachable(text, isTimeout))
    }
    const giveUp = (): void => {
      if (!isOpen) fail(new Error(`no connection within ${timeout} ms`), true)
    }
    // On a loaded machine, the connection may already exist, because Node runs timers before it reads sockets.
    const timer = setTimeout(() => setImmediate(giveUp), timeout)
    const onError = (error: Error): void => fail(error)
    opening.once('error', onError)
    opening.once(event, () => {
      isOpen = true
      clearTimeout(timer)
      opening.off('error', onError)
      opening.on('error', () => undefined)
      resolve()
    })
  })
}
