import { createServer, type Server } from 'node:http'

/** The reports of the admin port. */
export interface Reported {
  ready(): boolean
  /** All metrics in Prometheus's text format. */
  metrics(): Promise<string>
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics`.
 *
 * @throws Error with `code`, as the rejection, if it cannot listen
 */
export async function startAdmin(
  address: { host: string; port: number },
  reported: Reported,
): Promise<Server> {
  const server = createServer(async ({ method, url = '' }, response) => {
    const answer = (status: number, text: string) => {
      response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4' }).end(text)
    }
    if (method !== 'GET' && method !== 'HEAD') answer(405, 'GET only\n')
    else if (url === '/healthz') answer(200, 'ok\n')
    else if (url === '/readyz')
      answer(reported.ready() ? 200 : 503, reported.ready() ? 'ready\n' : 'not ready\n')
    else if (url !== '/metrics') answer(404, '/healthz, /readyz, /metrics\n')
    else {
      await reported.metrics().then(
        (text) => answer(200, text),
        (error) => answer(500, `${error.message}\n`),
      )
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, resolve)
  })
  server.on('error', () => {})
  return server
}
