import { resolve } from 'node:path'
import { readText } from './files.ts'

/*
 * References to values outside the configuration file: in any string, `${NAME}` is an environment variable, and `${file:PATH}` is
 * the text of a file.
 */

type Path = readonly PropertyKey[]

/** The parts of a zod issue that report a wrong type. */
interface Issue {
  readonly code?: string | undefined
  readonly path: Path
}

/** Matches every `${`, so that a misspelt reference doesn't pass as text. */
const REFERENCE = /\$(\$\{)|\$\{([^{}]*)(\}?)/g
/** The codes of issues that a number or a boolean in place of the string could solve. The last two are for numbers that aren't listed. */
const ofType: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union'])
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const FILE = /^file:(.+)$/

/** A configuration whose references have been replaced by their values. Keeps the references, so that they can be printed instead. */
export class References {
  /** A message for each reference that leads nowhere, with its path. Contains no values. */
  readonly mistakes: string[] = []
  /** The strings that contain the text of a file. */
  readonly contents = new Set<string>()
  readonly #input: unknown
  /** The original strings that contain references, by path. */
  readonly #originals = new Map<string, string>()
  readonly #folder: string
  readonly #environment: Readonly<Record<string, string | undefined>>

  /** @param folder the folder that the paths of files are relative to */
  constructor(
    input: unknown,
    folder: string,
    environment: Readonly<Record<string, string | undefined>> = process.env,
  ) {
    this.#folder = folder
    this.#environment = environment
    this.#input = mapStrings(input, [], (text, path) => this.#replace(text, path))
  }

  get value(): unknown {
    return this.#input
  }

  /**
   * Turns strings that consist of one reference into the number or boolean that the configuration expects there, because a reference such as
   * `"port": "${PORT}"` is always a string in JSON.
   *
   * @param issues the issues that the first check has found
   */
  typed(issues: readonly Issue[]): unknown {
    const wrong = new Set(issues.filter(({ code = '' }) => ofType.has(code)).map(({ path }) => keyOf(path)))
    return mapStrings(this.#input, [], (text, path) => {
      if (!wrong.has(keyOf(path)) || !this.#originals.has(keyOf(path))) return text
      if (text === 'true' || text === 'false') return text === 'true'
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
    })
  }

  /** Puts the references back in place of their values, so that the configuration can be shown to anybody. */
  restore(config: unknown): unknown {
    return mapLeaves(config, [], (value, path) => this.#originals.get(keyOf(path)) ?? value)
  }

  #replace(text: string, path: Path): string {
    if (!text.includes('${')) return text
    this.#originals.set(keyOf(path), text)
    let hasFile = false
    const result = text.replace(REFERENCE, (all, escaped, inside, end) => {
      hasFile ||= !escaped && FILE.test(inside)
      return escaped ? '${' : this.#valueOf(all, inside, end, path)
    })
    if (hasFile) this.contents.add(result)
    return result
  }

  #valueOf(all: string, inside: string, end: string, path: Path): string {
    const fail = (problem: string) => {
      this.mistakes.push(`${pathText(path)}: ${problem}`)
      return all
    }
    const file = FILE.exec(inside)?.[1]
    if (end === '' || (file === undefined && !NAME.test(inside)))
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is shown as it is written in the file
      return fail('`${` begins neither `${NAME}` nor `${file:PATH}`; `$${` stands for the text itself')
    if (file !== undefined) {
      try {
        // Editors add a line break, which isn't part of the secret.
        return readText(resolve(this.#folder, file)).replace(/\r?\n$/, '')
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        return fail(code === 'ENOENT' ? `there is no file ${file}` : `${file}: ${message}`)
      }
    }
    // Not those that every object has, such as `constructor`.
    const value = Object.hasOwn(this.#environment, inside) ? this.#environment[inside] : undefined
    return value === undefined ? fail(`the environment variable ${inside} is not set`) : value
  }
}

/** The name of an option in error messages: `listeners[0].port`. */
export function pathText(path: Path): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
  return text.replace(/^\./, '') || '(the whole file)'
}

/** An unambiguous key. `pathText` isn't one, because a name may contain a dot. */
function keyOf(path: Path): string {
  return JSON.stringify(path)
}

function mapStrings(value: unknown, path: Path, change: (text: string, path: Path) => unknown): unknown {
  return mapLeaves(value, path, (leaf, at) => (typeof leaf === 'string' ? change(leaf, at) : leaf))
}

function mapLeaves(value: unknown, path: Path, change: (leaf: unknown, path: Path) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item, i) => mapLeaves(item, [...path, i], change))
  if (typeof value !== 'object' || value === null) return change(value, path)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapLeaves(inner, [...path, name], change)]),
  )
}
