import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { probeSilent } from '../settings/tcp-keep-alive.ts'
import { networkOf, plainAddress } from './addresses.ts'
import type { ListenerConfig } from './options.ts'
import { type Peer, type PeerTls, tlsOf } from './peer.ts'
import type { Endpoint, ProxyHeader } from './proxy-protocol.ts'

/** The part of a connection before MQTT. */
export type Handshake = 'proxy' | 'tls' | 'websocket'

/** The connections of one listener. */
export interface Occupancy {
  readonly open: number
  /** The maximum number of connections, in all processes together. */
  readonly connections: number | null
}

/** A listener as the later stages see it. */
export interface Acceptor {
  readonly name: string
  readonly config: ListenerConfig
  /** False if a reload has removed or changed the listener since it accepted the connection. */
  isCurrent(peer: Accepted): boolean
}

/** Decides about the connections of the listeners, and takes over those that are ready. */
export interface Reception {
  /** Milliseconds from the connection to the complete CONNECT. */
  readonly handshakeTimeout: number
  /** Counts a connection, and its address unless a PROXY header is still to come. Returns false if a limit is exceeded. */
  accept(peer: Accepted, of: Occupancy): boolean
  /** Counts the address from a PROXY header. Returns false if a limit is exceeded. */
  admit(peer: Accepted): boolean
  /** A connection is closed because of a limit, or because of its address. */
  limited(limit: 'address-denied' | 'untrusted-proxy', peer: Peer): void
  /** MQTT can now be read from a connection. */
  serve(peer: Accepted): void
  /** The CONNECT of a connection is complete. */
  complete(peer: Accepted): void
  /** The client of a connection has a session. */
  join(peer: Accepted): void
  /** A connection is closed. */
  leave(peer: Accepted): void
  /** A connection ended before a byte of MQTT. If it has sent nothing at all, it's a probe. */
  failed(handshake: Handshake, peer: Accepted, error: Error): void
  warn(message: string): void
}

/** The MQTT part of a connection. */
export interface Served {
  /** True if all bytes pass unchanged. */
  readonly isForwarded: boolean
  /** The name of the connection's upstream, from the CONNACK on. */
  readonly upstream: string | undefined
  /** To be called at short intervals. */
  check(now: number): void
  /** Reads a CONNECT that isn't complete by a new configuration. Call this after a reload. */
  reconfigure(): void
  /** True if the session is about to begin, or is ending at the next packet boundaries. */
  readonly isUnsettled: boolean
  /**
   * Call this before the gateway destroys the sockets.
   *
   * @param limit the reason, if it isn't that the gateway stops
   */
  stop(limit?: 'address-share'): void
  /** Ends a connection that has been forwarded. */
  end(ending: 'drained' | 'moved'): void
}

/** A connection that has sent nothing for this time, in milliseconds, is taken for a probe. */
const FIRST_BYTE_TIME = 1000

interface Neighbours {
  older: Accepted | undefined
  newer: Accepted | undefined
}

/** A connection, from the listener to its end. There are many, so a single object holds everything. */
export class Accepted implements Peer {
  /** The index among the open connections; -1 for none. */
  index = -1
  /** True until the CONNECT is complete. */
  isPending = false
  /** True if the connection counts towards the limits of its address. */
  isLocated = false
  isProxy = false
  /** True if the handshake has taken too long. */
  isLate = false
  /** True during the WebSocket handshake. */
  isUpgrading = false
  /** True if the gateway has ended the connection, which is no failure of the client. */
  isStopped = false
  /** The place among the connections of its network whose CONNECT isn't complete. */
  readonly pendingPlace: Neighbours = { older: undefined, newer: undefined }
  /** The place among the connections of its network that have no session yet. */
  readonly waitingPlace: Neighbours = { older: undefined, newer: undefined }
  readonly #reception: Reception
  stream: Peer['stream']
  readonly socket: Socket
  address: string
  port: number
  readonly acceptor: Acceptor
  /** The name and the configuration of the listener at the time of acceptance. */
  readonly listener: string
  readonly config: ListenerConfig
  serverName: string | undefined = undefined
  /** The TLS socket. Its properties are read on demand, because most connections need none of them. */
  secured: TLSSocket | undefined = undefined
  #network: string | undefined = undefined
  #tls: PeerTls | undefined = undefined
  #proxied: PeerTls | undefined = undefined
  /** The address that the client connected to, from the PROXY header. */
  destination: Endpoint | undefined = undefined
  readonly acceptedAt: number = performance.now()
  /** Present from the moment when MQTT can be read. */
  connection: Served | undefined = undefined
  /** The key of the TLS handshake. */
  handshake = ''

  constructor(socket: Socket, address: string, acceptor: Acceptor, reception: Reception) {
    this.#reception = reception
    this.acceptor = acceptor
    this.listener = acceptor.name
    this.config = acceptor.config
    this.stream = socket
    this.socket = socket
    this.address = address
    this.port = socket.remotePort ?? 0
  }

  complete(): void {
    this.#reception.complete(this)
  }

  join(): void {
    this.#reception.join(this)
  }

  probeIfSilent(): void {
    probeSilent(this.socket, this.config.tcpKeepAlive)
  }

  /** True if a drain must wait because the client is sending its CONNECT, or its session is beginning or ending. */
  isUnsettled(now: number): boolean {
    if (!this.isPending) return this.connection?.isUnsettled ?? false
    return this.bytesRead > 0 || now - this.acceptedAt < FIRST_BYTE_TIME
  }

  /** To be called at short intervals. */
  check(now: number): void {
    if (this.connection) this.connection.check(now)
    else if (now >= this.acceptedAt + this.#reception.handshakeTimeout) {
      this.isLate = true
      this.socket.destroy()
    }
  }

  /**
   * Ends the connection at once. One that isn't served yet leaves no line.
   *
   * @param limit the reason, if it isn't that the gateway stops
   */
  stop(limit?: 'address-share'): void {
    this.isStopped = true
    this.connection?.stop(limit)
    // For a WebSocket, destroy both. Nobody reads its stream, so the stream wouldn't close with the socket, and would count towards limits for ever.
    // The stream comes first, because Node 20 crashes if OpenSSL is at work when a TLS connection loses its socket.
    this.stream.destroy()
    this.socket.destroy()
  }

  /** The network by which limits count the address. Read it only once the address is known. */
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

  get bytesWritten(): number {
    return this.socket.bytesWritten
  }

  apply({ source, destination, authority, tls }: ProxyHeader): void {
    if (source === undefined || destination === undefined) {
      this.isProxy = true
      return
    }
    this.address = plainAddress(source.address)
    this.port = source.port
    this.destination = destination
    this.serverName = serverNameOf(authority)
    this.#proxied = tls && {
      version: tls.version ?? '',
      cipher: tls.cipher,
      certificate: tls.verified ? { commonName: tls.commonName } : undefined,
    }
  }
}

/**
 * A server name in lower case, because upper case must not be a way around a rule. Names that aren't ASCII count as none: in TLS, host names are ASCII
 * (RFC 6066, section 3). Node takes other bytes for Latin-1, so brokers would get a different name, and rules ignore the case, so `\u017F` would be an s.
 */
export function serverNameOf(name: string | false | undefined): string | undefined {
  return name && /^[!-~]+$/.test(name) ? name.toLowerCase() : undefined
}
