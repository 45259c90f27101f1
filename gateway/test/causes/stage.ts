import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import {
  type ConnectionOptions,
  connect as connectTls,
  createServer as createTlsServer,
  type TlsOptions,
} from 'node:tls'
import { v5 } from 'mqtt-connect-packet'
import { Gateway } from '../../lib/operate/gateway.ts'
import { createLog, type Log } from '../../lib/operate/log.ts'
import { Authority, type Certificate } from '../certificates.ts'
import { configOf, FakeBroker, Folder, until, upstreamOf } from '../support.ts'

/** A way to fail, and the log line that it causes. */
export interface Case {
  /** The line after the time and the address. `PORT` stands for local ports, and `N` for numbers. */
  readonly line: string
  /** Resolves once the gateway has registered the failure. */
  act(stage: Stage): Promise<unknown>
}

export type Cases = Readonly<Record<string, Case>>

const connect5 = { cleanStart: true, keepAlive: 60, clientId: 'c' }

/** A CONNECT of MQTT 5.0. */
export function connectBytes(fields: object = {}): Buffer {
  return new v5.ConnectPacket({ ...connect5, ...fields }).bytes
}

/** The setting of the failures: a gateway, its log in both formats, brokers, services and certificates. */
export class Stage {
  readonly folder = new Folder()
  /** A broker that accepts every client. */
  broker!: FakeBroker
  gateway: Gateway | undefined
  /** The log so far. */
  text = ''
  json = ''
  /** Offset of the current case's first line. */
  #start = 0
  readonly #closing: { close(): void }[] = []
  #authority: Authority | undefined
  #own: Certificate | undefined
  #device: Certificate | undefined

  get authority(): Authority {
    this.#authority ??= new Authority(this.folder)
    return this.#authority
  }

  /** The server certificate for localhost. */
  get own(): Certificate {
    this.#own ??= this.authority.issue('localhost', 'DNS:localhost')
    return this.#own
  }

  /** A client's certificate. */
  get device(): Certificate {
    this.#device ??= this.authority.issue('device-7')
    return this.#device
  }

  async open(): Promise<void> {
    this.broker = await FakeBroker.answering()
  }

  /** Closes everything that the case has opened. */
  clear(): void {
    this.gateway?.close()
    for (const one of this.#closing.splice(0)) one.close()
  }

  remove(): void {
    this.clear()
    this.broker.close()
    this.folder.remove()
  }

  async start(config: object = {}): Promise<number> {
    this.gateway?.close()
    this.#start = this.text.length
    const options = { connects: true, sessions: true, timestamps: true }
    const text = createLog({ ...options, format: 'text' }, {
      write: (line: string) => (this.text += line),
    } as never)
    const json = createLog({ ...options, format: 'json' }, {
      write: (line: string) => (this.json += line),
    } as never)
    const both = Object.fromEntries(
      (Object.keys(text) as (keyof Log)[]).map((name) => [
        name,
        (...args: never[]) => {
          for (const log of [text, json]) (log[name] as (...args: never[]) => void)(...args)
        },
      ]),
    ) as unknown as Log
    this.gateway = new Gateway(configOf({ upstreams: [upstreamOf(this.broker)], ...config }), both)
    await this.gateway.start()
    return this.gateway.listeners[0]!.address.port
  }

  /** Registers a server to be closed after the current case. */
  during<T extends { close(): void }>(one: T): T {
    this.#closing.push(one)
    return one
  }

  /** A folder that is removed after the current case. */
  another(): Folder {
    const folder = new Folder()
    this.during({ close: () => folder.remove() })
    return folder
  }

  /** Connects with openssl, which trusts the system's authorities. */
  async openssl(port: number, ...options: readonly string[]): Promise<void> {
    const client = spawn('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, ...options], {
      stdio: 'ignore',
    })
    await once(client, 'close')
  }

  /** Skips the lines so far, one of which must match the pattern. */
  skip(pattern: RegExp): void {
    if (!pattern.test(this.text.slice(this.#start))) throw new Error(`not there: ${pattern}`)
    this.#start = this.text.length
  }

  /** Opens a connection, and sends these bytes. */
  async connect(port: number, bytes: Uint8Array | string = '', from = '127.0.0.1'): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => {})
    this.during({ close: () => socket.destroy() })
    socket.resume().write(bytes)
    await once(socket, 'connect')
    return socket
  }

  /** Sends bytes, and resolves when the connection has closed. */
  async send(port: number, bytes: Uint8Array | string, from?: string): Promise<void> {
    const socket = await this.connect(port, bytes, from)
    if (!socket.closed) await once(socket, 'close')
  }

  /** Sends bytes over TLS, and resolves when the connection has closed. */
  async sendTls(
    port: number,
    options: ConnectionOptions = {},
    bytes: Uint8Array = connectBytes(),
  ): Promise<void> {
    const trust = { ca: this.authority.pem, servername: 'localhost' }
    const socket = connectTls({ port, host: '127.0.0.1', ...trust, ...options }).on('error', () => {})
    this.during({ close: () => socket.destroy() })
    socket.resume().write(bytes)
    await new Promise((resolve) => socket.once('close', resolve))
  }

  /** Starts an HTTP service, and returns its URL. */
  async service(answer: RequestListener): Promise<string> {
    const server: Server = createServer(answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    this.during({
      close: () => {
        server.close()
        server.closeAllConnections()
      },
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/path?token=sesame`
  }

  /** Starts a server that calls a function when bytes arrive. */
  async server(onData: (socket: Socket) => void): Promise<FakeBroker> {
    return this.during(await FakeBroker.start((socket) => socket.on('data', () => onData(socket))))
  }

  /** The same with TLS, by default with the certificate for localhost. */
  async tlsServer(
    onData: (socket: Socket) => void = () => {},
    { certPem, keyPem }: Certificate = this.own,
    more: TlsOptions = {},
  ): Promise<{ readonly port: number }> {
    const server = createTlsServer({ cert: certPem, key: keyPem, ...more }, (socket) =>
      socket.on('error', () => {}).on('data', () => onData(socket)),
    )
    server.on('tlsClientError', () => {}).listen(0, '127.0.0.1')
    await once(server, 'listening')
    this.during(server)
    return { port: (server.address() as AddressInfo).port }
  }

  /** Waits for the log line of the current case, and returns it without time and address. */
  async line(): Promise<string> {
    const pattern =
      /^\S+Z \S+ ((?:refused|not served|left|session ended): .*|\d+ connections? (?:refused|not served) .*)$/m
    const found = () => pattern.exec(this.text.slice(this.#start))?.[1]
    await until(() => found() !== undefined)
    return (
      found()!
        .replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT')
        .replace(/ in \d+ s: /, ' in N s: ')
        .replace(/(seconds|bytesFromClient|bytesToClient)=[\d.]+/g, '$1=N')
        // Without a network, there's no name server.
        .replace(/(has a host name that) .*/, '$1 HOST')
    )
  }
}
