import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** A file that the configuration names can't be used. */
export class FileError extends Error {
  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`)
  }
}

/** The contents of files in base64, by path. */
export type Files = Readonly<Record<string, string>>

/** The files whose contents are known already. */
let known: Files = {}
/** What has been read since the start of `filesReadBy`. */
let seen: Map<string, Buffer> | undefined

/** From now on, reads these files from here and all others from the disk. */
export function readFrom(files: Files): void {
  known = files
}

/** The contents of all files that a function reads. */
export function filesReadBy(act: () => void): Files {
  seen = new Map()
  try {
    act()
    return Object.fromEntries([...seen].map(([path, bytes]) => [path, bytes.toString('base64')]))
  } finally {
    seen = undefined
  }
}

function readFile(path: string): Buffer {
  const bytes = Object.hasOwn(known, path) ? Buffer.from(known[path]!, 'base64') : readFileSync(path)
  seen?.set(path, bytes)
  return bytes
}

/**
 * Reads a text without the byte order mark that some editors write. The first user's name would begin with it.
 *
 * @throws TypeError `ERR_ENCODING_INVALID_ENCODED_DATA` if it isn't UTF-8, because a replacement character would change a name or a secret
 */
export function readText(path: string): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(readFile(path))
}

/**
 * @param read default: the text must be UTF-8
 * @throws FileError
 */
export function readNamedFile(path: string, read: (path: string) => string = readText): string {
  try {
    return read(path)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new FileError(path, Object.hasOwn(problems, code) ? problems[code]! : message)
  }
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: "the gateway's user may not read it",
  EISDIR: 'is a folder',
  ERR_ENCODING_INVALID_ENCODED_DATA: "isn't UTF-8",
}

/**
 * Reads a file in PEM. The text around the PEM blocks may be in any encoding.
 *
 * @throws FileError
 */
export function readPem(path: string): string {
  return readNamedFile(path, () => new TextDecoder().decode(readFile(path)))
}

/**
 * Reads certificates in PEM. Returns nothing else from the file, because OpenSSL ignores a certificate that doesn't begin a line, and all certificates
 * behind one that it can't read. Throws if there are none, because Node would ignore such a file, and then trust nobody.
 *
 * @throws FileError
 */
export function readAuthorities(path: string): string {
  const certificates = readPem(path).match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? []
  if (certificates.length === 0) throw new FileError(path, 'has no certificate in PEM')
  for (const [i, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate)
    } catch {
      throw new FileError(path, `certificate ${i + 1} cannot be read`)
    }
  }
  return certificates.join('\n')
}

/**
 * Reads certificate revocation lists in PEM. Returns each list separately, because Node uses only the first list of a string, and would refuse
 * the clients of all other authorities. Throws if there are none, because Node would ignore such a file.
 *
 * @throws FileError
 */
export function readRevoked(path: string): string[] {
  const lists = readPem(path).match(/-----BEGIN X509 CRL-----.*?-----END X509 CRL-----/gs) ?? []
  if (lists.length === 0) throw new FileError(path, 'has no certificate revocation list in PEM')
  try {
    createSecureContext({ crl: lists })
  } catch (error) {
    throw new FileError(path, `cannot be read: ${(error as Error).message}`)
  }
  return lists
}
