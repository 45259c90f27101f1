import type { Client } from './client.ts'

/* A client's state at the broker, which outlives its connections. */

export interface Message {
  readonly topic: string
  readonly payload: Buffer | string
  readonly qos: number
  readonly retain: boolean
  readonly userProperties?: Readonly<Record<string, string | string[]>> | undefined
  /** The client id of the publisher. */
  readonly from?: string | undefined
}

/** The longest delay that timers accept, in milliseconds. A longer one would fire at once. */
const LONGEST = 2 ** 31 - 1

export class Session {
  readonly subscriptions = new Map<string, number>()
  /** QoS 1 messages that arrived while the client was away. */
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

  /** Publishes a will after a delay, unless `publishWill` publishes it earlier or `cancelWill` discards it. */
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

  /** Keeps the session when the client returns. */
  resume(): void {
    clearTimeout(this.#expiry)
  }

  stop(): void {
    clearTimeout(this.#expiry)
    clearTimeout(this.#delay)
  }
}
