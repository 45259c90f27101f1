import { join } from 'node:path'
import { type Folder, freePort, Program, sleep, startMosquitto } from '../test/support.ts'
import { Client, type Kind } from './client.ts'

const gatewayProgram = join(import.meta.dirname, '..', 'dist', 'main.js')
const mosquittoOptions = 'max_connections -1\nmax_queued_messages 0\nmax_inflight_messages 0\n'

/** Half of the clients have a persistent session; half speak MQTT 5.0. */
const kinds: readonly Kind[] = [
  { version: 4, isPersistent: false },
  { version: 5, isPersistent: false },
  { version: 4, isPersistent: true },
  { version: 5, isPersistent: true },
]

/**
 * Independent gateways behind HAProxy and in front of several mosquittos. Each mosquitto retains a message with its own name.
 */
export class Cluster {
  readonly names: readonly string[]
  readonly brokerPorts: readonly number[]
  readonly brokers: Program[] = []
  readonly gatewayPorts: readonly number[]
  readonly gateways: Program[] = []
  /** HAProxy's port. */
  readonly port: number
  readonly #folder: Folder
  readonly #adminPorts: readonly number[]
  readonly #drain: object
  #haproxy: Program | undefined

  private constructor(folder: Folder, names: readonly string[], drain: object, ports: readonly number[]) {
    this.#folder = folder
    this.names = names
    this.#drain = drain
    this.port = ports[0]!
    this.gatewayPorts = ports.slice(1, 4)
    this.#adminPorts = ports.slice(4, 7)
    this.brokerPorts = ports.slice(7)
  }

  /** @param drain the gateways' configuration of it */
  static async start(folder: Folder, names: readonly string[], drain: object): Promise<Cluster> {
    const ports = await Promise.all(Array.from({ length: 7 + names.length }, () => freePort()))
    const cluster = new Cluster(folder, names, drain, ports)
    for (const i of names.keys()) await cluster.startBroker(i)
    for (const i of cluster.gatewayPorts.keys()) await cluster.startGateway(i)
    await cluster.#startHaproxy()
    return cluster
  }

  async startBroker(i: number): Promise<void> {
    // Logging each message would cost more CPU than the message itself.
    this.brokers[i] = await startMosquitto(this.#folder, mosquittoOptions, this.brokerPorts[i]!, true)
    await Client.announce(this.brokerPorts[i]!, this.names[i]!)
  }

  async startGateway(i: number): Promise<void> {
    const config = {
      listeners: [{ port: this.gatewayPorts[i], proxyProtocol: { trusted: ['127.0.0.1'] } }],
      upstreams: this.names.map((name, n) => ({ name, host: '127.0.0.1', port: this.brokerPorts[n] })),
      route: { health: { interval: 1, timeout: 1, failures: 2 }, connectTimeout: 2 },
      admin: { port: this.#adminPorts[i] },
      log: { connects: false },
      drain: this.#drain,
    }
    const file = this.#folder.write(`gateway-${i}.json`, JSON.stringify(config))
    const arguments_ = [gatewayProgram, '--config', file]
    this.gateways[i] = await Program.start(this.#adminPorts[i]!, process.execPath, ...arguments_)
  }

  /** Stops a gateway as systemd does, and starts it again. @returns the exit code */
  async restartGateway(i: number): Promise<number> {
    const { process } = this.gateways[i]!
    process.kill('SIGTERM')
    while (process.exitCode === null && process.signalCode === null) await sleep(50)
    await this.startGateway(i)
    return process.exitCode ?? -1
  }

  /** The text of the gateway's metrics. */
  async metrics(i: number): Promise<string> {
    return await (await fetch(`http://127.0.0.1:${this.#adminPorts[i]}/metrics`)).text()
  }

  async stop(): Promise<void> {
    for (const program of [this.#haproxy, ...this.gateways, ...this.brokers]) await program?.stop()
  }

  async #startHaproxy(): Promise<void> {
    const servers = this.gatewayPorts.map(
      (port, i) =>
        ` server gateway${i} 127.0.0.1:${port} send-proxy-v2 check port ${this.#adminPorts[i]} inter 500 rise 1 fall 2`,
    )
    const config = `global
 maxconn 8000
defaults
 mode tcp
 timeout connect 2s
 timeout client 300s
 timeout server 300s
 retries 3
 option redispatch
listen front
 bind 127.0.0.1:${this.port}
 balance roundrobin
 option httpchk GET /readyz
${servers.join('\n')}
`
    const file = this.#folder.write('haproxy.cfg', config)
    this.#haproxy = await Program.start(this.port, 'haproxy', '-f', file, '-db')
  }
}

/** Creates `count` clients of the cluster, cycling through the kinds. */
export function clientsOf({ port }: Cluster, count: number, more: Partial<Kind> = {}): readonly Client[] {
  return Array.from(
    { length: count },
    (_, i) => new Client(`device-${i}`, { ...kinds[i % kinds.length]!, ...more }, port),
  )
}

export async function settled(clients: readonly Client[], seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (clients.some(({ served }) => !served) && performance.now() < end) await sleep(100)
}

/** Runs `act` for each item, `atATime` of them concurrently. */
export async function inTurns<T>(
  list: readonly T[],
  atATime: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < list.length) await act(list[next++]!)
  }
  await Promise.all(Array.from({ length: atATime }, worker))
}

/** The results of a run, and the violations among them. */
export class Results {
  readonly #rows: string[] = []
  readonly #findings: string[] = []

  /** Adds a figure that can't fail. */
  add(what: string, result: string | number): void {
    this.#rows.push(`| ${what} | ${result} |`)
    console.error(`${(performance.now() / 1000).toFixed(0)} s: ${what}: ${result}`)
  }

  check(what: string, result: string | number, holds: boolean): void {
    this.add(what, result)
    if (!holds) this.#findings.push(`FINDING ${what}: ${result}`)
  }

  /** @returns the exit code */
  print(): number {
    console.log(['| | |', '|---|---|', ...this.#rows, ...this.#findings].join('\n'))
    return this.#findings.length > 0 ? 1 : 0
  }
}
