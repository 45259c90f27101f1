import { execFileSync } from 'node:child_process'
import { type EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectTls } from 'node:tls'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { Authority, type Certificate, encryptKey } from './certificates.ts'
import {
  configOf,
  FakeBroker,
  Folder,
  freePort,
  needs,
  Program,
  Running,
  until,
  upstreamOf,
} from './support.ts'

const connect5 = new v5.ConnectPacket({ cleanStart: true, keepAlive: 60, clientId: 'c' }).bytes

describe('gateway: certificates of clients', function () {
  this.timeout(60_000)
  const folder = new Folder()
  let authority: Authority
  let server: Certificate
  let device: Certificate
  let stolen: Certificate
  let broker: FakeBroker
  let gateway: Running | undefined
  const names: (string | undefined)[] = []

  before(async function () {
    needs(this, 'openssl')
    authority = new Authority(folder)
    server = authority.issue('server', 'DNS:localhost')
    device = authority.issue('device-7', 'email:seven@example.org')
    stolen = authority.issue('stolen')
    broker = await FakeBroker.answering((packet) => names.push(packet.userName))
  })

  afterEach(() => {
    gateway?.close()
    gateway = undefined
    names.length = 0
  })

  after(() => {
    broker?.close()
    folder.remove()
  })

  const listenerOf = (clientCertificates: object, port = 0) => ({
    port,
    tls: {
      certificates: [{ certificate: server.certificate, key: server.key }],
      clientCertificates: { authorities: authority.file, ...clientCertificates },
    },
  })

  async function start(clientCertificates: object, userName = 'commonName', port = 0): Promise<number> {
    gateway?.close()
    gateway = await Running.start({
      upstreams: [upstreamOf(broker)],
      listeners: [listenerOf(clientCertificates, port)],
      authentication: { certificate: { userName } },
    })
    return gateway.port()
  }

  /** The answer to a client with this certificate: a CONNACK in hex, or `closed`. */
  async function answerTo(port: number, certificate?: Certificate): Promise<string> {
    const socket = connectTls({
      ...{ port, host: '127.0.0.1', servername: 'localhost', ca: authority.pem },
      ...(certificate && { cert: certificate.certPem, key: certificate.keyPem }),
    })
    socket.on('error', () => {})
    socket.on('secureConnect', () => socket.write(connect5))
    const answer = once(socket, 'data').then(([bytes]) => (bytes as Buffer).toString('hex'))
    const closed = once(socket as EventEmitter, 'close').then(() => 'closed')
    const first = await Promise.race([answer.catch(() => 'closed'), closed])
    socket.destroy()
    return first
  }

  it('may have an authority whose certificate begins in the middle of a line, as after files without a last line break', async () => {
    const second = new Folder()
    try {
      const other = new Authority(second, 'Second authority')
      const glued = `my authority: ${other.pem.trimEnd()}${authority.pem}`
      const port = await start({ authorities: folder.write('glued.pem', glued) })
      for (const client of [device, other.issue('visitor')])
        expect(await answerTo(port, client)).to.equal('2003000000')
    } finally {
      second.remove()
    }
  })

  describe('their names', () => {
    const subjects: readonly (readonly [subject: string, name: string])[] = [
      ['/C=DE/O=Example\\, Inc./CN=device-7', 'CN=device-7,O=Example\\, Inc.,C=DE'],
      ['/O=Example/OU=sensors+CN=device-8', 'CN=device-8+OU=sensors,O=Example'],
      // Escaped, because a raw line break would look like the end of a part.
      ['/CN=mallory\nO=Example', 'CN=mallory\\0AO=Example'],
      ['/CN=jürgen "j" <x>', 'CN=jürgen \\"j\\" \\<x\\>'],
    ]

    it('may be the subject as openssl and RFC 4514 write it', async () => {
      const port = await start({}, 'subject')
      for (const [i, [subject]] of subjects.entries()) {
        const certificate = authority.issueFor(`subject-${i}`, subject)
        const shown = execFileSync('openssl', [
          ...['x509', '-in', certificate.certificate, '-noout', '-subject', '-nameopt', 'RFC2253,-esc_msb'],
        ])
        expect(await answerTo(port, certificate)).to.equal('2003000000')
        expect(`subject=${names.at(-1)}\n`).to.equal(shown.toString())
      }
      expect(names).to.deep.equal(subjects.map(([, name]) => name))
    })

    it('may be the subject as mosquitto takes it with use_subject_as_username', async function () {
      needs(this, 'mosquitto', 'mosquitto_pub')
      const certificate = authority.issueFor('compared', '/C=DE/O=Example/CN=device-9')
      const port = await freePort()
      const conf = `listener ${port} 127.0.0.1\nuser root\ncafile ${authority.file}\ncertfile ${server.certificate}\n
keyfile ${server.key}\nrequire_certificate true\nuse_subject_as_username true\nlog_type all\n`
      const mosquitto = await Program.start(port, 'mosquitto', '-c', folder.write('subject.conf', conf), '-v')
      const files = ['--cafile', authority.file, '--cert', certificate.certificate, '--key', certificate.key]
      execFileSync('mosquitto_pub', ['-h', 'localhost', '-p', `${port}`, ...files, '-t', 't', '-m', 'm'])
      await until(() => / u'/.test(mosquitto.output))
      const theirs = / u'([^']*)'/.exec(mosquitto.output)?.[1]
      await mosquitto.stop()
      await answerTo(await start({}, 'subject'), certificate)
      expect(names).to.deep.equal([theirs])
    })

    it('may be the fingerprint or the serial number, as openssl prints them', async () => {
      const openssl = (...args: string[]) =>
        execFileSync('openssl', ['x509', '-in', device.certificate, '-noout', ...args])
          .toString()
          .trim()
      await answerTo(await start({}, 'fingerprint'), device)
      await answerTo(await start({}, 'serial'), device)
      const fingerprint = openssl('-fingerprint', '-sha256').split('=')[1]?.replaceAll(':', '').toLowerCase()
      expect(names).to.deep.equal([fingerprint, openssl('-serial').split('=')[1]])
    })
  })

  describe('a revocation list', () => {
    for (const place of ['the default certificate', 'a certificate chosen by SNI']) {
      it(`keeps a certificate out, with a reason in the log, and nobody else: ${place}`, async () => {
        const listener = listenerOf({ revoked: authority.revoke([stolen], 'crl.pem') })
        const other = authority.issue('other', 'DNS:other.example')
        if (place.endsWith('SNI'))
          listener.tls.certificates.unshift({ certificate: other.certificate, key: other.key })
        gateway = await Running.start({
          upstreams: [upstreamOf(broker)],
          listeners: [listener],
          authentication: { certificate: {} },
        })
        const port = gateway.port()
        expect(await answerTo(port, device)).to.equal('2003000000')
        expect(await answerTo(port, stolen)).to.equal('closed')
        await until(() =>
          gateway!.report.lines.some((line) =>
            line.endsWith('refused the client has a certificate that has been revoked'),
          ),
        )
        expect(names).to.deep.equal(['device-7'])
      })
    }

    it('leaves a client to the other checks if its revoked certificate is optional', async () => {
      const port = await start({ required: false, revoked: authority.revoke([stolen], 'crl.pem') })
      expect(await answerTo(port, device)).to.equal('2003000000')
      expect(await answerTo(port, stolen)).to.equal('2003008700')
      expect(await answerTo(port)).to.equal('2003008700')
      expect(names).to.deep.equal(['device-7'])
    })

    it('is read again on a reload, also for clients that resume a TLS session', async () => {
      const listenPort = await freePort()
      const port = await start({ revoked: authority.revoke([], 'crl.pem') }, 'commonName', listenPort)
      expect(await answerTo(port, stolen)).to.equal('2003000000')
      authority.revoke([stolen], 'crl.pem')
      expect(await answerTo(port, stolen)).to.equal('2003000000')
      let session: Buffer | undefined
      const first = connectTls({
        ...{ port, host: '127.0.0.1', servername: 'localhost', ca: authority.pem },
        ...{ cert: stolen.certPem, key: stolen.keyPem },
      })
      first.on('session', (bytes) => {
        session = bytes
      })
      first.on('error', () => {})
      let answer: Buffer = Buffer.alloc(0)
      first.on('data', (chunk: Buffer) => {
        answer = chunk
      })
      await until(() => session !== undefined)
      await gateway!.gateway.reload(
        configOf({
          upstreams: [upstreamOf(broker)],
          listeners: [listenerOf({ revoked: `${folder.path}/crl.pem` }, listenPort)],
          authentication: { certificate: {} },
        }),
      )
      // Also for one that has completed its TLS handshake before, but not its CONNECT.
      first.write(connect5)
      await once(first as EventEmitter, 'close')
      expect(answer.toString('hex')).to.equal('2003008800')
      expect(await answerTo(port, stolen)).to.equal('closed')
      const resumed = connectTls({
        ...{ port, host: '127.0.0.1', servername: 'localhost', ca: authority.pem, session },
        ...{ cert: stolen.certPem, key: stolen.keyPem },
      })
      resumed.on('error', () => {}).on('secureConnect', () => resumed.write(connect5))
      let received = 0
      resumed.on('data', ({ length }) => {
        received += length
      })
      await once(resumed as EventEmitter, 'close')
      expect(received).to.equal(0)
      expect(await answerTo(port, device)).to.equal('2003000000')
    })

    it('is checked for each connection, because no TLS session is resumed', async () => {
      const port = await start({})
      for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
        const options = {
          ...{ port, host: '127.0.0.1', servername: 'localhost', ca: authority.pem, maxVersion },
          ...{ cert: device.certPem, key: device.keyPem },
        }
        const first = connectTls(options)
        let session: Buffer | undefined
        first.on('session', (bytes) => {
          session = bytes
        })
        first.on('secureConnect', () => first.write(connect5))
        // In TLS 1.3 tickets arrive after the handshake, but before the CONNACK.
        await once(first, 'data')
        const second = connectTls({ ...options, session: session ?? first.getSession() })
        await once(second, 'secureConnect')
        expect(second.isSessionReused(), maxVersion).to.equal(false)
        for (const socket of [first, second]) socket.destroy()
      }
    })

    it('that has expired keeps everybody out, because the next one may revoke any certificate', async () => {
      const port = await start({ revoked: authority.revoke([stolen], 'old.pem', -1) })
      expect(await answerTo(port, device)).to.equal('closed')
      await until(() =>
        gateway!.report.lines.some((line) =>
          line.endsWith('whose authority has a revocation list that has expired'),
        ),
      )
    })

    it('of several authorities is read from one file, and an expired one concerns only its own authority', async () => {
      const second = new Folder()
      try {
        const other = new Authority(second, 'Second authority')
        const [visitor, thief] = [other.issue('visitor'), other.issue('thief')]
        const authorities = folder.write('both.pem', `${authority.pem}${other.pem}`)
        const bothLists = (days: number) => {
          const files = [authority.revoke([stolen], 'crl.pem', days), other.revoke([thief], 'crl.pem')]
          return folder.write('both-lists.pem', files.map((file) => readFileSync(file, 'utf8')).join(''))
        }
        let port = await start({ authorities, revoked: bothLists(2) })
        expect(await answerTo(port, device)).to.equal('2003000000')
        expect(await answerTo(port, visitor)).to.equal('2003000000')
        expect(await answerTo(port, stolen)).to.equal('closed')
        expect(await answerTo(port, thief)).to.equal('closed')
        port = await start({ authorities, revoked: bothLists(-1) })
        expect(await answerTo(port, device)).to.equal('closed')
        expect(await answerTo(port, visitor)).to.equal('2003000000')
      } finally {
        second.remove()
      }
    })

    it('is reported if it cannot be used', async () => {
      const revoked = folder.write('no-crl.pem', 'no')
      const error = await start({ revoked }).catch((reason) => reason)
      expect(error.message).to.match(/no-crl\.pem: has no certificate revocation list in PEM$/)
      const broken = folder.write('broken.pem', '-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n')
      const other = await start({ revoked: broken }).catch((reason) => reason)
      expect(other.message).to.match(/broken\.pem: cannot be read: /)
    })
  })

  it('serves TLS with an encrypted key, and reports a wrong passphrase without showing it', async () => {
    const key = encryptKey(server, 'sesame')
    const config = (passphrase?: string) => ({
      upstreams: [upstreamOf(broker)],
      listeners: [
        {
          port: 0,
          tls: {
            certificates: [{ certificate: server.certificate, key, ...(passphrase && { passphrase }) }],
          },
        },
      ],
    })
    gateway = await Running.start(config('sesame'))
    expect(await answerTo(gateway.port())).to.equal('2003000000')
    const wrong = await Running.start(config('open sesame')).catch((reason) => reason)
    expect(wrong.message).to.match(/\.encrypted: can't be decrypted: the passphrase is wrong$/)
    const none = await Running.start(config()).catch((reason) => reason)
    expect(none.message).to.match(/\.encrypted: is encrypted, so it needs its passphrase$/)
  })

  it('says which of certificate and key is wrong', async () => {
    const start = (certificate: string, key: string) =>
      Running.start({
        upstreams: [upstreamOf(broker)],
        listeners: [{ port: 0, tls: { certificates: [{ certificate, key }] } }],
      }).catch((reason) => reason)
    const other = authority.issue('other.example', 'DNS:localhost')
    expect((await start(server.certificate, other.key)).message).to.equal(
      `${server.certificate}: belongs to a different key than ${other.key}`,
    )
    expect((await start(server.key, server.key)).message).to.equal(
      `${server.key}: has no certificate in PEM that can be read`,
    )
    expect((await start(server.certificate, server.certificate)).message).to.equal(
      `${server.certificate}: has no private key in PEM that can be read`,
    )
  })
})
