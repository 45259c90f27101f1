import { expect } from 'chai'
import { readPaste } from '../../lib/explain/paste/read-paste.ts'
import { bytesOrRefused } from './support.ts'

/** A CONNECT in hex. */
const A = '10 0c 00 04 4d 51 54 54 04 02 00 3c 00 00'
const whole = A.replaceAll(' ', '')
const time = '2026/01/01 00:00:00.000000 '
const followed =
  'Follow: tcp,hex\nFilter: x\nNode 0: a\nNode 1: b\n00000000  10 0c 00 04 4d 51 54 54  04 02 00 3c 00 00           ....MQTT ...<..\n'

/** What the message says about a text, and such texts. */
const problems: Readonly<Record<string, readonly string[]>> = {
  'it has more than one array with the same name': [
    'uint8_t p[] = {16, 12, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 0};\nuint8_t p[] = {192, 0};\n',
    'p = [16, 13, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 1]\np = [97]\nx = 1\n',
  ],
  'some of its numbers have a minus sign': [
    '10 0c 00 -04 4d 51',
    '16 12 0 4 77 81 84 84 4 -62 0 60 0 0 0 3 97 98 99',
    '20 02 -00 00',
  ],
  'something else may be before the list': [
    'db 16, 12, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 0',
    `db ${A.replaceAll(' ', ', ')}`,
  ],
  'the numbers of the lines may be before the bytes': [
    '0 16 12 0 4 77 81 84\n1 84 4 2 0 60 0 0',
    '1 16 12\n2 0 4\n3 77 81\n4 84 84\n5 4 2\n6 0 60\n7 0 0',
  ],
  'a length may be before the bytes': [`14 ${A}`, '04 20 02 00 00'],
  'a line is not one of socat': [
    `> ${time} length=14 from=0 to=13\n ${A}\n--\nx > ${time} length=2 from=14 to=15\n c0 00\n--\n`,
    `> ${time} length=14 from=0 to=13\n ${A} c0\n--\n`,
    `> ${time} length=14 from=0 to=13\n ${A}\n c0 00\n--\n`,
  ],
  'it has more than one connection': [
    `> ${time} length=14 from=0 to=13\n ${A}\n--\n> ${time} length=2 from=0 to=1\n c0 00\n--\n`,
  ],
  'bytes have been left out of it': [`> ${time} length=14 from=0 to=13\n ${A.slice(0, 20)}\n`],
  'it is a string with the end of a line in it': ['"\\x10\\x0d\\x00\\x04MQTT\\x04\\x02\\x00<\\x00\\x01\na"'],
  'a string of strace has no closing quote': ['write(3, "\\20\\f\\0\\4MQTT\\4\\2\\0<\\0\\0, 14) = 14'],
  'what is not of strace may have bytes': [
    `write(3, "\\20\\f\\0\\4MQTT\\4\\2\\0<\\0\\0", 14) = 14\nsent c0 00 to it 10 0c 00 04\n`,
  ],
  'its lines are in different forms': [`tx: ${A}\ntx: [192, 0]`],
  'the bytes of a line have no text beside them, or not theirs': [
    'tx: 10 0c 00 04 4d 51 54 54  ....MQTT\ntx: 04 02 00 3c 00 00',
  ],
  'not all of its words that may be bytes are packets': [
    `payload ${whole}\npayload 100c0004\n`,
    `{"a":"${whole}","b":"2002"}\n{"a":"100c00044d","b":"x"}`,
  ],
  'a line is not one of Follow Stream': [`${followed}hello\n`, followed.repeat(2)],
  'it is bytes and their characters below them: use od -t x1': [
    `${A}\n 020  \\f  \\0 004   M   Q   T   T 004 002  \\0   <  \\0  \\0\n`,
  ],
}

describe('the message about a text that can not be read', () => {
  for (const [problem, texts] of Object.entries(problems))
    it(`says that ${problem}`, () => {
      for (const text of texts) {
        expect(readPaste(text).problem, text).to.equal(problem)
        expect(bytesOrRefused(text), text).to.equal('refused')
      }
    })
})
