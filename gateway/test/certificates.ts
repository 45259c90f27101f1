import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Folder } from './support.ts'

/** The files of a certificate, and their text. */
export interface Certificate {
  readonly certificate: string
  readonly key: string
  readonly certPem: string
  readonly keyPem: string
}

/** An authority and the P-256 certificates that it has signed, made with openssl. */
export class Authority {
  readonly file: string
  readonly pem: string
  readonly #folder: Folder

  constructor(folder: Folder) {
    this.#folder = folder
    this.file = join(folder.path, 'ca.pem')
    openssl(
      ...['req', '-x509', '-days', '2', '-subj', '/CN=Test authority', '-out', this.file],
      ...['-keyout', join(folder.path, 'ca.key'), ...NEW_KEY],
    )
    this.pem = readFileSync(this.file, 'utf8')
  }

  /** @param names the subject alternative names: `DNS:localhost` */
  issue(commonName: string, ...names: readonly string[]): Certificate {
    const path = (ending: string) => join(this.#folder.path, `${commonName}.${ending}`)
    const extensions = this.#folder.write(
      `${commonName}.ext`,
      names.length > 0 ? `subjectAltName=${names.join(',')}` : '',
    )
    openssl('req', '-subj', `/CN=${commonName}`, '-out', path('csr'), '-keyout', path('key'), ...NEW_KEY)
    openssl(
      ...['x509', '-req', '-days', '2', '-in', path('csr'), '-out', path('pem'), '-CA', this.file],
      ...['-CAkey', join(this.#folder.path, 'ca.key'), '-CAcreateserial', '-extfile', extensions],
    )
    return {
      certificate: path('pem'),
      key: path('key'),
      certPem: readFileSync(path('pem'), 'utf8'),
      keyPem: readFileSync(path('key'), 'utf8'),
    }
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' })
}
