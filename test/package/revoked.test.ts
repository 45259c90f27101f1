import { expect } from 'chai'

/*
 * A bundler drops calls that seem to do nothing, and the other tests run the sources. So this one asks the files of the package.
 */

const dist = new URL('../../dist/', import.meta.url).href

/** A proxy that throws an error without a code, whatever is done with it. */
function revoked(target: object): never {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy as never
}

describe('a revoked proxy as an argument of the package', () => {
  for (const [what, target] of [
    ['object', {}],
    ['array', []],
  ] as const) {
    it(`is misuse with a code if it was an ${what}`, async () => {
      const {
        decode,
        explain,
        connack,
        v5,
        Will,
        PacketParser,
        bytesFromText,
      }: typeof import('../../lib/index.ts') = await import(`${dist}index.js`)
      const { encodeUnchecked }: typeof import('../../lib/testing/index.ts') = await import(
        `${dist}testing/index.js`
      )
      const { fromMqttPacket }: typeof import('../../lib/interop/mqtt-packet.ts') = await import(
        `${dist}interop/mqtt-packet.js`
      )
      const browser: typeof import('../../lib/packets/index.ts') = await import(
        `${dist}browser/packets/index.js`
      )
      const fields = { cleanStart: true, keepAlive: 0, clientId: 'c' }
      const ping = Buffer.from('c000', 'hex')
      const value = revoked(target)
      for (const action of [
        () => decode(value),
        () => decode(ping, value),
        () => decode(ping, { allow: value }),
        () => explain(ping, value),
        () => connack(5, 0, value),
        () => connack(5, 0, { userProperties: value }),
        () => new v5.ConnectPacket(value),
        () => new v5.ConnectPacket({ ...fields, clientId: value }),
        () => new v5.ConnectPacket({ ...fields, will: value }),
        () => new v5.ConnectPacket({ ...fields, props: value }),
        () => new v5.ConnectPacket({ ...fields, props: [value] }),
        () => new v5.ConnectPacket(fields).with(value),
        () => new v5.ConnectPacket(fields).equals(value),
        () => new Will({ topic: 't', message: value }),
        () => new PacketParser(value),
        () => bytesFromText(value),
        () => fromMqttPacket(value),
        () => fromMqttPacket({ cmd: 'connect', properties: value }),
        () => encodeUnchecked(v5.ConnectPacket, value),
        () => encodeUnchecked(value, fields),
        () => new browser.v5.ConnectPacket(value),
        () => browser.decode(ping, value),
      ]) {
        expect(action, `${action}`).to.throw(TypeError).with.property('code', 'ERR_INVALID_ARG_TYPE')
      }
    })
  }
})
