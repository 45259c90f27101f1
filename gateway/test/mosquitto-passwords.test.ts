import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { checksOf } from '../lib/authenticate/authenticate.ts'
import { userLine } from '../lib/authenticate/users.ts'
import { FileError } from '../lib/settings/files.ts'
import {
  configOf,
  Folder,
  freePort,
  needs,
  Program,
  Running,
  refusalCode,
  startMosquitto,
  upstreamOf,
} from './support.ts'

/** Realistic users and passwords. One password is longer than a block of SHA-512. */
const users: readonly (readonly [name: string, password: string])[] = [
  ['alice', 'secret'],
  ['jürgen', 'pässwörd €'],
  ['long', 'x'.repeat(150)],
  ['$7$', 'a:b$c'],
]

describe("gateway: mosquitto's password file", function () {
  this.timeout(60_000)
  const folder = new Folder()
  let file: string
  let broker: Program
  let strict: Program
  let gateway: Running | undefined

  before(async function () {
    needs(this, 'mosquitto', 'mosquitto_passwd')
    file = folder.write('passwords', '')
    for (const [name, password] of users) execFileSync('mosquitto_passwd', ['-b', file, name, password])
    broker = await startMosquitto(folder)
    const port = await freePort()
    const text = `listener ${port} 127.0.0.1\nuser root\nallow_anonymous false\npassword_file ${file}\n`
    strict = await Program.start(port, 'mosquitto', '-c', folder.write('strict.conf', text))
  })

  afterEach(() => gateway?.close())

  after(async () => {
    await broker?.stop()
    await strict?.stop()
    folder.remove()
  })

  it('admits the same users as mosquitto', async () => {
    gateway = await Running.start({
      upstreams: [upstreamOf(broker)],
      authentication: { users: { file } },
      rewrite: { userName: null, password: null },
    })
    const attempts = [
      ...users,
      ['alice', 'secret '],
      ['alice', ''],
      ['Alice', 'secret'],
      ['long', 'x'.repeat(149)],
    ]
    const answers = async (port: number) => {
      const all: unknown[] = []
      for (const [username, password] of attempts) all.push(await refusalCode(port, { username, password }))
      return all
    }
    const own = await answers(gateway.port())
    expect(own.map((answer) => answer === 'accepted')).to.deep.equal([
      ...users.map(() => true),
      ...[false, false, false, false],
    ])
    const theirs = await answers(strict.port)
    expect(theirs.map((answer) => answer === 'accepted')).to.deep.equal(
      own.map((answer) => answer === 'accepted'),
    )
  })

  it('may have lines of the gateway too', async () => {
    const both = folder.write('both', `${readFileSync(file, 'utf8')}${await userLine('bob', 'hidden')}\n`)
    gateway = await Running.start({
      upstreams: [upstreamOf(broker)],
      authentication: { users: { file: both } },
    })
    for (const [username, password] of [...users, ['bob', 'hidden']] as const)
      expect(await refusalCode(gateway.port(), { username, password }), username).to.equal('accepted')
    expect(await refusalCode(gateway.port(), { username: 'bob', password: 'secret' })).to.equal(4)
  })

  it('is refused with the number of an unusable line, without quoting the line', () => {
    const old = folder.write('old', '')
    execFileSync('mosquitto_passwd', ['-H', 'sha512', '-b', old, 'carol', 'sesame'])
    const [good] = readFileSync(file, 'utf8').split('\n')
    const cases: readonly (readonly [text: string, problem: RegExp])[] = [
      [
        readFileSync(old, 'utf8'),
        /line 1 has a hash of mosquitto's kind \$6\$; .* mosquitto_passwd -H sha512-pbkdf2$/,
      ],
      [
        `${good}\ndave:$argon2id$v=19$m=47104,t=1,p=1$c2FsdHNhbHQ$aGFzaA\n`,
        /line 2 has a hash .* \$argon2id\$/,
      ],
      [`${good}\nplain:sesame\n`, /line 2 is neither NAME:scrypt:N,r,p:SALT:HASH nor NAME:\$7\$/],
      [good!.replace('$101$', '$999999999$'), /line 1 is neither/],
      [good!.replace('$101$', '$0$'), /line 1 is neither/],
      [good!.slice(0, -4), /line 1 is neither/],
    ]
    for (const [text, problem] of cases) {
      const path = folder.write('bad', text)
      const { authentication } = configOf({ authentication: { users: { file: path } } })
      expect(() => checksOf(authentication)).to.throw(FileError, problem)
      expect(() => checksOf(authentication)).not.to.throw(/sesame|aGFzaA/)
    }
  })
})
