import { asTheySay, isRelaxable, type ReadAs, type VersionChoice, versionChoices } from './read-as.ts'

export const views = ['explain', 'build', 'compare'] as const
export type View = (typeof views)[number]

/** The contents of the fragment in the page's address. */
export interface Link {
  readonly view: View
  /** One or two items: the packets of one side; two packets to compare; or the client's packets and the server's. */
  readonly packets: readonly Uint8Array[]
  readonly as: ReadAs
  /** The id of an example: `#example=bridge`. */
  readonly example?: string | undefined
  /** The code of an error: `#error=will-qos`. */
  readonly error?: string | undefined
}

const MOST_PARTS = 2

/** The limit for packets in the address, because browsers and mail programs truncate long addresses. */
export const MOST_BYTES = 16_384

/** True if the packets fit into a link. */
export function fits(packets: readonly Uint8Array[]): boolean {
  return packets.reduce((sum, { length }) => sum + length, 0) <= MOST_BYTES
}

/** `#explain=100d…&version=5&allow=bytes-left-over`. Bytes are in plain hex, so that a link can be read and changed. */
export function fragmentOf({ view, packets, as, example, error }: Link): string {
  if (example !== undefined) return `#example=${example}`
  if (error !== undefined) return `#error=${error}`
  if (packets.every(({ length }) => length === 0)) return view === 'explain' ? '' : `#${view}`
  if (!fits(packets)) return `#${view}`
  const parts = [`${view}=${packets.map(hexOf).join('.')}`]
  if (as.version !== '') parts.push(`version=${as.version}`)
  if (as.allow.length > 0) parts.push(`allow=${as.allow.join(',')}`)
  return `#${parts.join('&')}`
}

/** Reads a fragment. Ignores invalid parts, because people type links and copy them incompletely. */
export function linkOf(fragment: string): Link {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''))
  const view = views.find((one) => parameters.has(one)) ?? 'explain'
  const version = parameters.get('version') ?? ''
  const [example, error] = [parameters.get('example'), parameters.get('error')]
  return {
    view,
    packets: (parameters.get(view) ?? '').split('.', MOST_PARTS).map(bytesOf),
    as: {
      version: Object.hasOwn(versionChoices, version) ? (version as VersionChoice) : asTheySay.version,
      allow: (parameters.get('allow') ?? '').split(',').filter(isRelaxable),
    },
    ...(example !== null && { example }),
    ...(error !== null && { error }),
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(/^[\da-f]*$/i.test(hex) ? (hex.match(/../g) ?? []) : [], (byte) =>
    Number.parseInt(byte, 16),
  )
}
