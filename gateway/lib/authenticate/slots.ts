import type { Peer } from '../listen/peer.ts'

/** Thrown if too many operations are queued already. The client may try again later. */
export class BusyError extends Error {
  /** @param what the operation that is busy */
  constructor(what: string) {
    super(`too many clients are waiting for ${what}`)
  }
}

/** The client that an operation is for. The operation takes a turn of the client's address, and is dropped if the client leaves. */
export type Client = Pick<Peer, 'network' | 'stream'>

interface Waiting {
  readonly network: string
  start(): void
  refuse(): void
}

/**
 * Runs a limited number of slow operations at a time. The rest are queued by address, and the addresses take turns, so a client
 * waits for a few operations at most, however many a different address requests. (p-queue has priorities, but no turns.)
 */
export class Slots {
  readonly #most: number
  readonly #mostWaiting: number
  readonly #what: string
  #running = 0
  #waiting = 0
  /** The queues by address, in the order of their turns. No queue is empty. */
  readonly #queues = new Map<string, Waiting[]>()

  /** @param what the name of the operation, for the log */
  constructor(most: number, mostWaiting: number, what: string) {
    this.#most = most
    this.#mostWaiting = mostWaiting
    this.#what = what
  }

  /** @throws BusyError (as the rejection) if too many operations are queued; Error if the client leaves meanwhile; any error of `act` */
  async run<T>(client: Client, act: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) this.#running++
    // An operation that ends hands its slot over.
    else await this.#turn(client)
    try {
      return await act()
    } finally {
      if (!this.#startNext()) this.#running--
    }
  }

  #turn({ network, stream }: Client): Promise<void> {
    const busy = () => new BusyError(this.#what)
    return new Promise((resolve, reject) => {
      const left = () => {
        this.#remove(waiting)
        reject(new Error('the client has left'))
      }
      const waiting: Waiting = {
        network,
        start() {
          stream.removeListener('close', left)
          resolve()
        },
        refuse() {
          stream.removeListener('close', left)
          reject(busy())
        },
      }
      if (stream.destroyed) {
        reject(new Error('the client has left'))
      } else if (this.#waiting >= this.#mostWaiting && !this.#makeRoom(network)) {
        reject(busy())
      } else {
        stream.once('close', left)
        this.#add(waiting)
      }
    })
  }

  #add(waiting: Waiting): void {
    this.#waiting++
    const queue = this.#queues.get(waiting.network)
    if (queue) queue.push(waiting)
    else this.#queues.set(waiting.network, [waiting])
  }

  #remove(waiting: Waiting): void {
    const queue = this.#queues.get(waiting.network)!
    queue.splice(queue.indexOf(waiting), 1)
    if (queue.length === 0) this.#queues.delete(waiting.network)
    this.#waiting--
  }

  /** Refuses the newest operation of the address with the most, unless the new operation's address would then have as many. */
  #makeRoom(network: string): boolean {
    let longest: readonly Waiting[] = []
    for (const queue of this.#queues.values()) if (queue.length > longest.length) longest = queue
    if (longest.length <= (this.#queues.get(network)?.length ?? 0) + 1) return false
    const last = longest.at(-1)!
    this.#remove(last)
    last.refuse()
    return true
  }

  #startNext(): boolean {
    const [first] = this.#queues
    if (first === undefined) return false
    const [network, queue] = first
    const [waiting] = queue as [Waiting]
    this.#remove(waiting)
    // Move the address to the end of the line.
    if (queue.length > 0) {
      this.#queues.delete(network)
      this.#queues.set(network, queue)
    }
    waiting.start()
    return true
  }
}
