import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { buildPlayground } from './build.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** Serves the built page from a directory, compressed, under any path. */
export function serve(directory: string): Server {
  // Compressing a file takes up to a second.
  const compressed = new Map<string, Buffer>()
  return createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = /[^/]*$/.exec(pathname)![0] || 'index.html'
    const type = types[extname(name)]
    try {
      if (type === undefined || name.includes('..')) throw new Error('not a file of the page')
      const isBrotli = /\bbr\b/.test(`${request.headers['accept-encoding']}`)
      const key = `${name} ${isBrotli}`
      let content = compressed.get(key)
      if (content === undefined) {
        const file = await readFile(join(directory, name))
        content = isBrotli ? brotliCompressSync(file) : gzipSync(file, { level: 9 })
        compressed.set(key, content)
      }
      response.writeHead(200, {
        'content-type': type,
        'content-encoding': isBrotli ? 'br' : 'gzip',
        'content-length': content.length,
        'cache-control': 'no-cache',
      })
      response.end(content)
    } catch {
      response.writeHead(404).end()
    }
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const directory = join(import.meta.dirname, 'dist')
  await buildPlayground(directory)
  const { PORT } = process.env
  const port = Number(PORT ?? 8080)
  serve(directory).listen(port, '127.0.0.1', () => console.log(`http://localhost:${port}/`))
}
