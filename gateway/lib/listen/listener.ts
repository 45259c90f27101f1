import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { TLSSocket, Server as TlsServer } from 'node:tls'
import { isDeepStrictEqual } from 'node:util'
import { LeftError } from '../settings/causes.ts'
import { nameOf } from '../settings/names.ts'
import { Accepted, type Acceptor, type Reception, serverNameOf } from './accepted.ts'
import { Networks, plainAddress } from './addresses.ts'
import type { ListenerConfig } from './options.ts'
import type { Peer } from './peer.ts'
import { readProxyHeader } from './proxy-protocol.ts'
import { limitReadAhead, limitRecordsAhead } from './read-ahead.ts'
import { RequestHead } from './request-head.ts'
import { tlsServer } from './tls-server.ts'
import { webSocketServer } from './websocket-server.ts'
import { WebSocketStream } from './websocket-stream.ts'

/** A listening socket. Handles TCP and, if configured, the PROXY header, TLS and WebSocket, in this order. */
export class Listener implements Acceptor {
  readonly #reception: Reception
  readonly #server: Server
  #config: ListenerConfig
  name = ''
  #isRemoved = false
  #trusted: Networks | undefined
  #allowed: Networks | undefined
  #denied: Networks | undefined
  /** The number of open connections. */
  #open = 0
  #tls: TlsServer | undefined
  #http: HttpServer | undefined
  /** The connections in a TLS handshake, by `handshakeKey`. Not a `Map`: see `Bag`. */
  readonly #inHandshake: Record<string, Accepted> = Object.create(null)
  readonly #upgrading = new WeakMap<object, Accepted>()

  /** @throws FileError if a certificate or key cannot be used */
  constructor(config: ListenerConfig, reception: Reception) {
    this.#reception = reception
    this.#config = config
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket))
    this.prepare(config)()
  }

  /**
   * @param fd an open socket's file descriptor, to use instead of the host and the port
   * @throws Error with `code`, as the rejection
   */
  listen(fd?: number): Promise<void> {
    const { host, port } = this.#config
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ ...(fd === undefined ? { host, port } : { fd }), backlog: 4096 }, () => {
        this.#server.removeListener('error', reject)
        this.#server.on('error', (error) =>
          this.#reception.warn(`A connection could not be accepted: ${error.message}`),
        )
        resolve()
      })
    })
  }

  get address(): AddressInfo {
    return this.#server.address() as AddressInfo
  }

  /** Accepts no more connections. Open connections stay open. */
  close(): void {
    this.#server.close()
  }

  /** Closes a listener that a reload removes. */
  remove(): void {
    this.close()
    this.#isRemoved = true
  }

  get config(): ListenerConfig {
    return this.#config
  }

  isCurrent({ config }: Accepted): boolean {
    return !this.#isRemoved && config === this.#config
  }

  /**
   * Reads the files of a new configuration with the same host and port. Call the result to apply it to later connections.
   *
   * @throws FileError if a certificate or key cannot be used
   */
  prepare(config: ListenerConfig): () => void {
    const tls = config.tls && this.#createTls(config.tls)
    const http = config.websocket && this.#createHttp(config.websocket)
    const trusted = config.proxyProtocol && new Networks(config.proxyProtocol.trusted)
    const allowed = config.allow && new Networks(config.allow)
    const denied = config.deny.length > 0 ? new Networks(config.deny) : undefined
    return () => {
      this.#tls = tls
      this.#http = http
      this.#trusted = trusted
      this.#allowed = allowed
      this.#denied = denied
      // The same object, so that connections in their handshake stay current if nothing has changed. Authorities and revocation lists may have
      // changed in their files.
      if (config.tls?.clientCertificates || !isDeepStrictEqual(config, this.#config)) this.#config = config
      this.name = nameOf(config)
    }
  }

  #accept(socket: Socket): void {
    socket.on('error', ignore)
    limitReadAhead(socket)
    const address = plainAddress(socket.remoteAddress)
    // The connection has been reset already.
    if (address === '') {
      socket.destroy()
      return
    }
    const { proxyProtocol, connections } = this.#config
    const peer = new Accepted(socket, address, this, this.#reception)
    if (proxyProtocol && !this.#trusted?.includes(address)) {
      this.#reception.limited('untrusted-proxy', peer)
      socket.destroy()
      return
    }
    if (!proxyProtocol && !this.#isWelcome(peer)) return
    if (!this.#reception.accept(peer, { open: this.#open, connections })) {
      socket.destroy()
      return
    }
    this.#open++
    socket.on('close', () => this.#closed(peer))
    if (!proxyProtocol) this.#begin(peer)
    else this.#readProxyHeader(peer, Math.min(proxyProtocol.timeout * 1000, this.#reception.handshakeTimeout))
  }

  /** Returns false and closes the connection if the lists keep out its address. No limit counts such connections. */
  #isWelcome(peer: Accepted): boolean {
    const { address, socket } = peer
    if (!this.#denied?.includes(address) && (this.#allowed?.includes(address) ?? true)) return true
    this.#reception.limited('address-denied', peer)
    socket.destroy()
    return false
  }

  async #readProxyHeader(peer: Accepted, timeout: number): Promise<void> {
    try {
      peer.apply(await readProxyHeader(peer.socket, timeout))
      if (peer.socket.destroyed || !this.#isWelcome(peer)) return
      if (this.#reception.admit(peer)) this.#begin(peer)
      else peer.socket.destroy()
    } catch (error) {
      this.#reception.failed('proxy', peer, error as Error)
      peer.socket.destroy()
    }
  }

  #begin(peer: Accepted): void {
    const { socket } = peer
    if (this.#tls === undefined) {
      this.#upgrade(socket, peer)
      return
    }
    peer.handshake = handshakeKey(socket)
    this.#inHandshake[peer.handshake] = peer
    // TLS inherits this from the socket. Otherwise, a client that leaves in the handshake would stay until the deadline.
    socket.allowHalfOpen = false
    this.#tls.emit('connection', socket)
  }

  #closed(peer: Accepted): void {
    const { stream } = peer
    // A WebSocket may be closed before the broker has received everything that came from it.
    if (stream instanceof WebSocketStream && !stream.closed) {
      stream.once('close', () => this.#leave(peer))
    } else {
      this.#leave(peer)
    }
    if (peer.isUpgrading) this.#reception.failed('websocket', peer, cutShort(peer, 'WebSocket'))
    if (this.#inHandshake[peer.handshake] !== peer) return
    delete this.#inHandshake[peer.handshake]
    this.#reception.failed('tls', peer, cutShort(peer, 'TLS'))
  }

  #leave(peer: Accepted): void {
    this.#open--
    this.#reception.leave(peer)
  }

  /** Removes and returns the peer of a TLS connection at the end of its handshake. `undefined` if it has been closed meanwhile. */
  #endHandshake(socket: TLSSocket): Accepted | undefined {
    const key = handshakeKey(socket)
    const peer = this.#inHandshake[key]
    delete this.#inHandshake[key]
    return peer
  }

  #secured(socket: TLSSocket): void {
    socket.on('error', ignore)
    limitRecordsAhead(socket)
    const peer = this.#endHandshake(socket)
    if (peer === undefined || socket.destroyed) {
      socket.destroy()
      return
    }
    const { servername } = socket as { servername?: string | false }
    peer.serverName = serverNameOf(servername) ?? peer.serverName
    peer.secured = socket
    // From now on a client may end its side and still read. Otherwise, bytes that the broker hasn't received by then would be lost.
    socket.allowHalfOpen = true
    this.#upgrade(socket, peer)
  }

  #upgrade(socket: Socket, peer: Accepted): void {
    if (this.#http === undefined) {
      this.#ready(socket, peer)
      return
    }
    const head = new RequestHead(socket)
    this.#upgrading.set(head, peer)
    peer.isUpgrading = true
    this.#http.emit('connection', head)
  }

  #ready(stream: Peer['stream'], peer: Accepted): void {
    peer.stream = stream
    this.#reception.serve(peer)
  }

  #createTls(config: NonNullable<ListenerConfig['tls']>): TlsServer {
    return tlsServer(config, {
      ready: (socket) => this.#secured(socket),
      failed: (socket, error) => {
        const peer = this.#endHandshake(socket)
        // Without a peer, the connection has been closed and counted already.
        if (peer) this.#reception.failed('tls', peer, error)
        socket.on('error', ignore).destroy()
      },
    })
  }

  #createHttp(config: NonNullable<ListenerConfig['websocket']>): HttpServer {
    return webSocketServer(config, {
      ready: (socket, stream) => {
        const peer = this.#endUpgrade(socket)
        if (peer) this.#ready(stream, peer)
        else stream.destroy()
      },
      refused: (socket, error) => {
        const peer = this.#endUpgrade(socket)
        if (peer) this.#reception.failed('websocket', peer, error)
      },
    })
  }

  /** Removes and returns the peer of a connection at the end of its upgrade. `undefined` if that has happened already. */
  #endUpgrade(socket: object): Accepted | undefined {
    const peer = this.#upgrading.get(socket)
    this.#upgrading.delete(socket)
    if (peer) peer.isUpgrading = false
    return peer
  }
}

/** The error for a handshake that ends in the middle. */
function cutShort({ isLate }: Accepted, handshake: string): Error {
  if (isLate) return new Error(`the client didn't complete the ${handshake} handshake in time`)
  return new LeftError(`the client closed the connection in the ${handshake} handshake`)
}

/** A socket destroys itself after an error. */
function ignore(): void {}

/** Contains both ends, because on `0.0.0.0` a client may use one port for connections to several addresses. */
function handshakeKey({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`
}
