import type { Texts } from './never-wrong-logs.ts'

/** The beginning of a TLS connection, of which only a few bytes are shown, and the beginning of a PUBLISH. Neither is a whole packet. */
const TLS = '16 03 01 00 f8 01 00 00 f4 03 03 cb 54 a1'
const PUBLISH = '30 0b 00 03 61 2f 62 32'
/** A CONNECT with the client id `sensor-0042`, as Arduino prints it, and its bytes. */
const UNPADDED = '10 17 0 4 4d 51 54 54 4 2 0 3c 0 b 73 65 6e 73 6f 72 2d 30 30 34 32'
const CONNECT = '101700044d5154540402003c000b73656e736f722d30303432'
const PADDED = CONNECT.replace(/..(?!$)/g, '$& ')

/** Rows of od -t x2 of the beginning of a TLS connection. */
const WORDS = ['0316 0001 01f8 0000 03f4 cb03 a154 c3b2', 'e5d4 07f6 2918 4b3a 6d5c 8f7e']

/** Texts with something before the bytes that may be bytes, or that bytes may be a part of. */
export const textsOfBeginnings: Texts = {
  'groups of four digits after a time, which may be a year or a zone': [
    ['Nov 26 00:10:27 1603 0100 f801 0000 f403 03cb 54a1', 'refused'],
    ['Nov 26 00:10:27 FACE 0100 f801 0000 f403 03cb 54a1', 'refused'],
    ['Nov 26 00:10:27 2002 e000', 'refused'],
    [
      'Nov 26 00:10:27 102a 0004 4d51 5454 04c2 003c 000a 6465\n' +
        'Nov 26 00:10:28 7620 3120 3030 3432 0005 616c 6963 6500\n' +
        'Nov 26 00:10:29 0b73 3363 7233 7420 7034 7373',
      'refused',
    ],
    ['==> a.log <==\nNov 26 00:10:27 1603 0100 f801 0000 f403 03cb 54a1 22', 'refused'],
    ['app | Nov 26 00:10:27 1603 0100 f801 0000 f403 03cb 54a1 22', 'refused'],
    ['Nov 26 00:10:27 c000\nNov 26 00:10:28 2002 c000', 'refused'],
    [`Nov 26 00:10:27 ${PADDED}`, CONNECT],
    [`Thu Nov 26 00:10:27 2026 ${PADDED}`, CONNECT],
    [`Thu Nov 26 00:10:27 UTC 2026 ${PADDED}`, CONNECT],
  ],
  'a sign without a space before groups with colons': [
    ...['>', '+', '-', '//', '|', 'h'].map(
      (sign) => [`${sign}10:1700:044d:5154:5404:0200:3c00:0b73:656e:736f:722d:3030:3432`, 'refused'] as const,
    ),
    [`> ${PADDED.replaceAll(' ', ':')}`, CONNECT],
  ],
  'the seconds of the epoch before an offset or before bytes': [
    ...['000000', '0000', '00000000'].map(
      (offset) =>
        [
          `1732579827 ${offset} 10 12 00 04 4d 51 54 54 05 02 00 3c 00 00 05 67\n` +
            `1732579827 ${offset.slice(0, -2)}10 61 74 65 00`,
          'refused',
        ] as const,
    ),
    ['1732579827 16030100f8010000f40303cb54a1', 'refused'],
    [`1732579827 ${CONNECT}`, 'refused'],
    ['1603 0100 f801 0000 f403 03cb 54a1 22', 'refused'],
    ['0x16 0x03 0x01 0x00', '16030100'],
  ],
  'the number of a line before a packet': [
    ...['1', '12', '1234'].flatMap((number) => [
      [`${number} ${UNPADDED}`, 'refused'] as const,
      [`${number} ${PADDED}`, 'refused'] as const,
      [`${number}:${UNPADDED.replaceAll(' ', ':')}`, 'refused'] as const,
    ]),
    // cat -n
    ['    10\t16 03 01 00 f8\n    11\t01 00 00 f4 03\n    12\t03 cb 54 a1 22', 'refused'],
    [`    17\t${TLS}`, 'refused'],
    [`17, ${TLS}`, 'refused'],
    [TLS, TLS.replaceAll(' ', '')],
    [UNPADDED, CONNECT],
    [`TX: ${UNPADDED.slice(0, 30)}\nTX: ${UNPADDED.slice(31)}`, CONNECT],
    ['10 17 0 4 4d 51 54 54 4 2 0 3c', CONNECT.slice(0, 24)],
    ['TX: 1017:0004:4d51:5454\nTX: 0402:003c:000b:7365\nTX: 6e73:6f72:2d30:3034:32', CONNECT],
    [PADDED, CONNECT],
  ],
  'words of od, whose bytes are swapped, behind other spaces': [
    ...[' ', '    ', '\t', '> ', ''].map(
      (indent) => [WORDS.map((row) => indent + row).join('\n'), 'refused'] as const,
    ),
  ],
  'a port, or a time in a format that is not known, before bytes that are no packet': [
    ...[
      '10.0.0.1:1883',
      '10.0.0.1:80',
      'localhost:80',
      'port=1883',
      '[::1]:1883',
      'id=1f',
      '26 Nov 00:10',
      'Nov 26 2026 00:10:27',
      'Nov 26, 2026 00:10:27',
      '26/Nov/2026:00:10:27',
      '26 Nov 00:10:27',
      '26-Nov-2026 00:10:27',
      '2026 Nov 26 00:10:27',
      'Thu 26 Nov 2026 00:10:27',
    ].flatMap((before) => [
      [`${before} ${TLS}`, 'refused'] as const,
      [`${before} ${PUBLISH}`, 'refused'] as const,
    ]),
    ['len=5 16 3 1 0 f8', 'refused'],
    ['tx:c0 00\ntx:e0 00', 'c000e000'],
    [`tx: ${TLS}`, TLS.replaceAll(' ', '')],
    [`10.0.0.1:1883 tx: ${TLS}`, TLS.replaceAll(' ', '')],
  ],
  'base64 that continues behind a line break in a string, or has a word below it': [
    ['"EBcABE1RVFQEAgA8AAtzZW5zb3ItMDA0MoIIAAEAA2EvYgAwCQADYS9iMjEuNcAA\\n4AA=\\n"', 'refused'],
    [String.raw`"EBcABE1RVFQEAgA8AAtzZW5zb3ItMDA0MoIIAAEAA2EvYgAwCQADYS9iMjEuNcAA\r\n4AA=\r\n"`, 'refused'],
    ['x = "EBcABE1RVFQEAgA8AAtzZW5zb3ItMDA0MoIIAAEAA2EvYgAwCQADYS9iMjEuNcAA" + "MAkAA2EvYg"', 'refused'],
    ['"EBcABE1RVFQEAgA8AAtzZW5zb3ItMDA0Mg==\\n"', CONNECT],
    ['ECoABE1RVFQEwgA8AApkZXYgMSAwMDQyAAVh\nroot\n', 'refused'],
    ['ECoABE1RVFQEwgA8AApkZXYgMSAwMDQyAAVh\n', '102a00044d51545404c2003c000a64657620312030303432000561'],
  ],
}
