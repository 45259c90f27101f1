/*
 * Files in JSON that may hold secrets. The messages of `JSON.parse` quote the text around a mistake, so they can't go into a log.
 */

/** The next things that the text may contain, as the message names them. */
type Expected = keyof typeof tokens

const STRING = '"(?:[^"\\\\\\u0000-\\u001f]|\\\\(?:["\\\\/bfnrt]|u[\\da-fA-F]{4}))*"'
const VALUE = `${STRING}|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?(?![\\w.])|(?:true|false|null)(?!\\w)|[[{]`

/** RFC 8259. */
const tokens = {
  'a value': token(VALUE),
  'a value or ]': token(`${VALUE}|\\]`),
  'a name in quotes': token(STRING),
  'a name in quotes or }': token(`${STRING}|\\}`),
  'a colon': token(':'),
  'a comma or ]': token('[,\\]]'),
  'a comma or }': token('[,}]'),
  'the end': token('$'),
} as const

function token(pattern: string): RegExp {
  return new RegExp(`[ \\t\\r\\n]*(${pattern})`, 'y')
}

/**
 * Parses JSON.
 *
 * @throws SyntaxError that names the line and the column of the mistake, but never quotes the text
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SyntaxError(mistakeIn(text))
  }
}

/** The place of a name that occurs twice in an object. `JSON.parse` would silently use the last one. */
export function repeatedName(text: string): string | undefined {
  const names: Set<string>[] = []
  let repeated: string | undefined
  walk(text, (found, expected, at) => {
    if (found === '{') names.push(new Set())
    else if (found === '}') names.pop()
    else if (expected.startsWith('a name')) {
      const name = JSON.parse(found)
      if (names.at(-1)!.has(name)) repeated ??= placeOf(text, at)
      names.at(-1)!.add(name)
    }
  })
  return repeated
}

/** The line, the column, and the token that is expected there. */
function mistakeIn(text: string): string {
  const { expected, at } = walk(text, () => {})
  const blanks = /^[ \t\r\n]*/.exec(text.slice(at))![0].length
  return `${placeOf(text, at + blanks)}: expected ${expected}`
}

/** Visits each token until the end or the first mistake. */
function walk(
  text: string,
  onToken: (found: string, expected: Expected, at: number) => void,
): { expected: Expected; at: number } {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'a value'
  let at = 0
  while (expected !== 'the end' || /[^ \t\r\n]/.test(text.slice(at))) {
    const pattern: RegExp = tokens[expected]
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[1]
    if (found === undefined) break
    at = pattern.lastIndex
    onToken(found, expected, at - found.length)
    expected = after(found, expected, open)
  }
  return { expected, at }
}

function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
}

/** @param open the open brackets, which this function updates */
function after(found: string, expected: Expected, open: ('{' | '[')[]): Expected {
  if (expected.startsWith('a name') && found !== '}') return 'a colon'
  if (found === ':') return 'a value'
  if (found === ',') return open.at(-1) === '{' ? 'a name in quotes' : 'a value'
  if (found === '{' || found === '[') {
    open.push(found)
    return found === '{' ? 'a name in quotes or }' : 'a value or ]'
  }
  if (found === '}' || found === ']') open.pop()
  const around = open.at(-1)
  if (around === undefined) return 'the end'
  return around === '{' ? 'a comma or }' : 'a comma or ]'
}
