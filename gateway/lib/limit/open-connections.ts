import type { Socket } from 'node:net'
import type { Accepted } from '../listen/accepted.ts'
import { Bag } from './bag.ts'
import { Crowds } from './crowds.ts'

/** The open connections of one process. They outlive a reload. */
export class OpenConnections {
  /** The number of connections whose CONNECT isn't complete. */
  pending = 0
  /** The number of connections to brokers that stay open although their clients have gone. */
  lingering = 0
  readonly #all = new Bag<Accepted>()
  readonly #byNetwork = new Map<string, number>()
  /** The connections whose CONNECT isn't complete and whose address is known. */
  readonly #crowds = new Crowds<Accepted>()

  get total(): number {
    return this.#all.size
  }

  of(network: string): number {
    return this.#byNetwork.get(network) ?? 0
  }

  all(): readonly Accepted[] {
    return this.#all.all()
  }

  add(connection: Accepted): void {
    this.#all.add(connection)
    connection.isPending = true
    this.pending++
  }

  /** Call this once the address of the connection is known. */
  locate(connection: Accepted): void {
    const { network } = connection
    connection.isLocated = true
    this.#byNetwork.set(network, this.of(network) + 1)
    this.#crowds.add(connection)
  }

  /** Call this once the CONNECT of the connection is complete. */
  complete(connection: Accepted): void {
    if (!connection.isPending) return
    connection.isPending = false
    this.pending--
    if (connection.isLocated) this.#crowds.remove(connection)
  }

  /**
   * The connection to close if another one needs its place: the oldest without a CONNECT, of the network that has most of them. `undefined` if
   * the other one's network has as many.
   *
   * @param network of the connection that needs a place. `undefined` if it isn't known yet
   */
  surplus(network: string | undefined): Accepted | undefined {
    return this.#crowds.surplus(network)
  }

  /** A client has gone, but the connection to its broker stays open for a while. */
  linger(broker: Socket): void {
    this.lingering++
    broker.once('close', () => this.lingering--)
  }

  /** Does nothing if the connection isn't in the list. */
  remove(connection: Accepted): void {
    if (connection.index < 0) return
    this.#all.remove(connection)
    this.complete(connection)
    if (!connection.isLocated) return
    const { network } = connection
    const left = this.of(network) - 1
    if (left > 0) this.#byNetwork.set(network, left)
    else this.#byNetwork.delete(network)
  }
}
