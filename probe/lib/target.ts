import { lookup } from 'node:dns/promises'
import { BlockList, connect as connectTcp, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls, type SecureContextOptions } from 'node:tls'
import { createWebSocketStream, WebSocket } from 'ws'

/** The program was called in a way that cannot work. */
export class UsageError extends Error {}

/** There is no connection to the target. */
export class Unreachable extends Error {}

/** The server to test. */
export interface Target {
  readonly url: URL
  readonly port: number
  /** The address that was checked. All connections go there. */
  readonly address: string
  readonly tls: SecureContextOptions
}

const ports: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883, 'ws:': 80, 'wss:': 443 }

/** Loopback, private, link-local and shared addresses. */
const ownNetworks = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  ownNetworks.addSubnet(network, prefix, 'ipv4')
}
ownNetworks.addSubnet('fc00::', 7, 'ipv6')
ownNetworks.addSubnet('fe80::', 10, 'ipv6')
ownNetworks.addAddress('::1', 'ipv6')

/**
 * Reads the address of a server and looks it up.
 *
 * @param isOwn whether the caller says that the server is their own, wherever it is
 * @throws UsageError if the address can't be read, or is public and not the caller's own
 * @throws Unreachable if the name doesn't exist
 */
export async function targetOf(text: string, isOwn: boolean, tls: SecureContextOptions): Promise<Target> {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || ports[url.protocol] === undefined || url.hostname === '') {
    throw new UsageError(`The target must be mqtt://, mqtts://, ws:// or wss:// with a host, not ${text}`)
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const found = await lookup(host, { all: true }).catch(() => {
    throw new Unreachable(`The host ${host} is not known`)
  })
  const foreign = found.find(
    ({ address, family }) => !ownNetworks.check(address, family === 6 ? 'ipv6' : 'ipv4'),
  )
  if (foreign !== undefined && !isOwn) {
    throw new UsageError(
      `${foreign.address} is a public address. Test only servers that you operate, and then say so with --yes-i-operate-this-server.`,
    )
  }
  const address = (found.find(({ family }) => family === 4) ?? found[0]!).address
  return { url, port: Number(url.port) || ports[url.protocol]!, address, tls }
}

/**
 * Opens a connection.
 *
 * @param timeout in milliseconds
 * @throws Unreachable
 */
export async function openStream(target: Target, timeout: number): Promise<Duplex> {
  const { url, port, address, tls } = target
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const servername = isIP(host) ? {} : { servername: host }
  if (url.protocol.startsWith('ws')) {
    const ws = new WebSocket(url, 'mqtt', {
      ...tls,
      ...servername,
      handshakeTimeout: timeout,
      perMessageDeflate: false,
      lookup: (_host, _options, done) =>
        done(null, [{ address, family: isIP(address) }] as never, isIP(address)),
    })
    const stream = createWebSocketStream(ws)
    // It repeats the errors of the WebSocket, which are handled there, also before anyone else listens.
    stream.on('error', () => undefined)
    await opened(ws, 'open', timeout, () => ws.terminate())
    // A destroyed stream would send a close frame and wait. The server shall see a connection that breaks.
    stream.once('close', () => ws.terminate())
    return stream
  }
  const isTls = url.protocol === 'mqtts:'
  const socket = isTls
    ? connectTls({ host: address, port, ...servername, ...tls })
    : connectTcp({ host: address, port, noDelay: true })
  await opened(socket, isTls ? 'secureConnect' : 'connect', timeout, () => socket.destroy())
  if (isTls) socket.setNoDelay(true)
  return socket
}

interface Opening {
  once(event: string, listener: (error: Error) => void): unknown
  on(event: string, listener: () => void): unknown
  off(event: string, listener: (error: Error) => void): unknown
}

function opened(opening: Opening, event: string, timeout: number, abandon: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      clearTimeout(timer)
      abandon()
      reject(new Unreachable(error.message || (error as NodeJS.ErrnoException).code || 'no connection'))
    }
    const timer = setTimeout(() => fail(new Error(`no connection within ${timeout} ms`)), timeout)
    opening.once('error', fail)
    opening.once(event, () => {
      clearTimeout(timer)
      opening.off('error', fail)
      opening.on('error', () => undefined)
      resolve()
    })
  })
}
