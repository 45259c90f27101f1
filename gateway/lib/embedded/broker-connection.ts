import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import {
  type ConnectPacket,
  ConnectReasonCode,
  ControlPacketType,
  connack,
  PacketDecoder,
  type PacketVariant,
  PropertyId,
  refuse,
} from 'mqtt-connect-packet'
import { Translation } from './translation.ts'

/** The largest packet that a client may send, in bytes. */
export const LARGEST_PACKET: number = 1024 * 1024

/** The time in milliseconds within which aedes must accept a client, and clean up after one that has left. */
const PATIENCE = 10_000

/**
 * A client's connection as aedes sees it: a stream of MQTT 3.1.1 packets. Whatever the client sends, aedes gets only
 * whole packets of limited size, CONNECT first and once, encoded by `Translation`. Anything else ends the stream.
 */
export class BrokerConnection extends Duplex {
  readonly #socket: Socket
  readonly #packets = new PacketDecoder({ maximumPacketSize: LARGEST_PACKET })
  #translation: Translation | undefined
  readonly #patience: number
  #accepted = false
  #deadline: NodeJS.Timeout | undefined

  /**
   * @param socket must stay open for writing after the client has ended: `allowHalfOpen`
   * @param patience the time that aedes may take, in milliseconds
   */
  constructor(socket: Socket, patience: number = PATIENCE) {
    super()
    this.#socket = socket
    this.#patience = patience
    socket.on('error', () => this.destroy())
    socket.on('close', () => this.destroy())
    this.#packets.on('data', (packet: PacketVariant) => this.#receive(packet))
    this.#packets.on('end', () => this.#endInput())
    this.#packets.on('error', () => this.#endInput())
    // A destroyed stream may still emit 'data' and 'end' once: `#receive` and `#endInput` check for that.
    this.#startDeadline()
    socket.pipe(this.#packets)
  }

  /**
   * Call this when aedes has accepted the client. Packets that arrive earlier are queued, because aedes takes at most 42 of them
   * and forgets them if the client ends.
   */
  accept(): void {
    this.#accepted = true
    if (this.#packets.destroyed) return
    clearTimeout(this.#deadline)
    this.#packets.resume()
  }

  #receive(packet: PacketVariant): void {
    if (this.#packets.destroyed) return
    try {
      if (packet.type === ControlPacketType.connect) {
        if (hasMethod(packet)) {
          // Aedes would accept the client and ignore the method [MQTT-4.12.0-1].
          this.#socket.write(connack(packet, ConnectReasonCode.badAuthenticationMethod)!.bytes)
          this.#endInput()
          return
        }
        this.#translation = new Translation(packet)
        this.push(this.#translation.connect(packet))
        this.#packets.pause()
        return
      }
      const bytes = this.#translation?.toBroker(packet)
      if (bytes !== undefined && !this.push(bytes)) this.#packets.pause()
      if (packet.type === ControlPacketType.disconnect) this.#endInput()
    } catch {
      this.#endInput()
    }
  }

  /** Ends the input from the client. Aedes closes the connection once it has read everything before that. */
  #endInput(): void {
    if (this.destroyed) return
    this.#socket.unpipe(this.#packets)
    this.#packets.destroy()
    this.#startDeadline()
    this.push(null) // Aedes may read, and destroy this stream, before `push` returns.
  }

  #startDeadline(): void {
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => this.destroy(), this.#patience)
  }

  override _read(): void {
    if (this.#accepted) this.#packets.resume()
  }

  override _write(chunk: Buffer, _encoding: string, callback: (error?: Error | null) => void): void {
    try {
      const bytes = this.#translation?.toClient(chunk)
      const acknowledgements = this.#translation?.acknowledgements() ?? Buffer.alloc(0)
      if (acknowledgements.length > 0 && !this.#packets.destroyed) this.push(acknowledgements)
      if (bytes === undefined || bytes.length === 0) callback()
      else this.#socket.write(bytes, callback)
    } catch (error) {
      callback(error as Error)
    }
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.#deadline)
    this.#socket.unpipe(this.#packets)
    this.#packets.destroy()
    refuse(this.#socket)
    callback(error)
  }
}

function hasMethod(packet: ConnectPacket): boolean {
  return packet.protocolVersion === 5 && packet.property(PropertyId.authenticationMethod) !== undefined
}
