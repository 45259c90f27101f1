/** The formats in which bytes can be copied. `bytesFromText` reads whole packets in all of them. */
export const formats = {
  hex: (bytes: Uint8Array): string => Array.from(bytes, digits).join(' '),
  'C array': (bytes: Uint8Array): string => `static const unsigned char packet[] = {\n${lines(bytes)}\n};\n`,
  JavaScript: (bytes: Uint8Array): string => `const packet = Uint8Array.from([\n${lines(bytes)}\n])\n`,
} as const

export type FormatName = keyof typeof formats

function lines(bytes: Uint8Array): string {
  const all: string[] = []
  for (let at = 0; at < bytes.length; at += 12) {
    all.push(`  ${Array.from(bytes.subarray(at, at + 12), (byte) => `0x${digits(byte)},`).join(' ')}`)
  }
  return all.join('\n')
}

function digits(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}
