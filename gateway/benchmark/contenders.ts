import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { userLine } from '../lib/authenticate/users.ts'
import { Authority, type Certificate } from '../test/certificates.ts'
import { Folder, freePort, Program } from '../test/support.ts'

export const transports = ['TCP', 'TLS', 'PROXY'] as const
export type Transport = (typeof transports)[number]

export const names = [
  'direct',
  'bare Node proxy',
  'gateway',
  'gateway, users and rewriting',
  'HAProxy',
] as const
export type Name = (typeof names)[number]

export const USER = { userName: 'bench', password: 'secret' }

/**
 * Node with the settings of the Dockerfile. Without them, glibc may keep returning the messages' memory to the kernel,
 * depending on what the program has allocated before. V8's major collections vary in the same way, but the gateway sets that
 * flag itself.
 */
const node = [
  'env',
  'MALLOC_TRIM_THRESHOLD_=67108864',
  process.execPath,
  '--heap-growing-percent=300',
] as const

const gatewayProgram = join(import.meta.dirname, '..', 'dist', 'main.js')

/** Starts the programs to compare, each in its own process. */
export class Contenders {
  readonly folder: Folder = new Folder()
  readonly authority: Authority = new Authority(this.folder)
  readonly #certificate: Certificate = this.authority.issue('localhost', 'DNS:localhost')

  /**
   * Returns `undefined` for impossible combinations: the bare proxy can't send a PROXY header, and mosquitto 2.0 can't read
   * one.
   */
  async start(
    name: Name,
    transport: Transport,
    broker: number,
    log: object = { connects: false },
  ): Promise<Program | undefined> {
    const port = await freePort()
    const { certificate, key } = this.#certificate
    const isTls = transport === 'TLS'
    if (name === 'direct') return undefined
    if (name === 'bare Node proxy') {
      if (transport === 'PROXY') return undefined
      const files = isTls ? [certificate, key] : []
      const script = join(import.meta.dirname, 'bare-proxy.ts')
      const loader = join(import.meta.dirname, '..', '..', 'test', 'support', 'strip-types.mjs')
      return await Program.start(port, ...node, '--import', loader, script, `${port}`, `${broker}`, ...files)
    }
    if (name === 'HAProxy') return await this.#startHaproxy(port, transport, broker)
    const config = {
      listeners: [
        {
          port,
          ...(isTls && { tls: { certificates: [{ certificate, key }] } }),
          ...(transport === 'PROXY' && { proxyProtocol: { trusted: ['127.0.0.1'] } }),
        },
      ],
      upstreams: [{ host: '127.0.0.1', port: broker }],
      log,
      // A health check would be counted as a forwarded packet.
      route: { health: { interval: null } },
      ...(name !== 'gateway' && {
        authentication: {
          users: { file: this.folder.write('users', await userLine(USER.userName, USER.password)) },
        },
        rewrite: { clientId: '{userName}-{clientId}', userName: null, password: null },
      }),
    }
    const file = this.folder.write(`gateway-${port}.json`, JSON.stringify(config))
    return await Program.start(port, ...node, gatewayProgram, '--config', file)
  }

  async #startHaproxy(port: number, transport: Transport, broker: number): Promise<Program> {
    const { certificate, key } = this.#certificate
    const pem = this.folder.write(
      'haproxy.pem',
      readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'),
    )
    const bind = { TCP: '', TLS: `ssl crt ${pem}`, PROXY: 'accept-proxy' }[transport]
    const text = `global
  nbthread 1
  maxconn 8000
defaults
  mode tcp
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend in
  bind 127.0.0.1:${port} ${bind}
  tcp-request inspect-delay 2s
  tcp-request content reject unless { req.payload(0,0),mqtt_is_valid }
  default_backend brokers
backend brokers
  stick-table type string len 64 size 100k expire 30m
  stick on req.payload(0,0),mqtt_field_value(connect,client_identifier)
  server broker 127.0.0.1:${broker}
`
    return await Program.start(port, 'haproxy', '-f', this.folder.write(`haproxy-${port}.cfg`, text), '-db')
  }
}
