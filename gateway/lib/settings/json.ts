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
 * @throws SyntaxError that has the place of the mistake, and nothing of the text
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SyntaxError(mistakeIn(text))
  }
}

/** The line, the column and what is missing there. */
function mistakeIn(text: string): string {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'a value'
  let at = 0
  for (;;) {
    const pattern: RegExp = tokens[expected]
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[1]
    if (found === undefined) break
    at = pattern.lastIndex
    expected = after(found, expected, open)
  }
  const before = text.slice(0, at + /^[ \t\r\n]*/.exec(text.slice(at))![0].length)
  const lines = before.split(/\r\n|\r|\n/)
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}: expected ${expected}`
}

/** @param open the brackets that are open, which the token may change */
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
