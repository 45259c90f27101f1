import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect as connectTo, isIP } from 'node:net'
import { expect } from 'chai'
import { property, v5 } from 'mqtt-connect-packet'
import { userLine } from '../lib/authenticate/users.ts'
import { Gateway } from '../lib/operate/gateway.ts'
import { createLog } from '../lib/operate/log.ts'
import { configOf, Folder, until } from './support.ts'

const document = readFileSync(new URL('../OPERATING.md', import.meta.url), 'utf8')
/** As fail2ban reads it, which takes the time off a line first. */
const pattern = /^failregex = (.*)$/m.exec(document)![1]!.replace('<ADDR>', '([0-9a-f.:]+?)')
const regex = new RegExp(pattern)

describe("gateway: the documented filter for fail2ban, which isn't installed here", () => {
  const folder = new Folder()
  let gateway: Gateway | undefined
  let output = ''

  afterEach(() => gateway?.close())
  after(() => folder.remove())

  /** The line about a client that sends these bytes, without its time. */
  async function line(bytes: Uint8Array, more: object = {}): Promise<string> {
    output = ''
    const log = { format: 'text', connects: false, sessions: true, timestamps: true } as const
    const upstreams = [{ host: '127.0.0.1', port: 1 }]
    const config = configOf({ upstreams, ...more })
    gateway = new Gateway(config, createLog(log, { write: (text: string) => (output += text) } as never))
    await gateway.start()
    const socket = connectTo(gateway.listeners[0]!.address.port, '127.0.0.1').on('error', () => {})
    // Half-closed: a CONNECT that is cut short ends there.
    socket.end(bytes)
    await new Promise((resolve) => socket.resume().once('close', resolve))
    await until(() => output.includes('refused'))
    const [first = ''] = output.split('\n').filter((text) => text.includes('refused'))
    expect(first).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z 127\.0\.0\.1:\d+ refused: /)
    return first.replace(/^\S+/, '')
  }

  const connect = (fields: object = {}) =>
    new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c', ...fields }).bytes
  const users = (text = '') => ({ authentication: { users: { file: folder.write('users', text) } } })
  const jwt = () => ({ authentication: { jwt: { keys: folder.write('keys', '{"keys":[]}') } } })
  const credentials = { userName: 'u', password: 'p' }

  for (const [what, make] of Object.entries({
    'an unknown user': () => line(connect(credentials), users()),
    "a known user's wrong password": async () =>
      line(connect(credentials), users(await userLine('u', 'right'))),
    'a password that ends with U+0000': async () =>
      line(connect({ userName: 'u', password: 'right\0' }), users(await userLine('u', 'right'))),
    'no credentials': () => line(connect(), users()),
    'an authentication method': () =>
      line(connect({ ...credentials, props: [property.authenticationMethod('m')] }), users()),
    'an invalid JWT': () => line(connect({ userName: 'u', password: 'a.b.c' }), jwt()),
    'a service that gives no reason': async () => {
      const service = createServer((_request, response) => response.end('{"result":"deny"}'))
      await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
      const text = await line(connect(), { authentication: { http: { url } } })
      service.close()
      return text
    },
    'another packet': () => line(Buffer.from('c000', 'hex')),
    HTTP: () => line(Buffer.from('GET / HTTP/1.1\r\n\r\n')),
  })) {
    it(`matches ${what}`, async () => {
      const text = await make()
      const address = regex.exec(text)?.[1]
      expect(address, text).to.equal('127.0.0.1')
      expect(isIP(address!)).to.equal(4)
    })
  }

  for (const [what, make] of Object.entries({
    'a broker that is down': () => line(connect()),
    'a CONNECT that is cut short': () => line(connect().subarray(0, 9)),
  })) {
    it(`does not match ${what}`, async () => {
      const text = await make()
      if (what.includes('cut')) expect(text).to.contain('[packet-incomplete, ')
      expect(text).not.to.match(regex)
    })
  }

  it('finds an IPv6 address', () => {
    expect(regex.exec(' [2001:db8::1]:4000 refused: no credentials')?.[1]).to.equal('2001:db8::1')
  })
})
