import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { parseAddress } from './parse-address.ts'

/*
 * Types of values that several stages share. Each stage defines its options with them, and `operate/schema.ts` puts the options together.
 */

export const port = z.int().min(0).max(65_535)
export const host = z.string().min(1)
/** Timers take at most 2^31 - 1 milliseconds. */
export const seconds = z.number().min(0.001).max(2_147_483)
export const count = z.int().positive()
/** Linux takes at most 32,767 s. */
export const tcpKeepAlive = z
  .int()
  .min(1)
  .max(32_767)
  .nullable()
  .default(60)
  .describe('Seconds of silence before TCP probes the other side. null turns the probes off.')
/** The folder of the configuration file that is being read. */
let folder = '.'
/** The options in it that are the contents of a file. */
let contents: ReadonlySet<string> = new Set()
export const file = z
  .string()
  .min(1)
  // A path is printed in messages, and the contents may be a secret.
  .refine((path) => !contents.has(path), { error: 'must be a path, not the contents of a file', abort: true })
  .overwrite((path) => resolve(folder, path))
  .meta({ format: 'path', description: 'Relative to the configuration file.' })

/** In its normal form, so that `HTTP://` counts as a URL everywhere. */
export const httpUrl = z.url({ protocol: /^https?$/, normalize: true })

export const network = z
  .string()
  .refine(
    isNetwork,
    'must be an IP address or a network, such as 10.0.0.0/8 (IPv4 clients never have an IPv6 address)',
  )

/**
 * Prepares for parsing a configuration.
 *
 * @param path paths are relative to this folder
 * @param contentsOfFiles the options that are the contents of a file
 */
export function prepareFor(path: string, contentsOfFiles: ReadonlySet<string>): void {
  folder = path
  contents = contentsOfFiles
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0 || address.includes('%')) return false
  // Clients with mapped addresses count as IPv4, so such a network would include nobody.
  if (parseAddress(address).range() === 'ipv4Mapped') return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
