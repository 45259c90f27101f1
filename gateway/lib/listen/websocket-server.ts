import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { Duplex } from 'node:stream'
import { causeOf, LeftError } from '../settings/causes.ts'
import { cutString, LONGEST_VALUE } from '../settings/short-text.ts'
import type { ListenerConfig } from './options.ts'
import type { RequestHead } from './request-head.ts'
import { WebSocketFrames } from './websocket-frames.ts'
import { WebSocketStream } from './websocket-stream.ts'

/** Loads ws only for a listener with WebSockets, because loading it is a tenth of the gateway's start. */
const require = createRequire(import.meta.url)

/** The subprotocols. Clients offer `mqttv3.1` for MQTT 3.1, although only `mqtt` is in the standards (MQTT 5.0, section 6.0). */
const PROTOCOLS = ['mqtt', 'mqttv3.1']

/** The callbacks for connections. Each connection ends in one of them, unless it's closed first. */
export interface Upgraded {
  ready(socket: Duplex, stream: WebSocketStream): void
  refused(socket: Duplex, error: Error): void
}

/** Names the versions that ws supports, as RFC 6455 section 4.4 demands. */
const BAD_REQUEST =
  'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nSec-WebSocket-Version: 13, 8\r\nContent-Length: 0\r\n\r\n'

/** The answer to pages from other origins. Browsers send the header `Origin`, and scripts can't change it. */
const FORBIDDEN = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** The maximum number of fields in a header. Browsers send some 20, and proxies add a few. Node ignores those beyond it. */
const MOST_FIELDS = 100

/** An HTTP server that upgrades the connections emitted on it to MQTT over WebSocket, and refuses everything else. */
export function webSocketServer(
  { path, origins }: NonNullable<ListenerConfig['websocket']>,
  { ready, refused }: Upgraded,
): Server {
  const isWelcome = (origin: string | undefined) =>
    origins === undefined || origin === undefined || origins.includes(origin.toLowerCase())
  const { WebSocketServer }: typeof import('ws') = require('ws')
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    handleProtocols: (offered) => PROTOCOLS.find((name) => offered.has(name)) ?? false,
    perMessageDeflate: false,
  })
  sockets.on('wsClientError', ({ message }, frames, { socket }) => {
    // Discards what the client goes on sending, because nobody else will read it.
    frames.resume()
    refused(socket, new Error(`the request for a WebSocket is invalid: ${message}`))
    socket.end(BAD_REQUEST)
  })
  const refuseOrdinary = (request: IncomingMessage) => {
    const wanted = `${request.method} ${cutString(pathOf(request), LONGEST_VALUE)}`
    refused(request.socket, new Error(`the request is ${wanted} and not for a WebSocket`))
  }
  const answerOrdinary = (request: IncomingMessage, response: ServerResponse) => {
    refuseOrdinary(request)
    response
      .writeHead(426, { connection: 'close', upgrade: 'websocket' })
      .end('This is MQTT over WebSocket.\n')
  }
  // Node would otherwise answer some requests by itself, and the log would blame the client for the end of the connection.
  const server = createServer({ requireHostHeader: false }, answerOrdinary)
  // Node keeps each field of an unfinished header as two strings, which take ten times the memory of a short field.
  server.maxHeadersCount = MOST_FIELDS
  server.on('checkExpectation', answerOrdinary)
  server.on('connect', (request, socket) => {
    refuseOrdinary(request)
    socket.end(BAD_REQUEST)
  })
  server.on('clientError', (error, socket) => {
    refused(socket, clientError(error))
    if (socket.writable) socket.end(BAD_REQUEST)
    else socket.destroy()
  })
  server.on('upgrade', (request: IncomingMessage, head: RequestHead) => {
    if (request.rawHeaders.length >= 2 * MOST_FIELDS) {
      refused(head, new Error("the client's HTTP header has too many fields"))
      head.end(BAD_REQUEST)
      return
    }
    if (pathOf(request) !== path || !offersMqtt(request)) {
      const isElsewhere = pathOf(request) !== path
      refused(
        head,
        new Error(
          isElsewhere
            ? `the request is for a WebSocket at ${shown(pathOf(request))}, not at ${path}`
            : 'the request for a WebSocket offers no protocol named mqtt',
        ),
      )
      head.end(BAD_REQUEST)
      return
    }
    const origin = originOf(request)
    if (!isWelcome(origin)) {
      refused(head, new Error(`the page's origin is not in the list: ${shown(origin)}`))
      head.end(FORBIDDEN)
      return
    }
    const { socket, rest } = head.release()
    const frames = new WebSocketFrames(socket, rest)
    sockets.handleUpgrade(request, frames, Buffer.alloc(0), (ws) =>
      ready(head, new WebSocketStream(ws, frames)),
    )
  })
  return server
}

/** True if the client offers one of the subprotocols. A regular expression would take a tenth of a second for a header of blanks. */
function offersMqtt({ headers }: IncomingMessage): boolean {
  const offered = String(headers['sec-websocket-protocol'] ?? '').split(',')
  return offered.some((name) => PROTOCOLS.includes(name.trim()))
}

/** Words the errors of Node's HTTP parser, by their codes. */
function clientError(error: NodeJS.ErrnoException): Error {
  const { code = '' } = error
  if (code === 'ECONNRESET')
    return new LeftError('the client reset the connection in the WebSocket handshake')
  if (code === 'HPE_INVALID_EOF_STATE')
    return new LeftError('the client closed the connection in the WebSocket handshake')
  if (code === 'HPE_HEADER_OVERFLOW') return new Error("the client's HTTP headers are too large")
  return new Error(`the client ${causeOf(error)}`)
}

/** The origin of a page. In version 8 of the protocol, which ws also speaks, browsers sent it in a header of its own. */
function originOf({ headers }: IncomingMessage): string | undefined {
  return headers.origin ?? headers['sec-websocket-origin']?.toString()
}

/** Quotes and shortens an origin or a path for the log, because anybody can send one. */
function shown(text: string = ''): string {
  return JSON.stringify(text.slice(0, 100))
}

/** The path without the query and the fragment, and an address without a user name and a password, because both may be logged. */
function pathOf({ url = '' }: IncomingMessage): string {
  return url.split(/[?#]/, 1)[0]!.replace(/^([^/]*\/\/)?[^/]*@/, '$1')
}
