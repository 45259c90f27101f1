/*
 * The service worker caches the page's own files, so that the page works offline after the first visit. It asks the server first, so that
 * nobody gets an outdated page, and sends nothing except requests for these files.
 */

/** The members of a service worker that are missing in TypeScript's types for pages. */
interface Worker {
  addEventListener(type: 'install' | 'activate' | 'fetch', listener: (event: WorkerEvent) => void): void
  skipWaiting(): Promise<void>
}

interface WorkerEvent extends Event {
  readonly request: Request
  waitUntil(promise: Promise<unknown>): void
  respondWith(response: Promise<Response>): void
}

const worker = globalThis as unknown as Worker
const CACHE = 'mqtt-handshake-playground'
const files = ['./', './index.html', './playground.js', './style.css']

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(files))
      .then(() => worker.skipWaiting()),
  )
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return
  event.respondWith(answer(request))
})

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const kept = (): Promise<Response | undefined> => cache.match(request, { ignoreSearch: true })
  try {
    const response = await fetch(request)
    if (response.ok && (await kept()) !== undefined) await cache.put(request, response.clone())
    return response
  } catch (error) {
    const response = await kept()
    if (response === undefined) throw error
    return response
  }
}
