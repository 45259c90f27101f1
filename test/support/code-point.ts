import fc from 'fast-check'

const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800

/**
 * Any code point: a unit for `fc.string`. The unit `binary` of fast-check makes the same characters, but it first makes a map of
 * all of them, which takes a second.
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
