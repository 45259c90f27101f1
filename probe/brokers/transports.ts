import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Authority } from '../../gateway/test/certificates.ts'
import { folder, freePort, type Running, started } from './targets.ts'

/* Mosquitto with a listener for each transport, for the run times. */

const transports = [
  ['TCP', 'mqtt'],
  ['TLS', 'mqtts'],
  ['WebSocket', 'ws'],
  ['WebSocket with TLS', 'wss'],
] as const

export interface Listener {
  readonly name: string
  readonly url: string
  /** Options of the probe. */
  readonly options: readonly string[]
}

export async function listeners(): Promise<{ readonly all: readonly Listener[]; stop: Running['stop'] }> {
  const path = folder({})
  const write = (name: string, text: string): string => {
    writeFileSync(join(path, name), text)
    return join(path, name)
  }
  const authority = new Authority({ path, write } as never)
  const { certificate, key } = authority.issue('localhost', 'DNS:localhost')
  // Started by root, it would become a user who can't read the key.
  const lines = ['allow_anonymous true', `user ${userInfo().username}`]
  const all: Listener[] = []
  for (const [name, scheme] of transports) {
    const port = await freePort()
    lines.push(`listener ${port} 127.0.0.1`)
    if (scheme.startsWith('ws')) lines.push('protocol websockets')
    const isSecure = scheme === 'mqtts' || scheme === 'wss'
    if (isSecure) lines.push(`certfile ${certificate}`, `keyfile ${key}`)
    all.push({
      name,
      url: `${scheme}://localhost:${port}`,
      options: isSecure ? ['--ca', authority.file] : [],
    })
  }
  const config = write('mosquitto.conf', `${lines.join('\n')}\n`)
  const [first] = all
  const { stop } = await started(Number(new URL(first!.url).port), 'mosquitto', ['-c', config])
  return { all, stop }
}
