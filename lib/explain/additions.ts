import type { Buffer } from 'buffer'
import type { Diagnosis } from '../errors/diagnosis.ts'

const consequence = 'A server takes it for the beginning of the next packet, and closes the connection.'

/** Bytes that senders add to a packet because they treat it as text. */
const additions: readonly (readonly [RegExp, Diagnosis])[] = [
  [
    /^(?:0d|0a)+$/,
    {
      headline: 'The sender adds the end of a line to the packet.',
      cause: `What ends a line of text (0d 0a) is no part of the packet. ${consequence}`,
      fixes: [
        'In a sketch, send the packet with write, and not with println.',
        'In a terminal or a serial monitor, choose no line ending. echo needs -n.',
      ],
    },
  ],
  [
    /^1a(?:0d|0a)*$/,
    {
      headline: 'The sender adds Ctrl-Z (1a) to the packet.',
      cause: `Ctrl-Z tells a modem that the data is complete. With a length in the command, the modem sends it like any other byte. ${consequence}`,
      fixes: [
        'Give the number of bytes in the command, AT+CIPSEND=14, and send exactly those, without Ctrl-Z.',
      ],
    },
  ],
  [
    /^00$/,
    {
      headline: 'The sender adds a zero byte to the packet.',
      cause: `In C, a text in quotes ends with a zero byte, which sizeof counts. ${consequence}`,
      fixes: ['In the client, send one byte less: sizeof(packet) - 1, or the length that the packet has.'],
    },
  ],
]

/** The longest addition that is recognised. */
const MOST_BYTES = 8

/** The diagnosis of bytes that a sender of text has added after a packet. */
export function additionIn(bytes: Buffer): Diagnosis | undefined {
  if (bytes.length > MOST_BYTES) return undefined
  const text = bytes.toString('hex')
  return additions.find(([pattern]) => pattern.test(text))?.[1]
}
