import { createServer, type Server } from 'node:http'
import { ADMIN_CONNECTIONS } from '../limit/descriptors.ts'

/** The reports of the admin port. */
export interface Reported {
  ready(): boolean
  /** All metrics in Prometheus's text format. */
  metrics(): Promise<string>
}

/**
 * The time in milliseconds for which the metrics aren't computed again. Computing them keeps the process from forwarding, and anybody who reaches the
 * port may ask for them.
 */
const FRESH = 100

/** The time in milliseconds that a client may take to send its request, or may pause in reading the answer. */
const PATIENCE = 10_000

/**
 * Serves `/healthz`, `/readyz` and `/metrics`.
 *
 * @throws Error with `code`, as the rejection, if it cannot listen
 */
export async function startAdmin(
  address: { host: string; port: number },
  reported: Reported,
): Promise<Server> {
  let metrics: Promise<string> | undefined
  const latest = () => {
    if (metrics) return metrics
    const expire = () => {
      metrics = undefined
    }
    const expireSoon = () => setTimeout(expire, FRESH).unref()
    metrics = reported.metrics()
    metrics.then(expireSoon, expireSoon)
    return metrics
  }
  const times = { headersTimeout: PATIENCE, requestTimeout: PATIENCE, connectionsCheckingInterval: 1000 }
  const server = createServer(times, async ({ method, url = '' }, response) => {
    const answer = (status: number, text: string) => {
      const headers = { 'content-type': 'text/plain; version=0.0.4', connection: 'close' }
      response.writeHead(status, headers).end(text)
    }
    if (method !== 'GET' && method !== 'HEAD') answer(405, 'GET only\n')
    else if (url === '/healthz') answer(200, 'ok\n')
    else if (url === '/readyz')
      answer(reported.ready() ? 200 : 503, reported.ready() ? 'ready\n' : 'not ready\n')
    else if (url !== '/metrics') answer(404, '/healthz, /readyz, /metrics\n')
    else {
      await latest().then(
        (text) => answer(200, text),
        (error) => answer(500, `${error.message}\n`),
      )
    }
  })
  server.timeout = PATIENCE
  // Without a limit, they could take all file descriptors.
  server.maxConnections = ADMIN_CONNECTIONS
  // Thousands of requests fit into a single chunk, and each answer takes tens of kilobytes.
  server.maxRequestsPerSocket = 1
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, resolve)
  })
  server.on('error', () => {})
  return server
}
