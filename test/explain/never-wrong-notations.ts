import { Buffer } from 'node:buffer'

/** A CONNECT with the client id `snsor1`, which the texts below have in a form that is read. */
const A = '101200044d5154540402003c0006736e736f7231'

/** Other packets, which must never be left out silently. */
const packets: Readonly<Record<string, string>> = {
  connect: '100f00064d51497364700302003c000162',
  connack: '20020005',
  'CONNACK of 5.0': '200900000622001421000a',
  publish: '300900036f6e65776f7264',
  subscribe: '820a00010005612f622f6300',
  disconnect: 'e000',
}

const pairs = (hex: string): string[] => hex.match(/../g)!
const bytesOf = (hex: string): number[] => [...Buffer.from(hex, 'hex')]
const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
const controls =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'

/** A notation in which each byte is written alike. */
const each =
  (write: (pair: string, i: number) => string, sign = ' ') =>
  (hex: string) =>
    pairs(hex).map(write).join(sign)
/** A notation in which printable characters are themselves. */
const mixed = (write: (byte: number) => string) => (hex: string) =>
  bytesOf(hex)
    .map((byte) => (isPrintable(byte) ? String.fromCharCode(byte) : write(byte)))
    .join('')
const dec = (pair: string): number => Number.parseInt(pair, 16)
const hex2 = (byte: number): string => byte.toString(16).padStart(2, '0')

const notations: Readonly<Record<string, (hex: string) => string>> = {
  'one word': (hex) => hex,
  'one word with 0x': (hex) => `0x${hex}`,
  'one word with h': (hex) => `${hex.toUpperCase()}h`,
  'a bytea of PostgreSQL': (hex) => `'\\x${hex}'`,
  'a literal of MySQL': (hex) => `X'${hex.toUpperCase()}'`,
  NSData: (hex) => `{length = ${hex.length / 2}, bytes = 0x${hex}}`,
  pairs: each((pair) => pair),
  'pairs without zeros': each((pair) => dec(pair).toString(16)),
  'Arduino with colons': each((pair) => `${dec(pair).toString(16)}:`, ''),
  dots: each((pair) => pair, '.'),
  slashes: each((pair) => pair, '/'),
  underscores: each((pair) => pair, '_'),
  'plus signs': each((pair) => pair, ' + '),
  RealTerm: each((pair) => `<${pair}>`, ''),
  brackets: each((pair) => `[${pair}]`),
  braces: each((pair) => `{${pair}}`, ''),
  Pascal: each((pair) => `$${pair}`),
  assembler: each((pair) => `0${pair}h`, ', '),
  'hash signs': each((pair) => `#${pair}`, ''),
  entities: each((pair) => `&#x${pair};`, ''),
  'entities in decimal': each((pair) => `&#${dec(pair)};`, ''),
  'strings in a list': (hex) => JSON.stringify(pairs(hex)),
  'hex() of Python in a list': each((pair) => `'0x${dec(pair).toString(16)}'`, ', '),
  'decimal with dots': each((pair) => `${dec(pair)}`, '.'),
  'decimal with semicolons': each((pair) => `${dec(pair)}`, ';'),
  'signed bytes': (hex) => `[${new Int8Array(Buffer.from(hex, 'hex')).join(', ')}]`,
  nibbles: each((pair) => dec(pair).toString(2).padStart(8, '0').replace(/^..../, '$& ')),
  'binary with 0b': each((pair) => `0b${dec(pair).toString(2).padStart(8, '0')}`),
  'one byte in a line': each((pair) => `\n${pair}`, ''),
  'one number in a line': each((pair) => `\n${dec(pair)}`, ''),
  'bytes with their index': each((pair, i) => `\nbyte ${i}: ${pair}`, ''),
  'assignments with an index': each((pair, i) => `\nbuf[${i}] = 0x${pair}`, ''),
  'a logic analyzer': each((pair, i) => `\n0.${1000 + 87 * i},0x${pair},,`, ''),
  lldb: each((pair, i) => `[${i}] = 0x${pair}`, ', '),
  'an object of JavaScript': each((pair, i) => `'${i}': ${dec(pair)}`, ', '),
  gdb: each(
    (pair) => `${dec(pair)} '${isPrintable(dec(pair)) ? String.fromCharCode(dec(pair)) : '\\0'}'`,
    ', ',
  ),
  'a string': (hex) => `b'${mixed((byte) => `\\x${hex2(byte)}`)(hex)}'`,
  'a string in a string': mixed((byte) => `\\\\x${hex2(byte)}`),
  JSON: (hex) => JSON.stringify(Buffer.from(hex, 'hex').toString('latin1')),
  'JSON in JSON': (hex) => JSON.stringify(JSON.stringify(Buffer.from(hex, 'hex').toString('latin1'))),
  Rust: (hex) => `"${mixed((byte) => (byte === 0 ? '\\0' : `\\u{${byte.toString(16)}}`))(hex)}"`,
  'RealTerm with text': mixed((byte) => `<${hex2(byte).toUpperCase()}>`),
  Hercules: mixed((byte) => `{${hex2(byte).toUpperCase()}}`),
  'names of characters': mixed((byte) => `<${controls.split(' ')[byte] ?? hex2(byte)}>`),
  'cat -v': mixed((byte) => {
    const low = byte & 0x7f
    return `${byte > 0x7f ? 'M-' : ''}${low < 0x20 ? `^${String.fromCharCode(low + 0x40)}` : String.fromCharCode(low)}`
  }),
  percents: (hex) => hex.replace(/../g, '%$&'),
  base64url: (hex) => Buffer.from(hex, 'hex').toString('base64url'),
}

/** Texts that are read as A if `rest` has no bytes. */
const places: Readonly<Record<string, (rest: string) => string>> = {
  prose: (rest) => `Hello,\nI send ${A} to the broker, but ${rest} comes back. Any idea?\n`,
  'a block of Markdown': (rest) =>
    `The client sends\n\`\`\`\n${pairs(A).join(' ')}\n\`\`\`\nThen ${rest} comes back.\n`,
  'a log': (rest) => `12:00:01 connect: ${pairs(A).join(' ')}\n12:00:02 answer ${rest}\n`,
  'a log, before it': (rest) => `12:00:01 first ${rest}\n12:00:02 connect: ${pairs(A).join(' ')}\n`,
  code: (rest) =>
    `uint8_t p[] = {${pairs(A).map((pair) => `0x${pair}`)}};\nclient.write(p, sizeof p);\n// answers ${rest}\n`,
  'a string of Python': (rest) =>
    `s.send(b'\\x10\\x12\\x00\\x04MQTT\\x04\\x02\\x00<\\x00\\x06snsor1')\n# the answer is ${rest}\n`,
  strace: (rest) => `write(3, "\\20\\22\\0\\4MQTT\\4\\2\\0<\\0\\6snsor1", 20) = 20\nthe answer is ${rest}\n`,
  socat: (rest) =>
    `> 2024/05/01 12:00:01.000123  length=20 from=0 to=19\n ${pairs(A).join(' ')}\n--\nthe answer is ${rest}\n`,
  'lines of JSON': (rest) => `{"ts":1,"data":"${A}"}\n{"ts":2,"data":${JSON.stringify(rest)}}\n`,
}

/** Texts with a packet in another notation, by place, each with the results that lose nothing. */
export const textsWithOtherNotations: Readonly<
  Record<string, readonly (readonly [text: string, results: readonly string[]])[]>
> = Object.fromEntries(
  Object.entries(places).map(([place, textWith]) => [
    place,
    [
      [textWith('nothing'), [A]] as const,
      ...Object.values(notations).flatMap((write) =>
        Object.values(packets).map((hex) => [textWith(write(hex)), [A + hex, hex + A, 'refused']] as const),
      ),
    ],
  ]),
)
