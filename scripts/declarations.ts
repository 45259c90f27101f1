import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/*
 * Reads the built declarations (`dist/**.d.ts`): which names a module exports, their signatures and their docstrings. TypeScript 7
 * has no compiler API. The declarations are the compiler's own output, so their form is regular.
 */

/** A docstring. */
export interface Doc {
  /** The text before the first tag. */
  readonly text: string
  /** The tags in order: `@throws TypeError …` has the name `throws`. */
  readonly tags: readonly { readonly name: string; readonly text: string }[]
}

/** A statement, or a member of a class, an interface or an object type. */
export interface Declaration {
  readonly doc: Doc
  /** The source without docstrings, on as few lines as it has. */
  readonly source: string
  /** The members, if it has a body. */
  readonly members: readonly Declaration[]
}

/** One name that a module exports. */
export interface Export {
  readonly name: string
  /** Whether it exists for the compiler only. */
  readonly isType: boolean
  /** Its declarations: several for overloads, and for a constant and a type of the same name. */
  readonly declarations: readonly Declaration[]
  /** The file that declares it. */
  readonly file: string
  /** What a namespace exports. */
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

/** The names in a list of exports or imports, and whether each is only a type. */
export function namesOf(list: string): [name: string, isType: boolean][] {
  const names = list.split(',').map((name) => name.trim())
  return names
    .filter((name) => name !== '')
    .map((name) => [name.replace(/^type /, ''), name.startsWith('type ')])
}

/** What a name stands for that a file declares, imports or exports. */
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

/** A docstring, another comment, a string, a bracket, or a semicolon. */
const token = /\/\*\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\]|\\.)*'|`[^`]*`|[{}()[\];]/g

/** The statements or members in a text. */
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

/** Whether a class or an interface ends here, which no semicolon follows. */
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
