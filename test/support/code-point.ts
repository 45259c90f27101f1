import fc from 'fast-check'

const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800

/**
 * A unit for `fc.string` that yields any code point. fast-check's own unit `binary` gives the same characters, but takes a
 * second to build a map of them first.
 */
export const codePoint: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - SURROGATES }).map(
  (index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES),
  (character) => {
    const found = typeof character === 'string' && /^\P{Surrogate}$/u.test(character)
    if (!found) throw new TypeError('not one code point')
    const point = character.codePointAt(0)!
    return point < FIRST_SURROGATE ? point : point - SURROGATES
  },
)
