import { X509Certificate } from 'node:crypto'
import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, BlockList, createServer, isIPv6, type Server, type Socket } from 'node:net'
import {
  createSecureContext,
  createServer as createTlsServer,
  type SecureContext,
  type TLSSocket,
  type Server as TlsServer,
} from 'node:tls'
import ipaddr from 'ipaddr.js'
import type { Connection } from '../connection/connection.ts'
import type { Baggable } from '../limit/bag.ts'
import { networkOf } from '../limit/limits.ts'
import type { ListenerConfig } from '../operate/config.ts'
import type { Gateway } from '../operate/gateway.ts'
import { FileError, readAuthorities, readNamedFile } from '../settings/files.ts'
import { nameOf } from '../settings/names.ts'
import { type Peer, type PeerTls, tlsOf } from './peer.ts'
import { type Endpoint, type ProxyHeader, readProxyHeader } from './proxy-protocol.ts'
import { webSocketServer } from './websocket-server.ts'
import { WebSocketStream } from './websocket-stream.ts'

/** A connection on its way through the listener. One object for all of it: there are many. */
export class Accepted implements Peer, Baggable {
  index = -1
  /** Whether its CONNECT is not complete. */
  isPending = false
  /** True if it counts towards the limits of its address. */
  isLocated = false
  /** True while it is to become a WebSocket. */
  isUpgrading = false
  readonly #gateway: Gateway
  stream: Peer['stream']
  readonly socket: Socket
  address: string
  port: number
  readonly listener: string
  serverName: string | undefined = undefined
  /** Read on demand: most connections need none of it. */
  secured: TLSSocket | undefined = undefined
  #network: string | undefined = undefined
  #tls: PeerTls | undefined = undefined
  #proxied: PeerTls | undefined = undefined
  /** From the PROXY header. */
  destination: Endpoint | undefined = undefined
  readonly acceptedAt: number = performance.now()
  /** From the first byte of MQTT on. */
  connection: Connection | undefined = undefined
  /** The key of its TLS handshake. */
  handshake = ''

  constructor(socket: Socket, address: string, listener: string, gateway: Gateway) {
    this.#gateway = gateway
    this.stream = socket
    this.socket = socket
    this.address = address
    this.port = socket.remotePort ?? 0
    this.listener = listener
  }

  complete(): void {
    this.#gateway.open.complete(this)
  }

  /** To be called at short intervals. */
  check(now: number): void {
    if (this.connection) this.connection.check(now)
    else if (now >= this.acceptedAt + this.#gateway.handshakeTimeout) this.socket.destroy()
  }

  /** What its address counts as, for the limits. Asked for only once the address is known. */
  get network(): string {
    this.#network ??= networkOf(this.address)
    return this.#network
  }

  get tls(): PeerTls | undefined {
    if (this.secured === undefined) return this.#proxied
    this.#tls ??= tlsOf(this.secured)
    return this.#tls
  }

  get localAddress(): string {
    return this.destination?.address ?? plainAddress(this.socket.localAddress)
  }

  get localPort(): number {
    return this.destination?.port ?? this.socket.localPort ?? 0
  }

  get bytesRead(): number {
    return this.socket.bytesRead
  }

  apply({ source, destination, authority, tls }: ProxyHeader): void {
    if (source === undefined || destination === undefined) return
    this.address = plainAddress(source.address)
    this.port = source.port
    this.destination = destination
    this.serverName = authority?.toLowerCase()
    this.#proxied = tls && {
      version: tls.version ?? '',
      cipher: tls.cipher,
      certificate: tls.verified ? { commonName: tls.commonName } : undefined,
    }
  }
}

/** A listening socket: TCP, then, if configured, PROXY header, TLS and WebSocket. */
export class Listener {
  readonly #gateway: Gateway
  readonly #server: Server
  #config: ListenerConfig
  name = ''
  #trusted: BlockList | undefined
  #tls: TlsServer | undefined
  #http: HttpServer | undefined
  /** The connections in a TLS handshake, by `handshakeKey`. Not a `Map`: see `Bag`. */
  readonly #inHandshake: Record<string, Accepted> = Object.create(null)
  readonly #upgrading = new WeakMap<object, Accepted>()

  /** @throws FileError if a certificate or key cannot be used */
  constructor(config: ListenerConfig, gateway: Gateway) {
    this.#gateway = gateway
    this.#config = config
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket))
    this.prepare(config)()
  }

  /** @throws Error with `code`, as the rejection */
  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ host: this.#config.host, port: this.#config.port, backlog: 4096 }, () => {
        this.#server.removeListener('error', reject)
        this.#server.on('error', (error) =>
          this.#gateway.log.warn(`A connection could not be accepted: ${error.message}`),
        )
        resolve()
      })
    })
  }

  get address(): AddressInfo {
    return this.#server.address() as AddressInfo
  }

  /** Accepts no more connections. Those that are open stay. */
  close(): void {
    this.#server.close()
  }

  /**
   * Reads what another configuration with the same host and port needs. The result applies it to later connections.
   *
   * @throws FileError if a certificate or key cannot be used
   */
  prepare(config: ListenerConfig): () => void {
    const tls = config.tls && this.#createTls(config.tls)
    const http = config.websocket && this.#createHttp(config.websocket)
    const trusted = config.proxyProtocol && blockListOf(config.proxyProtocol.trusted)
    return () => {
      this.#tls = tls
      this.#http = http
      this.#trusted = trusted
      this.#config = config
      this.name = nameOf(config)
    }
  }

  #accept(socket: Socket): void {
    socket.on('error', ignore)
    const address = plainAddress(socket.remoteAddress)
    // It has been reset already.
    if (address === '') {
      socket.destroy()
      return
    }
    const { proxyProtocol } = this.#config
    const peer = new Accepted(socket, address, this.name, this.#gateway)
    if (proxyProtocol && !this.#trusted?.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) {
      this.#gateway.refused('proxy', peer, 'not a trusted proxy')
      socket.destroy()
      return
    }
    if (!this.#gateway.accept(peer)) {
      socket.destroy()
      return
    }
    socket.on('close', () => this.#closed(peer))
    if (!proxyProtocol) this.#admit(peer)
    else this.#readProxyHeader(peer, Math.min(proxyProtocol.timeout * 1000, this.#gateway.handshakeTimeout))
  }

  async #readProxyHeader(peer: Accepted, timeout: number): Promise<void> {
    try {
      peer.apply(await readProxyHeader(peer.socket, timeout))
      if (!peer.socket.destroyed) this.#admit(peer)
    } catch (error) {
      this.#gateway.failed('proxy', peer, (error as Error).message)
      peer.socket.destroy()
    }
  }

  #admit(peer: Accepted): void {
    const { socket } = peer
    if (!this.#gateway.admit(peer)) {
      socket.destroy()
      return
    }
    if (this.#tls === undefined) {
      this.#upgrade(socket, peer)
      return
    }
    peer.handshake = handshakeKey(socket)
    this.#inHandshake[peer.handshake] = peer
    // TLS takes this from the socket. A client that leaves in the handshake would otherwise stay until the deadline.
    socket.allowHalfOpen = false
    this.#tls.emit('connection', socket)
  }

  #closed(peer: Accepted): void {
    const { stream } = peer
    // A WebSocket may be closed before the broker has taken all that came from it.
    if (stream instanceof WebSocketStream && !stream.closed) {
      stream.once('close', () => this.#gateway.open.remove(peer))
    } else {
      this.#gateway.open.remove(peer)
    }
    if (peer.isUpgrading) this.#gateway.failed('websocket', peer, 'closed before it was a WebSocket')
    if (this.#inHandshake[peer.handshake] !== peer) return
    delete this.#inHandshake[peer.handshake]
    this.#gateway.failed('tls', peer, 'closed in the TLS handshake')
  }

  /** The peer of a TLS connection whose handshake ends. `undefined` if it has been closed meanwhile. */
  #endHandshake(socket: TLSSocket): Accepted | undefined {
    const key = handshakeKey(socket)
    const peer = this.#inHandshake[key]
    delete this.#inHandshake[key]
    return peer
  }

  #secured(socket: TLSSocket): void {
    socket.on('error', ignore)
    const peer = this.#endHandshake(socket)
    if (peer === undefined || socket.destroyed) {
      socket.destroy()
      return
    }
    const { servername } = socket as { servername?: string | false }
    // Names of hosts are the same in upper and lower case. A rule must not be avoided by that.
    if (servername) peer.serverName = servername.toLowerCase()
    peer.secured = socket
    // From now on a client may end and still read. Otherwise what the broker has not taken by then would be lost.
    socket.allowHalfOpen = true
    this.#upgrade(socket, peer)
  }

  #upgrade(socket: Socket, peer: Accepted): void {
    if (this.#http === undefined) {
      this.#ready(socket, peer)
      return
    }
    this.#upgrading.set(socket, peer)
    peer.isUpgrading = true
    this.#http.emit('connection', socket)
  }

  #ready(stream: Peer['stream'], peer: Accepted): void {
    peer.stream = stream
    this.#gateway.serve(peer)
  }

  #createTls({
    certificates,
    clientCertificates,
    minimumVersion,
  }: NonNullable<ListenerConfig['tls']>): TlsServer {
    const ca = clientCertificates && readAuthorities(clientCertificates.authorities)
    const contexts = certificates.map(({ certificate, key }) => {
      const options = {
        cert: readNamedFile(certificate),
        key: readNamedFile(key),
        minVersion: minimumVersion,
        ca,
      }
      try {
        return { options, context: createSecureContext(options), names: new X509Certificate(options.cert) }
      } catch (error) {
        throw new FileError(certificate, `cannot be used with ${key}: ${(error as Error).message}`)
      }
    })
    const contextFor = (name: string): SecureContext =>
      (contexts.find(({ names }) => names.checkHost(name) !== undefined) ?? contexts[0]!).context
    const server = createTlsServer(
      {
        ...contexts[0]!.options,
        requestCert: clientCertificates !== undefined,
        rejectUnauthorized: clientCertificates?.required ?? false,
        // The deadline of the whole handshake ends it, as it is configured by then.
        handshakeTimeout: NO_TIMEOUT,
        ...(contexts.length > 1 && { SNICallback: (name, done) => done(null, contextFor(name)) }),
      },
      (socket) => this.#secured(socket),
    )
    server.on('tlsClientError', (error, socket) => {
      const peer = this.#endHandshake(socket)
      // Without a peer the connection is closed, which has been counted.
      if (peer) this.#gateway.failed('tls', peer, error.message.trim())
      socket.destroy()
    })
    return server
  }

  #createHttp({ path }: NonNullable<ListenerConfig['websocket']>): HttpServer {
    return webSocketServer(path, {
      ready: (socket, stream) => {
        const peer = this.#endUpgrade(socket)
        if (peer) this.#ready(stream, peer)
        else stream.destroy()
      },
      refused: (socket, reason) => {
        const peer = this.#endUpgrade(socket)
        if (peer) this.#gateway.failed('websocket', peer, reason)
      },
    })
  }

  /** The peer of a connection of which something becomes now. `undefined` if something has already. */
  #endUpgrade(socket: object): Accepted | undefined {
    const peer = this.#upgrading.get(socket)
    this.#upgrading.delete(socket)
    if (peer) peer.isUpgrading = false
    return peer
  }
}

/** The longest delay of a timer, in milliseconds. */
const NO_TIMEOUT = 2 ** 31 - 1

/** A socket destroys itself after an error. */
function ignore(): void {}

/** An IPv4 address that arrived on an IPv6 socket, of ours or of the proxy, is written as IPv4. */
function plainAddress(address: string = ''): string {
  return address.startsWith('::ffff:') ? ipaddr.process(address).toString() : address
}

/** With both ends: on `0.0.0.0` a client may use one port for connections to several addresses. */
function handshakeKey({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list
}
