import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/*
 * Reads the built declarations (`dist/**.d.ts`): the names that a module exports, with their signatures and docstrings. A small
 * parser is enough, because TypeScript 7 has no compiler API but writes its declarations in a regular form.
 */

export interface Doc {
  /** The text before the first tag. */
  readonly text: string
  /** The tags in order; `@throws TypeError …` is named `throws`. */
  readonly tags: readonly { readonly name: string; readonly text: string }[]
}

/** A statement, or a member of a class, an interface or an object type. */
export interface Declaration {
  readonly doc: Doc
  /** The source without docstrings, on the lines of the declaration file. */
  readonly source: string
  /** Empty without a body. */
  readonly members: readonly Declaration[]
}

/** One name that a module exports. */
export interface Export {
  readonly name: string
  /** True if the name exists only for the compiler. */
  readonly isType: boolean
  /** More than one for overloads, and for a constant and a type of the same name. */
  readonly declarations: readonly Declaration[]
  readonly file: string
  /** The exports of a namespace. */
  readonly namespace?: readonly Export[]
}

const cache = new Map<string, readonly Declaration[]>()

/** The exports of a declaration file, in the order of the file. */
export function exportsOf(file: string): Export[] {
  const found = statementsOf(file).flatMap((statement): Export[] => {
    const from = /^export (type )?\{([^}]*)\} from '(.*)'/.exec(statement.source)
    if (from !== null) {
      const target = resolve(file, from[3]!)
      return namesOf(from[2]!).map(([name, isType]) => {
        const one = find(target, name)
        return isType || from[1] !== undefined ? { ...one, isType: true } : one
      })
    }
    const every = /^export \* from '(.*)'/.exec(statement.source)
    if (every !== null) return exportsOf(resolve(file, every[1]!))
    const all = /^export \* as (\w+) from '(.*)'/.exec(statement.source)
    if (all !== null) {
      const target = resolve(file, all[2]!)
      return [{ name: all[1]!, isType: false, declarations: [statement], file, namespace: exportsOf(target) }]
    }
    const name = declaredName(statement)
    return name === undefined || !statement.source.startsWith('export ') ? [] : [find(file, name)]
  })
  return [...new Map(found.map((one) => [one.name, one])).values()]
}

/** The names in a list of exports or imports; true for those that are only types. */
export function namesOf(list: string): [name: string, isType: boolean][] {
  const names = list.split(',').map((name) => name.trim())
  return names
    .filter((name) => name !== '')
    .map((name) => [name.replace(/^type /, ''), name.startsWith('type ')])
}

/** Resolves a name that a file declares, imports or exports. */
export function find(file: string, name: string): Export {
  const declarations = statementsOf(file).filter((statement) => declaredName(statement) === name)
  if (declarations.length > 0) {
    const isType = declarations.every(({ source }) => /^(export )?(interface|type) /.test(source))
    return { name, isType, declarations, file }
  }
  for (const { source } of statementsOf(file)) {
    const from = /^import (?:type )?\{([^}]*)\} from '(\..*)'/.exec(source)
    if (from !== null && namesOf(from[1]!).some(([one]) => one === name))
      return find(resolve(file, from[2]!), name)
  }
  const found = exportsOf(file).find((one) => one.name === name)
  if (found === undefined) throw new Error(`${file} does not have ${name}`)
  return found
}

function declaredName({ source }: Declaration): string | undefined {
  const declaration = /^(?:export )?(?:declare )?(?:abstract )?(?:class|function|const|interface|type) (\w+)/
  return declaration.exec(source)?.[1]
}

function resolve(file: string, specifier: string): string {
  return join(dirname(file), specifier.replace(/\.ts$/, '.d.ts'))
}

function statementsOf(file: string): readonly Declaration[] {
  const known = cache.get(file)
  if (known !== undefined) return known
  const statements = parse(readFileSync(file, 'utf8'))
  cache.set(file, statements)
  return statements
}

/** Matches a docstring, a different comment, a string, a bracket, or a semicolon. */
const token = /\/\*\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\]|\\.)*'|`[^`]*`|[{}()[\];]/g

/** Splits a text into its statements or members. */
function parse(text: string): Declaration[] {
  const found: Declaration[] = []
  let doc = ''
  let start = 0
  let depth = 0
  let bodyStart = -1
  const take = (end: number): void => {
    const source = text.slice(start, end)
    const clean = source.replaceAll(/\/\*\*[\s\S]*?\*\/\s*|\/\/.*/g, '').trim()
    const body = bodyStart < 0 ? '' : text.slice(bodyStart, text.lastIndexOf('}', end))
    if (clean !== '' && clean !== ';') found.push({ doc: parseDoc(doc), source: clean, members: parse(body) })
    start = end
    doc = ''
    bodyStart = -1
  }
  for (const { 0: matched, index } of text.matchAll(token)) {
    const end = index + matched.length
    if (matched.startsWith('/**') && depth === 0) {
      doc = matched
    } else if ('{(['.includes(matched[0]!) && matched.length === 1) {
      if (depth === 0 && matched === '{') bodyStart = end
      depth++
    } else if ('})]'.includes(matched)) {
      depth--
      if (depth === 0 && matched === '}' && isBlock(text.slice(start, end))) take(end)
    } else if (matched === ';' && depth === 0) {
      take(end)
    }
  }
  return found
}

/** True at the end of a class or interface, because no semicolon follows there. */
function isBlock(source: string): boolean {
  return /^\s*(\/\*\*[\s\S]*?\*\/\s*|\/\/.*\n)*(export )?(declare )?(abstract )?(class|interface) /.test(
    source,
  )
}

function parseDoc(comment: string): Doc {
  const lines = comment
    .replace(/^\/\*\*/, '')
    .replace(/\*\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
  const [text = '', ...tags] = `${lines.join('\n').trim()}`.split(/^@/m)
  return {
    text: text.trim(),
    tags: tags.map((tag) => {
      const [, name = '', rest = ''] = /^(\w+)\s*([\s\S]*)$/.exec(tag) ?? []
      return { name, text: rest.trim() }
    }),
  }
}
