import { Buffer } from 'node:buffer'
import { runInNewContext } from 'node:vm'
import { MqttError, OpaquePacket, v3_1_1, v5, Will } from '../../lib/index.ts'

/** Thrown by the caller's own code. The library may pass it through. */
export class CallersError extends Error {}

function fails(): never {
  throw new CallersError('of the caller')
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/** An array that reports a false length. */
function arrayOfLength(length: unknown): unknown[] {
  return new Proxy([], { get: (target, name) => (name === 'length' ? length : Reflect.get(target, name)) })
}

function detached(): Uint8Array {
  const bytes = new Uint8Array(8)
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
  return bytes
}

const traps = [
  ...['apply', 'construct', 'defineProperty', 'deleteProperty', 'get', 'getOwnPropertyDescriptor'],
  ...['getPrototypeOf', 'has', 'isExtensible', 'ownKeys', 'preventExtensions', 'set', 'setPrototypeOf'],
]

/** Values that no parameter, option or field accepts, created anew for each use. */
export const hostileValues: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  'the number 0': () => 0,
  'the number -0': () => -0,
  'the number -1': () => -1,
  'the number 1.5': () => 1.5,
  'the number NaN': () => Number.NaN,
  'the number Infinity': () => Number.POSITIVE_INFINITY,
  'the number 2 ** 53': () => 2 ** 53,
  'a BigInt': () => 1n,
  'a huge BigInt': () => 2n ** 70n,
  'an empty string': () => '',
  'a string': () => 'x',
  'a string that names a member of all objects': () => '__proto__',
  'a lone surrogate': () => '\ud800',
  'a long string': () => 'x'.repeat(70_000),
  'a symbol': () => Symbol('x'),
  'a well-known symbol': () => Symbol.iterator,
  'a function': () => () => undefined,
  'a class': () => class {},
  'an async function': () => async () => undefined,
  'a generator': () =>
    (function* () {
      yield 1
    })(),
  'an empty array': () => [],
  'an array of undefined': () => [undefined],
  'an array of null': () => [null],
  'an array of an object that inherits nothing': () => [Object.create(null)],
  'an array of a symbol': () => [Symbol('x')],
  'an array of a BigInt': () => [1n],
  'an array of arrays': () => [[[]]],
  'an array of an array with itself': () => {
    const array: unknown[] = []
    array.push(array)
    return array
  },
  'an array of a revoked proxy': () => [revoked({})],
  'an array with holes': () => new Array(3),
  'the longest array': () => new Array(2 ** 32 - 1),
  'an array of length -1': () => arrayOfLength(-1),
  'an array of length 1.5': () => arrayOfLength(1.5),
  'an array of length NaN': () => arrayOfLength(Number.NaN),
  'an array of length Infinity': () => arrayOfLength(Number.POSITIVE_INFINITY),
  'an array of length 2 ** 53': () => arrayOfLength(2 ** 53),
  "an array of length '2'": () => arrayOfLength('2'),
  'an array whose length is a BigInt': () => arrayOfLength(1n),
  'an array whose length is a symbol': () => arrayOfLength(Symbol('x')),
  'an array whose length is an object': () => arrayOfLength({}),
  'an array without an iterator': () => Object.assign([1], { [Symbol.iterator]: undefined }),
  'an object like an array': () => ({ length: 1, 0: 'x' }),
  'an empty object': () => ({}),
  'an object that inherits nothing': () => Object.create(null),
  'an object that inherits from such an object': () => Object.create(Object.create(null)),
  'an object with the prototype of a Will': () => Object.create(Will.prototype),
  'an object with the prototype of a ConnectPacket': () => Object.create(v5.ConnectPacket.prototype),
  'an object with the prototype of a ConnackPacket': () => Object.create(v3_1_1.ConnackPacket.prototype),
  'an object with the prototype of an OpaquePacket': () => Object.create(OpaquePacket.prototype),
  'an object with the prototype of an MqttError': () => Object.create(MqttError.prototype),
  'an object with the prototype of a Buffer': () => Object.create(Buffer.prototype),
  'an object with the prototype of a Uint8Array': () => Object.create(Uint8Array.prototype),
  'an object with the prototype of an AbortSignal': () => Object.create(AbortSignal.prototype),
  'an object that looks like a CONNACK': () => ({ type: 0x20, protocolVersion: 5 }),
  'a proxy of a packet': () =>
    new Proxy(new v3_1_1.ConnackPacket({ sessionPresent: false, returnCode: 0 }), {}),
  'a proxy of a Will': () => new Proxy(new Will({ topic: 't', message: 'm' }), {}),
  'a proxy of a Buffer': () => new Proxy(Buffer.from('x'), {}),
  'a revoked proxy of an object': () => revoked({}),
  'a revoked proxy of an array': () => revoked([]),
  'a revoked proxy of a function': () => revoked(() => undefined),
  'a revoked proxy of a Buffer': () => revoked(Buffer.alloc(1)),
  'a proxy of which each trap throws': () =>
    new Proxy({}, Object.fromEntries(traps.map((trap) => [trap, fails])) as ProxyHandler<object>),
  'an object whose toString throws': () => ({ toString: fails }),
  'an object whose valueOf throws': () => ({ valueOf: fails, toString: fails }),
  'an object whose toString returns an object': () => ({ toString: () => ({}), valueOf: () => ({}) }),
  'an object whose toPrimitive throws': () => ({ [Symbol.toPrimitive]: fails }),
  'an object whose toStringTag throws': () => Object.defineProperty({}, Symbol.toStringTag, { get: fails }),
  'an object whose getters throw': () => Object.defineProperty({}, 'topic', { get: fails, enumerable: true }),
  'an object with a member that is a symbol': () => ({ [Symbol('x')]: 1 }),
  'an object with a member __proto__': () => JSON.parse('{"__proto__":{"clientId":"x"}}'),
  'an iterator that is no function': () => ({ [Symbol.iterator]: 1 }),
  'an iterator that returns no object': () => ({ [Symbol.iterator]: () => 1 }),
  'an iterator whose next is missing': () => ({ [Symbol.iterator]: () => ({}) }),
  'an iterator whose next returns no object': () => ({ [Symbol.iterator]: () => ({ next: () => 1 }) }),
  'an iterator that throws': () => ({ [Symbol.iterator]: fails }),
  'an iterator whose next throws': () => ({ [Symbol.iterator]: () => ({ next: fails }) }),
  'a boxed string': () => Object('x'),
  'a boxed number': () => Object(1),
  'a boxed symbol': () => Object(Symbol('x')),
  'a Date': () => new Date(0),
  'an invalid Date': () => new Date(Number.NaN),
  'a regular expression': () => /x/,
  'a Map': () => new Map([['x', 1]]),
  'a Set': () => new Set(['x']),
  'a Promise': () => Promise.resolve(),
  'an Error': () => new Error('x'),
  'a URL': () => new URL('mqtt://host'),
  'an ArrayBuffer': () => new ArrayBuffer(2),
  'a SharedArrayBuffer': () => new SharedArrayBuffer(2),
  'a DataView': () => new DataView(new ArrayBuffer(2)),
  'a Uint16Array': () => new Uint16Array(2),
  'bytes of a SharedArrayBuffer': () => new Uint8Array(new SharedArrayBuffer(2)),
  'detached bytes': detached,
  'no bytes': () => new Uint8Array(0),
  'bytes with a length of their own': () => Object.defineProperty(Buffer.from('ab'), 'length', { value: 9 }),
  'bytes whose length throws': () => Object.defineProperty(Buffer.from('ab'), 'length', { get: fails }),
  'bytes of another realm': () => runInNewContext('new Uint8Array(2)'),
  'an object of another realm': () => runInNewContext('({})'),
  'an array of another realm': () => runInNewContext('[1]'),
  'the global object': () => globalThis,
}
