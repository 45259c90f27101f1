import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Folder } from './support.ts'

/** Paths of a certificate and its key, and their contents. */
export interface Certificate {
  readonly certificate: string
  readonly key: string
  readonly certPem: string
  readonly keyPem: string
}

/** An authority that issues P-256 certificates with openssl. */
export class Authority {
  readonly file: string
  readonly pem: string
  readonly #folder: Folder

  constructor(folder: Folder, name = 'Test authority') {
    this.#folder = folder
    this.file = join(folder.path, 'ca.pem')
    openssl(
      ...['req', '-x509', '-days', '2', '-subj', `/CN=${name}`, '-out', this.file],
      ...['-keyout', join(folder.path, 'ca.key'), ...NEW_KEY],
    )
    this.pem = readFileSync(this.file, 'utf8')
  }

  /** @param names subject alternative names, such as `DNS:localhost` */
  issue(commonName: string, ...names: readonly string[]): Certificate {
    return this.issueWith(commonName, names.length > 0 ? `subjectAltName=${names.join(',')}` : '')
  }

  /** @param extension a line such as `extendedKeyUsage=serverAuth` */
  issueWith(commonName: string, extension: string): Certificate {
    const path = (ending: string) => join(this.#folder.path, `${commonName}.${ending}`)
    const extensions = this.#folder.write(`${commonName}.ext`, extension)
    openssl('req', '-subj', `/CN=${commonName}`, '-out', path('csr'), '-keyout', path('key'), ...NEW_KEY)
    openssl(
      ...['x509', '-req', '-days', '2', '-in', path('csr'), '-out', path('pem'), '-CA', this.file],
      ...['-CAkey', join(this.#folder.path, 'ca.key'), '-CAcreateserial', '-extfile', extensions],
    )
    return filesAt(path)
  }

  /** Issues a certificate without alternative names, for a subject such as `/O=Example/CN=device-7`. */
  issueFor(name: string, subject: string): Certificate {
    const path = (ending: string) => join(this.#folder.path, `${name}.${ending}`)
    const csr = ['-utf8', '-subj', subject, '-out', path('csr'), '-keyout', path('key')]
    openssl('req', ...csr, ...NEW_KEY)
    openssl(
      ...['x509', '-req', '-days', '2', '-in', path('csr'), '-out', path('pem'), '-CA', this.file],
      ...['-CAkey', join(this.#folder.path, 'ca.key'), '-CAcreateserial'],
    )
    return filesAt(path)
  }

  issueExpired(commonName: string): Certificate {
    const path = (ending: string) => join(this.#folder.path, `${commonName}.${ending}`)
    openssl('req', '-subj', `/CN=${commonName}`, '-out', path('csr'), '-keyout', path('key'), ...NEW_KEY)
    const dates = ['-startdate', '20200101000000Z', '-enddate', '20200102000000Z']
    openssl(
      ...['ca', '-config', this.#config(), '-batch', '-notext', ...dates],
      ...['-in', path('csr'), '-out', path('pem')],
    )
    return filesAt(path)
  }

  /**
   * Writes a revocation list with these certificates.
   *
   * @param days until the list expires; negative if it has already expired
   */
  revoke(revoked: readonly Certificate[], name: string, days: number = 2): string {
    const path = (file: string) => join(this.#folder.path, file)
    const config = this.#config()
    for (const { certificate } of revoked) openssl('ca', '-config', config, '-revoke', certificate)
    const until = days < 0 ? ['-crl_lastupdate', '20200101000000Z', '-crl_nextupdate', '20200102000000Z'] : []
    openssl('ca', '-config', config, '-gencrl', '-crldays', `${Math.abs(days)}`, ...until, '-out', path(name))
    return path(name)
  }

  /** The configuration for `openssl ca`, without any issued or revoked certificates. */
  #config(): string {
    const { path } = this.#folder
    this.#folder.write('index.txt', '')
    return this.#folder.write(
      'ca.cnf',
      `[ca]\ndefault_ca = own\n[own]\ndatabase = ${join(path, 'index.txt')}\nnew_certs_dir = ${path}\n` +
        `default_md = sha256\ncertificate = ${this.file}\nprivate_key = ${join(path, 'ca.key')}\npolicy = any\nrand_serial = yes\n` +
        '[any]\ncommonName = supplied\n',
    )
  }
}

function filesAt(path: (ending: string) => string): Certificate {
  return {
    certificate: path('pem'),
    key: path('key'),
    certPem: readFileSync(path('pem'), 'utf8'),
    keyPem: readFileSync(path('key'), 'utf8'),
  }
}

export function encryptKey({ key }: Certificate, passphrase: string): string {
  openssl('ec', '-in', key, '-aes256', '-passout', `pass:${passphrase}`, '-out', `${key}.encrypted`)
  return `${key}.encrypted`
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' })
}
