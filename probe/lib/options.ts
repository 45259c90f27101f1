import type { SecureContextOptions } from 'node:tls'
import { suggestion, UsageError } from './errors.ts'
import { versions } from './packets.ts'
import type { VersionLabel } from './result.ts'

/** The options of `probe`. */
export interface ProbeOptions {
  /** The versions to test. Default all: 3.1, 3.1.1 and 5.0. */
  readonly protocol?: readonly VersionLabel[]
  /**
   * Only these cases: clauses (`MQTT-3.1.2-12`), groups (`will`) or ids (`will.delayed`). Slow cases that are named here run without
   * `slow`. Default all.
   */
  readonly only?: readonly string[]
  /** The time to wait for an answer, in milliseconds: 1 to 16,777,216. Default 5000. */
  readonly timeout?: number
  /** The number of cases that run at the same time: 1 to 1000. Default 16. */
  readonly concurrency?: number
  /** True to run the cases that take up to half a minute each as well: keep alive. Default false. */
  readonly slow?: boolean
  /** User name and password, for a server that knows its clients. They replace those of the URL. Default none. */
  readonly userName?: string | undefined
  readonly password?: string | undefined
  /** Certificates for TLS, as for `tls.connect`. */
  readonly tls?: SecureContextOptions
  /** Says that the server is your own, which allows a public address. Default false. */
  readonly ownServer?: boolean
  /** Is called when a case begins. */
  readonly onStart?: (id: string, done: number, all: number) => void
}

/** The largest values, also for the command line. */
export const MOST = { timeout: 2 ** 24, concurrency: 1000 } as const

const kinds: Readonly<Record<keyof ProbeOptions, (value: unknown) => boolean>> = {
  protocol: isListOfText,
  only: isListOfText,
  timeout: (value) => typeof value === 'number',
  concurrency: (value) => typeof value === 'number',
  slow: (value) => typeof value === 'boolean',
  userName: (value) => typeof value === 'string',
  password: (value) => typeof value === 'string',
  tls: (value) => typeof value === 'object',
  ownServer: (value) => typeof value === 'boolean',
  onStart: (value) => typeof value === 'function',
}

function isListOfText(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/**
 * Checks all options except `only`, which depends on the cases.
 *
 * @throws UsageError
 */
export function checkOptions(options: ProbeOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw new UsageError('options: must be an object', 'ERR_INVALID_ARG_TYPE')
  }
  for (const [name, value] of Object.entries(options)) {
    const isRight = Object.hasOwn(kinds, name) ? kinds[name as keyof ProbeOptions] : undefined
    if (isRight === undefined) {
      throw new UsageError(`Unknown option '${name}'.${suggestion(name, Object.keys(kinds))}`)
    }
    if (value !== undefined && !isRight(value)) {
      throw new UsageError(`${name}: must not be of this type`, 'ERR_INVALID_ARG_TYPE')
    }
  }
  const { protocol = [] } = options
  const labels: readonly string[] = versions.map(({ label }) => label)
  const unknown = protocol.find((one) => !labels.includes(one))
  if (unknown !== undefined) throw new UsageError(`protocol: must be ${labels.join(', ')}, not ${unknown}`)
  if (options.protocol?.length === 0) throw new UsageError('protocol: must name a version')
  for (const name of ['timeout', 'concurrency'] as const) {
    const value = options[name]
    if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= MOST[name])) continue
    throw new UsageError(`${name}: must be a whole number from 1 to ${MOST[name]}`, 'ERR_OUT_OF_RANGE')
  }
}
