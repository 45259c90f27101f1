import { Duplex, PassThrough } from 'node:stream'
import { expect } from 'chai'
import { forward, readConnect, refuse } from '../../lib/index.ts'
import { PINGREQ, R3, rejection, settle } from './support.ts'

/** A stream that accepts all writes, or none if `write` never calls back. Tests push the bytes to read. */
function duplex(options: ConstructorParameters<typeof Duplex>[0] = {}): Duplex {
  return new Duplex({ read: () => {}, write: (_chunk, _encoding, callback) => callback(), ...options })
}

describe('streams that misbehave', () => {
  it('end forward if they give objects, and throw nothing', async () => {
    const [client, server] = [duplex({ readableObjectMode: true }), duplex()]
    const result = forward(client, server)
    client.push({ not: 'bytes' })
    client.push(null)
    await settle()
    expect(server.destroyed).to.equal(true)
    client.destroy()
    expect(await result).to.deep.equal({ fromClient: 0, fromServer: 0 })
  })

  it('get one listener from forward however often somebody else resumes them', async () => {
    const [client, server] = [duplex(), duplex({ highWaterMark: 1, write: () => {} })]
    const result = forward(client, server)
    for (let i = 0; i < 30; i++) {
      client.push('x')
      client.resume()
      await settle(1)
    }
    expect(server.listenerCount('drain')).to.equal(1)
    client.destroy()
    server.destroy()
    await result
  })

  it('reject readConnect with what their read throws', async () => {
    const stream = new PassThrough().on('error', () => {})
    stream.write(R3)
    const error = new Error('of this stream')
    const { read } = stream
    let isThrown = false
    stream.read = (size) => {
      if (isThrown || size === 0) return read.call(stream, size)
      isThrown = true
      throw error
    }
    expect(await rejection(readConnect(stream))).to.equal(error)
  })

  it('are not read on if the signal is aborted while they are read', async () => {
    const stream = new PassThrough()
    const { read } = stream
    const control = new AbortController()
    let reads = 0
    stream.read = (size) => {
      if (size === undefined && ++reads === 1) {
        control.abort(new Error('aborted'))
        return R3.subarray(0, 1)
      }
      return read.call(stream, size)
    }
    const result = rejection(readConnect(stream, { signal: control.signal }))
    stream.write(PINGREQ)
    expect(await result).to.have.property('message', 'aborted')
    expect(read.call(stream)).to.deep.equal(PINGREQ)
  })

  it('resolve refuse even if their destroy throws', async () => {
    const socket = duplex({ write: () => {} })
    socket.destroy = () => {
      throw new Error('of this stream')
    }
    await refuse(socket, R3, { linger: 1 })
  })
})
