import { MqttError } from '../../lib/packets/index.ts'

/** The mistake at one input of the form. */
export type Mistake = string

/** An input that can't be turned into a field's value. */
class InputError extends TypeError {}

/** @throws InputError if the text isn't a whole number */
export function numberOf(text: string): number {
  if (!/^\s*(\d+|0x[\da-f]+)\s*$/i.test(text)) throw new InputError('must be a whole number')
  return Number(text)
}

/**
 * Returns text unchanged, or the bytes after `hex:`.
 *
 * @throws InputError if the rest isn't hex
 */
export function binaryOf(text: string): Uint8Array | string {
  if (!text.startsWith('hex:')) return text
  const digits = text.slice(4).replace(/\s/g, '')
  if (!/^([\da-f]{2})*$/i.test(digits)) throw new InputError('must be two hex digits for each byte')
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

/** The sentence beside the input: the error without the field's name, but with the clause. */
export function mistakeOf(error: unknown): Mistake {
  if (error instanceof MqttError) {
    const text = error.message.replace(/^[^:]*: /, '').replace(/ \(byte \d+\)$/, '')
    return `${capital(text)} (${error.clause})`
  }
  if (error instanceof TypeError || error instanceof RangeError)
    return capital(error.message.replace(/^[\w.]+: /, ''))
  throw error
}

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1)
}
