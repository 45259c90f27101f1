import type { Socket } from 'node:net'
import type { Accepted } from '../listen/accepted.ts'
import { Bag } from './bag.ts'
import { Chain } from './chain.ts'
import { Crowds } from './crowds.ts'
import { Recent } from './recent.ts'

/** The open connections of one process. They outlive a reload. */
export class OpenConnections {
  /** The number of connections whose CONNECT isn't complete. */
  pending = 0
  /** The number of connections to brokers that stay open although their clients have gone. */
  lingering = 0
  readonly #all = new Bag<Accepted>()
  /** The places that connections of a network have taken from others. */
  readonly #taken = new Recent()
  /** The connections whose PROXY header isn't complete. */
  readonly #unlocated = new Chain<Accepted>(({ pendingPlace }) => pendingPlace)
  readonly #byNetwork = new Map<string, number>()
  /** The connections whose CONNECT isn't complete and whose address is known. */
  readonly #pending = new Crowds<Accepted>(({ pendingPlace }) => pendingPlace)
  /** Those and others that have no session yet. */
  readonly #waiting = new Crowds<Accepted>(({ waitingPlace }) => waitingPlace)

  get total(): number {
    return this.#all.size
  }

  /** The connections whose PROXY header isn't complete. */
  get unlocated(): Pick<Chain<Accepted>, 'size' | 'oldest'> {
    return this.#unlocated
  }

  /** The numbers of connections whose address is known. */
  get located(): Pick<OpenConnections, 'total' | 'pending' | 'lingering'> {
    const { total, pending, lingering, unlocated } = this
    return { total: total - unlocated.size, pending: pending - unlocated.size, lingering }
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
    this.#unlocated.add(connection)
  }

  /** Call this once the address of the connection is known. */
  locate(connection: Accepted): void {
    const { network } = connection
    connection.isLocated = true
    this.#unlocated.remove(connection)
    this.#byNetwork.set(network, this.of(network) + 1)
    this.#pending.add(connection)
    this.#waiting.add(connection)
  }

  /** Call this once the CONNECT of the connection is complete. */
  complete(connection: Accepted): void {
    if (!connection.isPending) return
    connection.isPending = false
    this.pending--
    if (connection.isLocated) this.#pending.remove(connection)
  }

  /** Call this once the client has a session. */
  join(connection: Accepted): void {
    this.#waiting.remove(connection)
  }

  /**
   * The connection to close if another one needs its place: the newest that has no session, of the network that has most of them. `undefined` if
   * the other one's network has as many, or has recently taken as many places from others. Otherwise, one that connects and leaves could take them all.
   *
   * @param network of the connection that needs a place
   * @param isPending true if the other one needs the place of a connection whose CONNECT isn't complete
   */
  surplus(network: string, isPending: boolean): Accepted | undefined {
    return (isPending ? this.#pending : this.#waiting).surplus(network, this.#taken.of(network))
  }

  /** Call this when a connection gives way to one of this network. */
  giveWay(connection: Accepted, network: string): void {
    this.remove(connection)
    this.#taken.count(network)
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
    this.#unlocated.remove(connection)
    if (!connection.isLocated) return
    this.join(connection)
    const { network } = connection
    const left = this.of(network) - 1
    if (left > 0) this.#byNetwork.set(network, left)
    else this.#byNetwork.delete(network)
  }
}
