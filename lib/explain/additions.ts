import type { Buffer } from 'buffer'
import type { Diagnosis } from '../errors/diagnosis.ts'

const consequence = 'The server mistakes it for the next packet, and closes the connection.'

/** Bytes that senders add to a packet because they treat it as text. */
const additions: readonly (readonly [RegExp, Diagnosis])[] = [
  [
    /^(?:0d|0a)+$/,
    {
      headline: 'The sender adds a line break to the packet.',
      cause: `A line break (0d 0a) isn't part of the packet. ${consequence}`,
      fixes: [
        'In a sketch, send the packet with write, not println.',
        'In a terminal or a serial monitor, turn off line endings. In a shell, use echo -n.',
      ],
    },
  ],
  [
    /^1a(?:0d|0a)*$/,
    {
      headline: 'The sender adds Ctrl-Z (1a) to the packet.',
      cause: `Ctrl-Z tells a modem that the data is complete, but if the command contains a length, the modem sends Ctrl-Z like any other byte. ${consequence}`,
      fixes: [
        'Give the number of bytes in the command, AT+CIPSEND=14, and send exactly those, without Ctrl-Z.',
      ],
    },
  ],
  [
    /^00$/,
    {
      headline: 'The sender adds a zero byte to the packet.',
      cause: `In C, a string literal ends with a zero byte, and sizeof counts it. ${consequence}`,
      fixes: ["In the client, send one byte less: sizeof(packet) - 1, or the packet's length."],
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
