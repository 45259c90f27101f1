import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Will } from 'mqtt-connect-packet'
import type { Switch } from '../switches.ts'
import { Client } from './client.ts'
import type { Message, Session } from './session.ts'

/*
 * A small broker that handles the handshake as the standards demand, unless a switch breaks one clause. Topic filters have no
 * wildcards. Messages have QoS 0 or 1, and are sent once.
 */

export class Broker {
  readonly sessions = new Map<string, Session>()
  readonly clients = new Map<string, Client>()
  readonly retained = new Map<string, Message>()
  readonly earlierWills = new Map<string, Will>()
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer({ allowHalfOpen: true }, (socket) => {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    new Client(this, socket)
  })

  readonly broken: Switch | undefined
  readonly delay: number

  /** @param delay milliseconds before the broker reads a chunk */
  constructor(broken?: Switch, delay = 0) {
    this.broken = broken
    this.delay = delay
  }

  async start(port = 0): Promise<string> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    return `mqtt://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    for (const session of this.sessions.values()) session.stop()
  }

  /** Accepts a stream of any transport. */
  handle(socket: Socket): void {
    new Client(this, socket)
  }

  publish(message: Message): void {
    if (message.retain) {
      if (message.payload.length > 0) this.retained.set(message.topic, message)
      else this.retained.delete(message.topic)
    }
    for (const [id, session] of this.sessions) session.receive(message, this.clients.get(id))
  }

  #ids = 0

  nextId(): number {
    return this.#ids++
  }

  /** The will of an earlier connection, if the broker fails to forget it. */
  earlierWill(id: string): Will | undefined {
    return this.broken === 'publishes-earlier-will' ? this.earlierWills.get(id) : undefined
  }

  die(): void {
    this.close()
  }
}
