import type { Texts } from './never-wrong-logs.ts'

/** A whole CONNECT, which code may still change. */
const A = '100c00044d5154540402003c0000'
const list = '16, 12, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 0'

const declarations: readonly string[] = [
  `p := []byte{${list}}`,
  `var p = []byte{${list}}`,
  `byte[] p = new byte[] {${list}};`,
  `val p = byteArrayOf(${list})`,
  `$p = array(${list});`,
  `std::vector<uint8_t> p = {${list}};`,
  `uint8_t p[] = {${list}};`,
  `const p = [${list}]`,
  `const p: number[] = [${list}]`,
  `const p = Buffer.from([${list}])`,
  `p = bytearray([${list}])`,
]

/** The same in hex, in base64 and as a string. */
const otherDeclarations: readonly string[] = [
  `p = bytearray.fromhex("${A}")`,
  `p = bytearray(binascii.unhexlify("${A}"))`,
  `p, err := hex.DecodeString("${A}")`,
  `let mut p = hex::decode("${A}").unwrap();`,
  `byte[] p = HexFormat.of().parseHex("${A}");`,
  `$p = hex2bin("${A}");`,
  `const p = Buffer.from('${Buffer.from(A, 'hex').toString('base64')}', 'base64')`,
  `p = b"${A.replace(/../g, '\\x$&')}"`,
]

/** Code that leaves the array as it is. */
const uses: readonly string[] = [
  'conn.Write(p)',
  'client.write(p, sizeof(p));',
  'send(fd, p, sizeof p, 0);',
  'socket.write(p)\nconsole.log(p.length)',
  's.sendall(bytes(p))',
  'fmt.Println(len(p))',
  'stream.write_all(&p)?;',
  'out.write(p); out.flush();',
]

/** Code that changes the array, or sends something else besides. */
const changes: readonly string[] = [
  'p[1] = 14',
  'p[9] |= 0x80',
  'p = append(p, id...)\nconn.Write(p)',
  'copy(p[14:], id)',
  'System.arraycopy(id, 0, p, 14, 4);',
  'Buffer.BlockCopy(id, 0, p, 14, 4);',
  'memcpy((void*)(p+14), id, 4);',
  'std::copy(id.begin(), id.end(), p.begin() + 14);',
  'snprintf((char*)&p[14], 5, "%s", id);',
  'send([...p, ...id])',
  's.send(p + client_id)',
  'struct.pack_into(">H", p, 12, 4)',
  'p.push(97)',
]

/** Programs with a packet, and tables of payloads. */
export const textsOfCode: Texts = {
  'code with an array that it uses': [...declarations, ...otherDeclarations].flatMap((declaration) =>
    uses.map((use) => [`${declaration}\n${use}\n`, A] as const),
  ),
  'code with an array that it may change': [...declarations, ...otherDeclarations].flatMap((declaration) =>
    changes.map((change) => [`${declaration}\n${change}\n`, 'refused'] as const),
  ),
  'code that changes a copy of the array': [
    ['const p', 'const q = Buffer.from(p)', 'q[9] = 0xc2', 'client.write(q)'],
    ['const P: [u8; 14]', 'let mut q = Vec::from(P);', 'q[9] = 0xc2;', 'stream.write_all(&q);'],
    ['const p', 'buffer.put(p)', 'buffer.put(9, flags)', 'channel.write(buffer)'],
  ].flatMap(([declared, copy, change, use]) => [
    [`${declared} = [${list}];\n${copy}\n${change}\n${use}\n`, 'refused'] as const,
  ]),
  'code that only writes a copy': [
    [`const p = [${list}]\nclient.write(Buffer.from(p))\n`, A],
    [`const P: [u8; 14] = [${list}];\nstream.write_all(&P);\n`, A],
  ],
  'code in one line that changes the bytes': otherDeclarations.map((declaration) => [
    `${declaration.replace(/;$/, '')}; p[1] = 14; s.send(p)`,
    'refused',
  ]),
  'tables of payloads of which some have two bytes': ['\t', ',', ' ', ' | '].map((sign) => [
    ['18', A, '2', 'c000', '2', 'e000']
      .map((cell, i) =>
        i % 2 === 0 ? ['10.0.0.12', '51000', '10.0.0.2', '1883', cell].join(sign) + sign : `${cell}\n`,
      )
      .join(''),
    'refused',
  ]),
}
