import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Aedes } from 'aedes'

// Every program and folder adds a listener, because it ends with this process.
process.setMaxListeners(100)

/* The brokers of the report cards, each started on a free port of 127.0.0.1. */

const root = join(import.meta.dirname, '..', '..')

export interface Running {
  readonly port: number
  stop(): void
}

export interface Target {
  readonly name: string
  readonly version: () => string
  /** The command to start the broker, for readers who want to repeat the run. */
  readonly how: string
  /** Command-line options for the probe. */
  readonly options?: readonly string[]
  /** Remarks under the report card. */
  readonly notes?: readonly string[]
  readonly start: () => Promise<Running>
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`Nothing listens on port ${port}`)
}

/** Starts a program in its own process group, so that all of its processes can be ended together. */
export async function started(
  port: number,
  command: string,
  args: readonly string[],
  environment = {},
): Promise<Running> {
  const child = spawn(command, args, {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
    detached: true,
  })
  const stop = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // already ended
    }
  }
  process.once('exit', stop)
  await listening(port)
  return { port, stop }
}

/** A temporary folder, removed when this process exits. */
export function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), 'brokers-'))
  process.once('exit', () => rmSync(path, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  return path
}

function debianVersion(name: string): string {
  return `${execFileSync('dpkg-query', ['-W', '-f', '\u0024{Version}', name], { encoding: 'utf8' })} (Debian)`
}

function packageVersion(path: string): string {
  const code = `process.stdout.write(JSON.parse(fs.readFileSync(${JSON.stringify(path)})).version)`
  return execFileSync(process.execPath, ['-e', code], { cwd: root, encoding: 'utf8' })
}

const mosquitto: Target = {
  name: 'Mosquitto',
  version: () => debianVersion('mosquitto'),
  how: 'mosquitto -p PORT',
  async start() {
    const port = await freePort()
    return started(port, 'mosquitto', ['-p', `${port}`])
  },
}

const rabbitmq: Target = {
  name: 'RabbitMQ',
  version: () => debianVersion('rabbitmq-server'),
  how: 'rabbitmq-server, with the plugin rabbitmq_mqtt and its defaults',
  notes: [
    "This version supports MQTT 3.1 and 3.1.1. Newer ones, which Debian 12 doesn't have, support 5.0.",
    'According to its documentation, subscriptions with QoS 0 end with the connection.',
  ],
  async start() {
    const [port, epmd, dist] = [await freePort(), await freePort(), await freePort()]
    const path = folder({
      'rabbitmq.conf': `listeners.tcp = none\nmqtt.listeners.tcp.1 = 127.0.0.1:${port}\n`,
      plugins: '[rabbitmq_mqtt].\n',
    })
    execFileSync('chmod', ['-R', 'a+rwX', path])
    // Starts the port mapper first. Otherwise RabbitMQ would start one as a daemon, which would stay behind.
    const mapper = await started(epmd, 'epmd', ['-port', `${epmd}`], { ERL_EPMD_ADDRESS: '127.0.0.1' })
    const { stop } = await started(port, '/usr/lib/rabbitmq/bin/rabbitmq-server', [], {
      HOME: path,
      RABBITMQ_NODENAME: `probe${port}@localhost`,
      RABBITMQ_CONFIG_FILE: join(path, 'rabbitmq.conf'),
      RABBITMQ_ENABLED_PLUGINS_FILE: join(path, 'plugins'),
      RABBITMQ_MNESIA_BASE: join(path, 'mnesia'),
      RABBITMQ_LOG_BASE: join(path, 'log'),
      RABBITMQ_DIST_PORT: `${dist}`,
      ERL_EPMD_PORT: `${epmd}`,
      ERL_EPMD_ADDRESS: '127.0.0.1',
    })
    return {
      port,
      stop() {
        stop()
        mapper.stop()
      },
    }
  },
}

const ejabberd: Target = {
  name: 'ejabberd',
  version: () => debianVersion('ejabberd'),
  how: 'ejabberd with mod_mqtt, and anonymous authentication',
  options: ['--user', 'probe@localhost', '--password', 'probe'],
  notes: [
    "ejabberd is an XMPP server that also speaks MQTT. Clients need a user name with the server's domain.",
  ],
  async start() {
    const port = await freePort()
    const path = folder({
      'ejabberd.yml': `hosts: [localhost]\nloglevel: error\nauth_method: anonymous\nanonymous_protocol: both
allow_multiple_connections: true\nlisten:\n  - {port: ${port}, ip: "127.0.0.1", module: mod_mqtt}\nmodules: {mod_mqtt: {}}\n`,
    })
    execFileSync('chmod', ['-R', 'a+rwX', path])
    return started(
      port,
      'erl',
      ['-noinput', '-mnesia', 'dir', JSON.stringify(join(path, 'db')), '-s', 'ejabberd'],
      {
        EJABBERD_CONFIG_PATH: join(path, 'ejabberd.yml'),
        EJABBERD_LOG_PATH: join(path, 'ejabberd.log'),
        ERL_LIBS: '/usr/lib/x86_64-linux-gnu',
        ERL_EPMD_ADDRESS: '127.0.0.1',
      },
    )
  },
}

const aedes: Target = {
  name: 'aedes',
  version: () => packageVersion('node_modules/aedes/package.json'),
  how: 'createServer((await Aedes.createBroker()).handle).listen(PORT)',
  notes: ['aedes supports MQTT 3.1 and 3.1.1.'],
  async start() {
    const broker = await Aedes.createBroker()
    const sockets = new Set<{ destroy(): void }>()
    const server = createServer((socket) => {
      sockets.add(socket)
      broker.handle(socket)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    return {
      port: (server.address() as AddressInfo).port,
      stop() {
        server.close()
        for (const socket of sockets) socket.destroy()
        broker.close()
      },
    }
  },
}

const gatewayVersion = (): string => packageVersion('gateway/package.json')

const embedded: Target = {
  name: 'Our gateway with its embedded broker',
  version: () => `${gatewayVersion()}, aedes ${aedes.version()}`,
  how: 'node gateway/dist/main.js --no-sample --port PORT',
  notes: [
    'The embedded broker is aedes, and the gateway translates MQTT 5.0 for it.',
    'aedes has only the sessions of 3.1.1, so sessions of 5.0 never expire, and a session that began with clean start ends with its connection.',
  ],
  async start() {
    const port = await freePort()
    return started(port, process.execPath, [
      join(root, 'gateway/dist/main.js'),
      '--no-sample',
      '--port',
      `${port}`,
    ])
  },
}

function behindGateway(broker: Target): Target {
  return {
    ...broker,
    name: `Our gateway in front of ${broker.name}`,
    version: () => `${gatewayVersion()}, ${broker.name} ${broker.version()}`,
    how: 'node gateway/dist/main.js --no-sample --port PORT --upstream 127.0.0.1:BROKER',
    notes: [
      'The gateway checks only the CONNECT and its answer. The broker is responsible for everything after that.',
    ],
    async start() {
      const { port: upstream, stop } = await broker.start()
      const port = await freePort()
      const options = ['--no-sample', '--port', `${port}`, '--upstream', `127.0.0.1:${upstream}`]
      const gateway = await started(port, process.execPath, [join(root, 'gateway/dist/main.js'), ...options])
      return { port, stop: () => [gateway.stop(), stop()] }
    },
  }
}

const haproxy: Target = {
  name: 'HAProxy in front of Mosquitto',
  version: () => `${debianVersion('haproxy')}, Mosquitto ${mosquitto.version()}`,
  how: 'tcp-request content reject unless { req.payload(0,0),mqtt_is_valid }',
  notes: [
    'HAProxy checks only the CONNECT, with `mqtt_is_valid`. The broker is responsible for everything after that.',
  ],
  async start() {
    const { port: upstream, stop } = await mosquitto.start()
    const port = await freePort()
    const path = folder({
      'haproxy.cfg': `defaults
  mode tcp
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend mqtt
  bind 127.0.0.1:${port}
  tcp-request inspect-delay 10s
  tcp-request content reject unless { req.payload(0,0),mqtt_is_valid }
  default_backend broker
backend broker
  server one 127.0.0.1:${upstream}
`,
    })
    const proxy = await started(port, 'haproxy', ['-f', join(path, 'haproxy.cfg')])
    return { port, stop: () => [proxy.stop(), stop()] }
  },
}

export const targets: readonly Target[] = [
  mosquitto,
  rabbitmq,
  ejabberd,
  aedes,
  embedded,
  ...[mosquitto, rabbitmq, ejabberd, aedes].map(behindGateway),
  haproxy,
]
