import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Aedes } from 'aedes'
import { BrokerConnection } from '../../gateway/lib/embedded/broker-connection.ts'

/** A real broker from another project. */
export interface Broker {
  readonly port: number
  /** Resolves once this many SUBSCRIBE packets have been answered. */
  subscribed(count: number): Promise<void>
  close(): void
}

/** The brokers by name. Mosquitto and its clients may not be installed. */
export const brokers: Readonly<
  Record<'mosquitto' | 'aedes', (freePort: () => Promise<number>) => Promise<Broker>>
> = {
  mosquitto: startMosquitto,
  aedes: startAedes,
}

async function startMosquitto(freePort: () => Promise<number>): Promise<Broker> {
  const port = await freePort()
  // Without a configuration file, mosquitto accepts only local connections, and anonymous clients.
  const child = spawn('mosquitto', ['-v', '-p', `${port}`], { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const logged = async (pattern: RegExp, count: number): Promise<void> => {
    while ((log.match(pattern) ?? []).length < count) {
      if (child.exitCode !== null) throw new Error(`mosquitto ended: ${log}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await logged(/mosquitto version \S+ running|Opening ipv4 listen socket/g, 1)
  return {
    port,
    subscribed: (count) => logged(/Sending SUBACK/g, count),
    close: () => child.kill('SIGKILL'),
  }
}

async function startAedes(): Promise<Broker> {
  const broker = await Aedes.createBroker()
  broker.on('clientReady', ({ conn }) => (conn as BrokerConnection).accept())
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // On its own, aedes drops packets from a client that disconnects before aedes has accepted it.
    broker.handle(new BrokerConnection(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  let subscriptions = 0
  broker.on('subscribe', () => subscriptions++)
  return {
    port: (server.address() as AddressInfo).port,
    async subscribed(count) {
      while (subscriptions < count) await new Promise((resolve) => setTimeout(resolve, 10))
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      broker.close()
    },
  }
}
