import { Buffer } from 'buffer'
import { notBytes } from './text-error.ts'

/** A number in a list: decimal, maybe signed as in Java, or hex; maybe with a cast. */
const NUMBER = String.raw`(?:\(byte\)\s*)?(?:-?\d+|0x[\da-f]{1,2})`
const LIST = new RegExp(String.raw`[[{(]\s*(${NUMBER}(?:\s*,\s*${NUMBER})*)?\s*,?\s*[\]})]`, 'gi')

/**
 * Bytes from an array in the notation of JSON or of a programming language: the one list of numbers in brackets, with anything
 * that such a language writes around it.
 */
export function bytesFromArray(text: string): Buffer | undefined {
  const code = text.replace(/\/\*.*?\*\//gs, ' ').replace(/\/\/[^\n]*/g, ' ')
  if (!/[[{(]/.test(code)) return undefined
  if (/\.\.\. \d+ more items?/.test(code)) {
    throw notBytes("it is an array that console.log has cut: print buffer.toString('hex') instead")
  }
  const all = [...code.matchAll(LIST)]
  // `char packet[84] = { … }`: the size of an array is a list of one, too.
  const lists = all.length > 1 ? all.filter(([list]) => list.includes(',')) : all
  if (lists.length === 0) return undefined
  if (lists.length > 1) throw notBytes('it has more than one array')
  const [list, numbers = ''] = lists[0]!
  const around = code.replace(list, ' ')
  if (!/^[\w\s"',.:=;*&<>()[\]{}!-]*$/.test(around)) return undefined
  const bytes = Buffer.from(numbers === '' ? [] : numbers.split(',').map((number) => byteOf(number.trim())))
  checkLength(around, bytes.length)
  return bytes
}

function byteOf(number: string): number {
  const text = number.replace(/^\(byte\)\s*/i, '')
  if (/^-?0\d/.test(text)) throw notBytes('it is an array with numbers that may be octal')
  const value = Number(text)
  if (value < -128 || value > 255) throw notBytes('it is an array with a number that is not a byte')
  return value & 0xff
}

/** `xxd -i` and Wireshark tell how many bytes there are. */
function checkLength(around: string, length: number): void {
  const told = /_len\s*=\s*(\d+)/.exec(around)?.[1] ?? /\[(\d+)\]\s*=/.exec(around)?.[1]
  if (told !== undefined && Number(told) !== length) {
    throw notBytes(`it is an array of ${length} bytes that says it has ${told}`)
  }
}
