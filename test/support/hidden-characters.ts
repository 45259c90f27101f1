/*
 * Characters that must never be printed as they are, copied from the Unicode charts: controls, separators except the space, and
 * code points that are ignored by default when text is displayed. The Braille pattern without dots looks like a space as well.
 */

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at)

/**
 * All of them except U+0000, which MQTT strings can't contain, and most tags and variation selectors, which resemble each
 * other.
 */
export const hiddenCodePoints: readonly number[] = [
  // C0, DELETE, C1
  ...range(0x01, 0x1f),
  ...range(0x7f, 0x9f),
  // Spaces of other widths, line and paragraph separators
  ...[0xa0, 0x1680, ...range(0x2000, 0x200a), 0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
  // Soft hyphen, grapheme joiner, Arabic letter mark, fillers, vowels, Mongolian selectors
  ...[0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, ...range(0x180b, 0x180f), 0x3164, 0xffa0],
  // Zero width, joiners, bidirectional controls, invisible operators
  ...[...range(0x200b, 0x200f), ...range(0x202a, 0x202e), ...range(0x2060, 0x206f)],
  // Braille pattern without dots
  0x2800,
  // Variation selectors, byte order mark, annotations, shorthand and musical controls
  ...[...range(0xfe00, 0xfe0f), 0xfeff, ...range(0xfff0, 0xfffb), ...range(0x1bca0, 0x1bca3)],
  ...range(0x1d173, 0x1d17a),
  // Some of the tags and of the variation selectors supplement
  ...[0xe0001, 0xe0020, 0xe0041, 0xe007f, 0xe0100, 0xe01ef, 0xe0fff],
]
