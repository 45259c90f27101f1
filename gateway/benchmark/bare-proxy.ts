/*
 * The baseline: a TCP proxy that inspects nothing. Arguments: its port, the broker's port and, for TLS, certificate and key.
 */
import { readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

const [port, upstream, certificate, key] = process.argv.slice(2)

function forward(client: Socket): void {
  const broker = connect({ port: Number(upstream), host: '127.0.0.1', noDelay: true })
  client.on('error', () => broker.destroy())
  broker.on('error', () => client.destroy())
  client.on('close', () => broker.destroy())
  broker.on('close', () => client.destroy())
  client.pipe(broker).pipe(client)
}

const server =
  certificate && key
    ? createTlsServer({ cert: readFileSync(certificate), key: readFileSync(key), noDelay: true }, forward)
    : createServer({ noDelay: true }, forward)
server.listen({ port: Number(port), host: '127.0.0.1', backlog: 4096 })
