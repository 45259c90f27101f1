/* What each server does with a connection: waits for a CONNECT, answers with four bytes. */
import type { Socket } from 'node:net'
import { R5 } from '../packets.ts'

export const kinds = ['decoder', 'readConnect', 'mqtt-packet', 'bare'] as const

export type Kind = (typeof kinds)[number]

export type Serve = (socket: Socket) => void

/** What the servers have counted, all connections together. */
export interface Tally {
  /** Connections answered because their CONNECT was whole and good. */
  served: number
  /** Chunks read; only the bare server counts them. */
  chunks: number
}

const ANSWER = Uint8Array.of(0x20, 2, 0, 0)

/** How long a client that was refused may take to close, in milliseconds. */
export const LEAVE_TIME = 1000

/**
 * Makes the server of a kind. Only its own library is loaded, as its memory is measured.
 *
 * @param deadline how long a CONNECT may take, in milliseconds; `undefined` for what the library does by itself
 */
export async function serverOf(kind: Kind, deadline: number | undefined, tally: Tally): Promise<Serve> {
  switch (kind) {
    case 'decoder':
      return await decoderServer(deadline, tally)
    case 'readConnect':
      return await readConnectServer(deadline, tally)
    case 'mqtt-packet':
      return await mqttPacketServer(deadline, tally)
    case 'bare':
      return bareServer(deadline, tally)
  }
}

function answer(socket: Socket, tally: Tally): void {
  tally.served++
  socket.write(ANSWER)
}

/** Answers if there is an answer, and closes, also if the client does not. */
function refuse(socket: Socket, connack: Uint8Array | undefined): void {
  if (connack !== undefined) socket.write(connack)
  socket.end()
  socket.resume()
  // Not `socket.setTimeout`: each byte that a slow client still sends would begin it anew.
  const timer = setTimeout(() => socket.destroy(), LEAVE_TIME)
  socket.once('close', () => clearTimeout(timer))
}

/** Destroys the socket after `deadline`, unless what is returned is called before. */
function limitTime(socket: Socket, deadline: number | undefined): () => void {
  if (deadline === undefined) return () => {}
  const timer = setTimeout(() => socket.destroy(), deadline)
  const stop = (): void => clearTimeout(timer)
  socket.once('close', stop)
  return stop
}

async function decoderServer(deadline: number | undefined, tally: Tally): Promise<Serve> {
  const { MqttError, PacketDecoder } = await import('mqtt-connect-packet')
  return (socket) => {
    const decoder = new PacketDecoder()
    const inTime = limitTime(socket, deadline)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => decoder.destroy())
    decoder.on('data', () => {
      inTime()
      answer(socket, tally)
    })
    decoder.on('error', (error) => refuse(socket, error instanceof MqttError ? error.connack : undefined))
    socket.pipe(decoder)
  }
}

async function readConnectServer(deadline: number | undefined, tally: Tally): Promise<Serve> {
  const { MqttError, readConnect } = await import('mqtt-connect-packet')
  return async (socket) => {
    socket.on('error', () => socket.destroy())
    try {
      await readConnect(socket, { timeout: deadline })
      answer(socket, tally)
      socket.resume() // The end is only seen by whoever reads.
    } catch (error) {
      refuse(socket, error instanceof MqttError ? error.connack : undefined)
    }
  }
}

async function mqttPacketServer(deadline: number | undefined, tally: Tally): Promise<Serve> {
  const { parser: createParser } = (await import('mqtt-packet')).default
  return (socket) => {
    const parser = createParser()
    const inTime = limitTime(socket, deadline)
    socket.on('error', () => socket.destroy())
    parser.on('packet', () => {
      inTime()
      answer(socket, tally)
    })
    parser.on('error', () => refuse(socket, undefined))
    socket.on('data', (chunk) => parser.parse(chunk))
  }
}

/** Counts bytes until there are as many as R5 has: what a server costs that does not look at them. */
function bareServer(deadline: number | undefined, tally: Tally): Serve {
  return (socket) => {
    let bytes = 0
    const inTime = limitTime(socket, deadline)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      tally.chunks++
      bytes += chunk.length
      if (bytes !== R5.length) return
      inTime()
      answer(socket, tally)
    })
  }
}
