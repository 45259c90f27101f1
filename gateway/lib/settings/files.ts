import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** A file that the configuration names cannot be used. */
export class FileError extends Error {
  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`)
  }
}

/** @throws FileError */
export function readNamedFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new FileError(path, Object.hasOwn(problems, code) ? problems[code]! : message)
  }
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: "the gateway's user may not read it",
  EISDIR: 'is a folder',
}

/**
 * Reads certificates in PEM. Node would ignore a file that has none, and then trust nobody.
 *
 * @throws FileError
 */
export function readAuthorities(path: string): string {
  const text = readNamedFile(path)
  const certificates = text.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? []
  if (certificates.length === 0) throw new FileError(path, 'has no certificate in PEM')
  for (const [i, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate)
    } catch {
      throw new FileError(path, `certificate ${i + 1} cannot be read`)
    }
  }
  return text
}

/**
 * Reads certificate revocation lists in PEM, and returns each one separately: of several in one string, Node would use only the
 * first, and refuse the clients of all other authorities. It would also ignore a file without any.
 *
 * @throws FileError
 */
export function readRevoked(path: string): string[] {
  const lists = readNamedFile(path).match(/-----BEGIN X509 CRL-----.*?-----END X509 CRL-----/gs) ?? []
  if (lists.length === 0) throw new FileError(path, 'has no certificate revocation list in PEM')
  try {
    createSecureContext({ crl: lists })
  } catch (error) {
    throw new FileError(path, `cannot be read: ${(error as Error).message}`)
  }
  return lists
}
