import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'

/** One text of pastes.txt: the command that printed it, and the bytes in it or the message of the refusal. */
export interface Paste {
  readonly command: string
  readonly text: string
  readonly bytes?: Buffer
  readonly refusal?: string
}

const [head = '', ...sections] = readFileSync(new URL('pastes.txt', import.meta.url), 'utf8').split(/^=== /m)

const packets = new Map<string, Buffer>()
for (const [, name = '', hex = ''] of head.matchAll(/^(\w+) = ([\da-f]+)$/gm))
  packets.set(name, Buffer.from(hex, 'hex'))

/** The bytes of a packet named in pastes.txt. */
export function packetNamed(name: string): Buffer {
  const bytes = packets.get(name)
  if (bytes === undefined) throw new Error(`no packet ${name} in pastes.txt`)
  return bytes
}

export const pastes: readonly Paste[] = sections.map((section) => {
  const [, outcome = '', command = '', text = ''] = /^([^\n]+?) \| ([^\n]+)\n(.*)$/s.exec(section) ?? []
  const refusal = /^refused: (.*)$/.exec(outcome)?.[1]
  return { command, text, ...(refusal === undefined ? { bytes: packetNamed(outcome) } : { refusal }) }
})

export const readable: readonly (Paste & { readonly bytes: Buffer })[] = pastes.filter(
  (paste): paste is Paste & { readonly bytes: Buffer } => paste.bytes !== undefined,
)
