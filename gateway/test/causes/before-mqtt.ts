import { once } from 'node:events'
import { Authority } from '../certificates.ts'
import { sleep, until } from '../support.ts'
import { type Cases, connectBytes, type Stage } from './stage.ts'

/*
 * Connections that fail before the first byte of MQTT: address lists and limits, PROXY header, TLS, WebSocket.
 */

/** Opens a connection that sends `before` and stays, then three more that exceed a limit. */
async function overLimit(
  stage: Stage,
  config: object,
  before: Uint8Array | undefined,
  from?: string,
): Promise<void> {
  const port = await stage.start(config)
  if (before) await stage.connect(port, before, from)
  await until(() => before === undefined || stage.gateway!.open.total === 1)
  for (let i = 0; i < 3; i++) await stage.send(port, connectBytes(), from)
  stage.gateway!.close()
}

const once1 = { perSecond: 0.001, burst: 1 }
const idle = new Uint8Array(0)

export const limits: Cases = {
  'an address that is denied': {
    line: '3 connections refused in N s: address-denied 3',
    act: (stage) => overLimit(stage, { listeners: [{ port: 0, deny: ['127.0.0.1'] }] }, undefined),
  },
  'a proxy that is not trusted': {
    line: '3 connections refused in N s: untrusted-proxy 3',
    act: (stage) =>
      overLimit(stage, { listeners: [{ port: 0, proxyProtocol: { trusted: ['10.0.0.0/8'] } }] }, undefined),
  },
  'an address that is banned': {
    line: '3 connections refused in N s: banned 3',
    async act(stage) {
      const port = await stage.start({ limits: { ban: { failures: 1 } } })
      await stage.send(port, 'GET / HTTP/1.1\r\n\r\n')
      for (let i = 0; i < 3; i++) await stage.send(port, connectBytes())
      stage.skip(/looks like HTTP/)
      stage.gateway!.close()
    },
  },
  'a listener that is full': {
    line: '3 connections not served in N s: listener-open 3',
    act: (stage) => overLimit(stage, { listeners: [{ port: 0, connections: 1 }] }, idle),
  },
  'too many unfinished handshakes': {
    line: '3 connections not served in N s: pending 3',
    act: (stage) => overLimit(stage, { limits: { pending: 1 } }, idle),
  },
  'too many connections': {
    line: '3 connections not served in N s: open 3',
    act: (stage) => overLimit(stage, { limits: { open: 1 } }, idle),
  },
  'too many connections of one address': {
    line: '3 connections refused in N s: address-open 3',
    act: (stage) => overLimit(stage, { limits: { openPerAddress: 1 } }, idle, '127.0.0.9'),
  },
  'an address that connects too often': {
    line: '3 connections refused in N s: address-rate 3',
    act: (stage) => overLimit(stage, { limits: { perAddress: once1 } }, idle),
  },
  'everybody connecting too often': {
    line: '3 connections not served in N s: total-rate 3',
    act: (stage) => overLimit(stage, { limits: { total: once1 } }, idle),
  },
  'a client id that connects too often': {
    line: '3 connections not served in N s: client-id-rate 3, clientId="c"',
    act: (stage) => overLimit(stage, { limits: { perClientId: once1 } }, connectBytes()),
  },
  'a user that connects too often': {
    line: '2 connections not served in N s: user-rate 2, clientId="c\\u202e"',
    async act(stage) {
      const port = await stage.start({ limits: { perUser: once1 } })
      const alice = connectBytes({ userName: 'alice', clientId: 'c\u202e' })
      await stage.connect(port, alice)
      await until(() => stage.gateway!.open.all()[0]?.connection?.isForwarded === true)
      for (let i = 0; i < 2; i++) await stage.send(port, alice)
      stage.gateway!.close()
    },
  },
  'several limits at once': {
    line: '4 connections refused in N s: address-open 2, address-rate 2',
    async act(stage) {
      const port = await stage.start({ limits: { openPerAddress: 1, perAddress: once1 } })
      const first = await stage.connect(port)
      await until(() => stage.gateway!.open.total === 1)
      for (let i = 0; i < 2; i++) await stage.send(port, '')
      first.destroy()
      await until(() => stage.gateway!.open.total === 0)
      for (let i = 0; i < 2; i++) await stage.send(port, '')
      stage.gateway!.close()
    },
  },
}

const proxied = [{ port: 0, proxyProtocol: { trusted: ['127.0.0.1'], timeout: 0.2 } }]
const sends = (config: object, bytes: Uint8Array | string) => async (stage: Stage) =>
  await stage.send(await stage.start(config), bytes)

export const proxy: Cases = {
  'no PROXY header': {
    line: 'not served: the proxy sent no PROXY header',
    act: sends({ listeners: proxied }, connectBytes()),
  },
  'a PROXY header that never ends': {
    line: 'not served: the proxy sent no PROXY header in time',
    act: sends({ listeners: proxied }, 'PROXY TCP4 '),
  },
  'a PROXY header without addresses': {
    line: 'not served: the proxy sent a PROXY line without valid addresses',
    act: sends({ listeners: proxied }, 'PROXY TCP4 a b 1 2\r\n'),
  },
  'a proxy that leaves': {
    line: 'left: the proxy closed the connection before the end of its header',
    async act(stage) {
      const socket = await stage.connect(await stage.start({ listeners: proxied }), 'PROXY TCP4 ')
      socket.end()
      await once(socket, 'close')
    },
  },
}

function secured(stage: Stage, clientCertificates?: object, more: object = {}): object {
  const { certificate, key } = stage.own
  return {
    listeners: [{ port: 0, tls: { certificates: [{ certificate, key }], clientCertificates, ...more } }],
  }
}

const sendsWithoutTls = (bytes: Uint8Array | string) => async (stage: Stage) =>
  await stage.send(await stage.start({ ...secured(stage), limits: { handshakeTimeout: 0.3 } }), bytes)

/** A client with a certificate, for a listener that requests one. */
const withCertificate =
  (
    certificateOf: (stage: Stage) => { certPem: string; keyPem: string },
    revoked?: (stage: Stage) => string,
  ) =>
  async (stage: Stage) => {
    const { certPem, keyPem } = certificateOf(stage)
    const authorities = stage.authority.file
    const port = await stage.start(secured(stage, { authorities, revoked: revoked?.(stage) }))
    await stage.sendTls(port, { cert: certPem, key: keyPem })
  }

export const tls: Cases = {
  'MQTT instead of TLS': {
    line: "refused: the client doesn't speak TLS",
    act: sendsWithoutTls(connectBytes()),
  },
  'HTTP instead of TLS': {
    line: 'refused: the client speaks HTTP instead of TLS',
    act: sendsWithoutTls('GET / HTTP/1.1\r\n\r\n'),
  },
  'TLS that never goes on': {
    line: "refused: the client didn't complete the TLS handshake in time",
    act: sendsWithoutTls(Buffer.from('160301', 'hex')),
  },
  'a version of TLS that is too old': {
    line: 'refused: the client has no TLS version in common with the gateway',
    async act(stage) {
      const port = await stage.start(secured(stage, undefined, { minimumVersion: 'TLSv1.3' }))
      await stage.sendTls(port, { maxVersion: 'TLSv1.2' })
    },
  },
  'other ciphers': {
    line: 'refused: the client has no cipher in common with the gateway',
    act: async (stage) =>
      await stage.sendTls(await stage.start(secured(stage)), {
        ...{ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' },
      }),
  },
  "a client that doesn't trust the gateway": {
    line: "left: the client doesn't know the authority of the gateway's certificate",
    act: async (stage) => await stage.openssl(await stage.start(secured(stage)), '-verify_return_error'),
  },
  'a client that leaves in the handshake': {
    line: 'left: the client closed the connection in the TLS handshake',
    async act(stage) {
      const socket = await stage.connect(await stage.start(secured(stage)), Buffer.from('160301', 'hex'))
      await until(() => stage.gateway!.open.all()[0]?.bytesRead === 3)
      socket.end()
      await once(socket, 'close')
    },
  },
  'no certificate': {
    line: 'refused: the client has no certificate',
    async act(stage) {
      await stage.sendTls(await stage.start(secured(stage, { authorities: stage.authority.file })))
    },
  },
  'a certificate of another authority': {
    line: 'refused: the client has a certificate whose authority is unknown',
    act: withCertificate((stage) => new Authority(stage.another(), 'Other').issue('device')),
  },
  'a certificate that has expired': {
    line: 'refused: the client has a certificate that has expired',
    act: withCertificate((stage) => stage.authority.issueExpired('old')),
  },
  'a certificate for servers': {
    line: 'refused: the client has a certificate for a different purpose',
    act: withCertificate((stage) => stage.authority.issueWith('server', 'extendedKeyUsage=serverAuth')),
  },
  'a certificate that has been revoked': {
    line: 'refused: the client has a certificate that has been revoked',
    act: withCertificate(
      (stage) => stage.device,
      (stage) => stage.authority.revoke([stage.device], 'crl.pem'),
    ),
  },
  'a revocation list that has expired': {
    line: 'refused: the client has a certificate whose authority has a revocation list that has expired',
    act: withCertificate(
      (stage) => stage.device,
      (stage) => stage.authority.revoke([], 'old-crl.pem', -1),
    ),
  },
  'an authority without a revocation list': {
    line: 'refused: the client has a certificate whose authority has no revocation list',
    act: withCertificate(
      (stage) => stage.device,
      (stage) => new Authority(stage.another(), 'Other').revoke([], 'other-crl.pem'),
    ),
  },
}

const webSocket = { listeners: [{ port: 0, websocket: { origins: ['https://app.example'] } }] }
const upgrade = (...more: string[]) =>
  ['GET /mqtt HTTP/1.1', 'Host: g', 'Connection: Upgrade', 'Upgrade: websocket', ...more, '', ''].join('\r\n')
const mqtt = 'Sec-WebSocket-Protocol: mqtt'

export const webSockets: Cases = {
  'a page instead of a WebSocket': {
    line: 'refused: the request is GET /secret and not for a WebSocket',
    act: sends(webSocket, 'GET /secret?token=sesame HTTP/1.1\r\nHost: g\r\n\r\n'),
  },
  'another protocol than MQTT': {
    line: 'refused: the request for a WebSocket offers no protocol named mqtt',
    act: sends(webSocket, upgrade()),
  },
  'a request without a key': {
    line: 'refused: the request for a WebSocket is invalid: Missing or invalid Sec-WebSocket-Key header',
    act: sends(webSocket, upgrade(mqtt)),
  },
  'a page of another origin': {
    line: 'refused: the page\'s origin is not in the list: "https://evil.example"',
    act: sends(webSocket, upgrade(mqtt, 'Origin: https://evil.example')),
  },
  'MQTT without WebSocket': {
    line: "refused: the client doesn't speak HTTP",
    act: sends(webSocket, connectBytes()),
  },
  'headers that are too large': {
    line: "refused: the client's HTTP headers are too large",
    act: sends(webSocket, upgrade(`X: ${'x'.repeat(20_000)}`)),
  },
  // Node would keep 2,000 of them for each connection that doesn't complete its header.
  'a header of many short fields': {
    line: "refused: the client's HTTP header has too many fields",
    act: sends(webSocket, upgrade(Array.from({ length: 200 }, (_, i) => `x${i}: 1`).join('\r\n'))),
  },
  'a request that never ends': {
    line: "refused: the client didn't complete the WebSocket handshake in time",
    act: sends({ ...webSocket, limits: { handshakeTimeout: 0.3 } }, 'GET /mqtt'),
  },
  'a reset in the request': {
    line: 'left: the client reset the connection in the WebSocket handshake',
    async act(stage) {
      const socket = await stage.connect(await stage.start(webSocket), 'GET /mqtt')
      await until(() => (stage.gateway!.open.all()[0]?.bytesRead ?? 0) > 0)
      socket.resetAndDestroy()
    },
  },
}

export const connects: Cases = {
  'TLS on a port without TLS': {
    line: 'refused: looks like TLS: is the client set to mqtts? This port speaks MQTT without TLS.',
    act: sends({}, Buffer.from('16030100c8010000c40303', 'hex')),
  },
  'HTTP on a port of MQTT': {
    line: 'refused: looks like HTTP: is it a browser, or a client set to ws? This port speaks MQTT over TCP, without WebSocket.',
    act: sends({}, 'GET / HTTP/1.1\r\n\r\n'),
  },
  'a PROXY header that nobody expects': {
    line: 'refused: looks like the PROXY protocol, version 1: switch it off in the load balancer, or on in this listener.',
    act: sends({}, 'PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n'),
  },
  'another packet first': {
    line: 'refused: fixedHeader: must begin a CONNECT, but begins a PINGREQ (byte 0) [not-connect, MQTT-3.1.0-1]',
    act: sends({}, Buffer.from('c000', 'hex')),
  },
  'a CONNECT that is too large': {
    line: 'refused: remainingLength: makes the packet larger than the maximum of 50 bytes (byte 1) [packet-too-large, 3.2.2.2]',
    act: sends({ limits: { packetSize: 50 } }, connectBytes({ userName: 'u'.repeat(100) })),
  },
  'a CONNECT that takes too long': {
    line: "refused: the client didn't complete its CONNECT in time",
    act: sends({ limits: { handshakeTimeout: 0.3 } }, connectBytes().subarray(0, 9)),
  },
  'a CONNECT that ends early': {
    line: 'left: remainingLength: the packet is not complete (byte 9) [packet-incomplete, MQTT-3.1.4-1]',
    async act(stage) {
      const socket = await stage.connect(await stage.start(), connectBytes().subarray(0, 9))
      socket.end()
      await once(socket, 'close')
    },
  },
  'a reset in the middle of a CONNECT': {
    line: 'left: the client reset the connection in the middle of its CONNECT',
    async act(stage) {
      const socket = await stage.connect(await stage.start(), connectBytes().subarray(0, 9))
      await until(() => (stage.gateway!.open.all()[0]?.bytesRead ?? 0) > 0)
      await sleep(20)
      socket.resetAndDestroy()
    },
  },
}
