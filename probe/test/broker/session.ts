import type { Client } from './client.ts'

/* A broker's knowledge about a client beyond its connection. */

export interface Message {
  readonly topic: string
  readonly payload: Buffer | string
  readonly qos: number
  readonly retain: boolean
  readonly userProperties?: Readonly<Record<string, string | string[]>> | undefined
  /** The client that published it. */
  readonly from?: string | undefined
}

/** The longest delay of a timer, in milliseconds. More would be none at all. */
const LONGEST = 2 ** 31 - 1

export class Session {
  /** The topics, each with the QoS that was granted. */
  readonly subscriptions = new Map<string, number>()
  /** The QoS 1 messages that came while the client was away. */
  readonly queue: Message[] = []
  #expiry: NodeJS.Timeout | undefined
  #delay: NodeJS.Timeout | undefined
  #will: (() => void) | undefined

  receive(message: Message, client: Client | undefined): void {
    const granted = this.subscriptions.get(message.topic)
    if (granted === undefined) return
    const own = { ...message, qos: Math.min(message.qos, granted), retain: false }
    if (client !== undefined) client.deliver(own)
    else if (own.qos > 0) this.queue.push(own)
  }

  /** Publishes a will later, unless the session ends before. */
  willLater(seconds: number, publish: () => void): void {
    this.#will = publish
    this.#delay = setTimeout(() => this.publishWill(), Math.min(seconds * 1000, LONGEST))
  }

  publishWill(): void {
    this.#will?.()
    this.cancelWill()
  }

  cancelWill(): void {
    clearTimeout(this.#delay)
    this.#will = undefined
  }

  expireLater(seconds: number, expire: () => void): void {
    this.#expiry = setTimeout(expire, Math.min(seconds * 1000, LONGEST))
  }

  /** The client is back. */
  resume(): void {
    clearTimeout(this.#expiry)
  }

  /** Ends all timers. */
  stop(): void {
    clearTimeout(this.#expiry)
    clearTimeout(this.#delay)
  }
}
