import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PropertyList } from '../lib/codec/property-list.ts'
import { wrapped } from '../lib/explain/columns.ts'
import { formats } from '../lib/packets/formats.ts'
import { propertyRows } from '../lib/protocol/property-table.ts'
import { type Declaration, type Doc, type Export, exportsOf, find, namesOf } from './declarations.ts'

/* Writes docs/api.md from the built declarations: every export with its signature, members, errors and an example. */

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

/** The export's name with its namespace, such as `v5.ConnectPacket`. */
export interface Entry extends Export {
  readonly path: string
}

export interface Section {
  readonly title: string
  readonly module: string
  readonly entries: readonly Entry[]
}

/** The width of a line in columns, as in the docstrings' sources. The declarations have one line for each paragraph or item. */
const COLUMNS = 128

function withShortLines(text: string): string {
  const shortened = (line: string) => wrapped(line, COLUMNS).join(line.startsWith('- ') ? '\n  ' : '\n')
  return text.replaceAll(/^(?!\|).+$/gm, shortened)
}

/** The folders whose exports are those of `lib/index.ts`. Comments divide the index of each into sections. */
const folders = ['packets', 'streams', 'explain'] as const

/** All exports by section: first those of `lib/index.ts`, then each sub-path with exports of its own. */
export function apiSections(): Section[] {
  const titles = new Map<string, Entry[]>()
  for (const folder of folders) {
    const exported = exportsOf(join(dist, folder, 'index.d.ts'))
    const source = readFileSync(join(root, 'lib', folder, 'index.ts'), 'utf8')
    for (const section of source.split(/^\/\/ /m).slice(1)) {
      const lists = section.matchAll(/^export (?:type )?\{([^}]*)\}|^export \* as (\w+)/gm)
      const names = Array.from(lists, ([, list, namespace]) => namesOf(list ?? namespace!)).flat()
      const entries = exported.filter(({ name }) => names.some(([one]) => one === name))
      const title = section.slice(0, section.indexOf('.\n'))
      titles.set(title, [...(titles.get(title) ?? []), ...entries.flatMap((one) => entriesOf(one))])
    }
  }
  const lists = Array.from(titles, ([title, entries]): Section => {
    return { title, module: 'mqtt-connect-packet', entries: sorted(entries) }
  })
  const ownModule = (title: string, path: string, file: string): Section => ({
    title,
    module: `mqtt-connect-packet/${path}`,
    entries: sorted(exportsOf(join(dist, file)).flatMap((one) => entriesOf(one))),
  })
  return [
    ...lists,
    ownModule("mqtt-packet's object shape", 'interop/mqtt-packet', 'interop/mqtt-packet.d.ts'),
    ownModule('For tests', 'testing', 'testing/index.d.ts'),
    ownModule('The annotated dump as an HTML element', 'element', 'element/mqtt-explain.d.ts'),
  ]
}

function entriesOf(one: Export, prefix = ''): Entry[] {
  const path = `${prefix}${one.name}`
  return [{ ...one, path }, ...(one.namespace ?? []).flatMap((inner) => entriesOf(inner, `${path}.`))]
}

/** Lists functions, classes and constants before types. */
function sorted(entries: readonly Entry[]): Entry[] {
  return [...entries.filter(({ isType }) => !isType), ...entries.filter(({ isType }) => isType)]
}

/** The docstring of an export, taken from the first declaration that has one. */
export function docOf({ declarations }: Export): Doc {
  return (declarations.find(({ doc }) => doc.text !== '') ?? declarations[0]!).doc
}

export function tagsOf(doc: Doc, name: string): string[] {
  return doc.tags.filter((tag) => tag.name === name).map(({ text }) => text)
}

/** A public member of a class, an interface or an object type. Members of unexported base classes are included. */
export interface Member {
  readonly name: string
  readonly signature: string
  readonly doc: Doc
}

export function membersOf(entry: Export): Member[] {
  const own = entry.declarations.findLast(({ source }) => isBlock(source))
  if (own === undefined) return []
  const members = own.members.flatMap((member) => memberOf(member))
  const base = baseOf(entry)
  if (base === undefined) return members
  const documented = members.map((member) =>
    member.doc.text === '' ? { ...member, doc: docInBases(entry, member.name) ?? member.doc } : member,
  )
  if (isLinked(entry, base)) return documented
  const inherited = membersOf(base).map((member) => ({
    ...member,
    signature: withArguments(member.signature, entry, base),
  }))
  return [...documented, ...inherited.filter(({ name }) => members.every((member) => member.name !== name))]
}

/**
 * Adapts the signature of a base class's member to the class that extends it: fills in type arguments, and names the class
 * instead of `this`.
 */
function withArguments(signature: string, entry: Export, base: Export): string {
  const [, given = ''] = / extends \w+<([^{]*)>\s*$/.exec(headerOf(entry)) ?? []
  const [, declared = ''] = /class \w+<(.*?)> extends /s.exec(headerOf(base)) ?? []
  const values = given.split(',').map((text) => text.trim())
  const names = declared.split(',').map((text) => /\w+/.exec(text)?.[0] ?? '')
  const known = new Map(names.map((name, i) => [name, values[i] ?? name]))
  const typed = signature.replaceAll(/\b[A-Z]\w*/g, (name) => known.get(name) ?? name)
  return headerOf(entry).includes(' abstract class ') ? typed : typed.replace(/: this$/, `: ${entry.name}`)
}

function headerOf({ declarations }: Export): string {
  return declarations.find(({ source }) => isBlock(source))?.source.split('{')[0] ?? ''
}

/** The docstring of a member, from the nearest base class that has one. */
function docInBases(entry: Export, name: string): Doc | undefined {
  const base = baseOf(entry)
  if (base === undefined) return undefined
  const found = membersOf(base).find((member) => member.name === name)
  return found !== undefined && found.doc.text !== '' ? found.doc : docInBases(base, name)
}

function isBlock(source: string): boolean {
  return /^(export )?(declare )?(abstract )?(class|interface) /.test(source)
}

/** The base class or interface, if it's ours. */
function baseOf(entry: Export): Export | undefined {
  // Removes type arguments first, because they can contain `extends` too.
  let bare = headerOf(entry)
  for (let before = ''; before !== bare; ) {
    before = bare
    bare = bare.replaceAll(/<[^<>]*>/g, '')
  }
  const [, name] = / extends (\w+)/.exec(bare) ?? []
  if (name === undefined) return undefined
  try {
    return find(entry.file, name)
  } catch {
    return undefined // one of Node's
  }
}

const exportedNames: ReadonlySet<string> = new Set(
  exportsOf(join(dist, 'index.d.ts')).map(({ name }) => name),
)

/** True if a base class lists its members under its own heading. Options are in one table instead. */
function isLinked(entry: Export, base: Export): boolean {
  return (
    exportedNames.has(base.name) &&
    entry.declarations.some(({ source }) => /^export declare (abstract )?class /.test(source))
  )
}

/** The nearest base class with its own heading. */
function linkedBase(entry: Export): Export | undefined {
  const base = baseOf(entry)
  return base === undefined || isLinked(entry, base) ? base : linkedBase(base)
}

function memberOf({ source, doc }: Declaration): Member[] {
  const signature = source.replace(/;$/, '').replaceAll(/\s+/g, ' ')
  if (
    /^(#|private |protected |static |set |_|\w+\((?:\w+: never|.*\bsize: never)|constructor\(bytes: Buffer)/.test(
      signature,
    )
  )
    return []
  const typed = signature.replace(/^(readonly \w+) = /, '$1: ')
  const clean = typed.replace(/^(abstract |readonly |get )+/, '')
  const name = /^(\[[^\]]+\]|\w+)/.exec(clean)?.[1] ?? clean
  return [{ name, signature: typed.replace(/^abstract /, ''), doc }]
}

/** A row in the table of members: methods with their parameters, `readonly name?: Type` as name and type. */
function memberRow({ signature, doc }: Member): string {
  const [, modifiers = '', name = '', optional = '', type = ''] =
    /^((?:readonly |get )*)(\w+|'[\w-]+'|\[[^\]]+\])(\??)(?:\(\))?: (.*)$/.exec(signature) ?? []
  const isMethod = name === '' || (!modifiers.includes('get ') && /^\w+(<.*>)?\(/.test(signature))
  const cells = isMethod
    ? [
        code(signature.replace(/^(\w+)(<.*?>)?\((.*)\): (.*)$/, '$1$2($3)')),
        code(/\)(?:: (.*))?$/.exec(signature)?.[1] ?? ''),
      ]
    : [
        code(`${name.replaceAll("'", '')}${optional}`),
        code(optional === '' ? type : type.replace(/ \| undefined$/, '')),
      ]
  return `| ${[...cells, memberText(doc)].join(' | ')} |`
}

function memberText(doc: Doc): string {
  const throws = tagsOf(doc, 'throws').map(
    (text) => `Throws ${text.replaceAll(/\s+/g, ' ')}${/[.!]$/.test(text) ? '' : '.'}`,
  )
  const [example] = tagsOf(doc, 'example')
  const shown = example === undefined ? [] : [`Example: ${code(example.replaceAll('\n', '; '))}.`]
  return [doc.text.replaceAll(/\s+/g, ' '), ...throws, ...shown].join(' ').replaceAll('|', '\\|')
}

function code(text: string): string {
  return text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``
}

/** The declaration of an export without its body. */
function signatureOf(entry: Entry): string {
  if (entry.namespace !== undefined) return ''
  const lines = entry.declarations.flatMap(({ source, members }) => {
    const clean = source
      .replace(/^export (declare )?/, '')
      .replace(/;$/, '')
      .replaceAll('\t', '  ')
    // A constant's values have their own table.
    if (clean.startsWith('const ') && members.length > 1) return []
    if (!isBlock(clean)) return [clean]
    const made = membersOf(entry).find(({ name }) => name === 'constructor')
    const header = clean
      .split('{')[0]!
      .trim()
      .replace(
        / extends \w+(Base|Packet|Session|Code|WithoutFields)<[^{]*>$/,
        ` extends ${linkedBase(entry)?.name}`,
      )
      .replace(/(?<=^interface \w+) extends (\w+)$/, (text, name) => (exportedNames.has(name) ? text : ''))
    return made === undefined ? [header] : [`${header} {`, `  ${made.signature}`, '}']
  })
  return [...new Set(lines)].join('\n')
}

/** Types that repeat Node's, or that nobody refers to by name. */
const compilerOnly: ReadonlySet<string> = new Set(['TypedTransform', 'NoPromise', 'NoIterator'])

function entryText(entry: Entry, values: Readonly<Record<string, unknown>>): string {
  const doc = docOf(entry)
  const members = membersOf(entry).filter(({ name }) => name !== 'constructor')
  const made = membersOf(entry).find(({ name }) => name === 'constructor')
  const throws = [...tagsOf(made?.doc ?? doc, 'throws')]
  const fires = tagsOf(doc, 'fires').map((text) => text.replace(/^(\w+) /, "`'$1'` "))
  const params = tagsOf(doc, 'param').map((text) => text.replace(/^(\w+) /, '`$1`: '))
  const signature = signatureOf(entry)
  const linked = linkedBase(entry)
  const base = linked !== undefined && isLinked(entry, linked) ? linked : undefined
  const value = entry.path
    .split('.')
    .reduce((at, name) => (at as Record<string, unknown>)?.[name], values as unknown)
  return [
    `### ${entry.path}`,
    withShortLines(doc.text),
    list('Parameters', params),
    signature && fenced('ts', signature),
    ...tagsOf(doc, 'returns').map((text) => `The promise ${text.replaceAll(/\s+/g, ' ')}.`),
    members.length > 0 &&
      !compilerOnly.has(entry.name) &&
      table(['member', 'type', 'meaning'], members.map(memberRow)),
    base !== undefined && `It also has the members of [${base.name}](#${base.name.toLowerCase()}).`,
    constantTable(entry, value),
    list('Events', fires),
    list('Errors', throws),
    ...[made?.doc, doc]
      .flatMap((one) => (one === undefined ? [] : tagsOf(one, 'example')))
      .map((text) => fenced(text.startsWith('<') ? 'html' : 'ts', text)),
  ]
    .filter((part) => typeof part === 'string' && part !== '')
    .join('\n\n')
}

function list(title: string, items: readonly string[]): string {
  if (items.length === 0) return ''
  return `${title}:\n\n${items.map((text) => `- ${text.replaceAll(/\s+/g, ' ')}`).join('\n')}`
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function table(names: readonly string[], rows: readonly string[]): string {
  return [`| ${names.join(' | ')} |`, `|${names.map(() => '---|').join('')}`, ...rows].join('\n')
}

/** The source tables of some constants. Their rows have the docstrings. */
const tables: Readonly<Record<string, readonly [file: string, name: string]>> = {
  PropertyId: ['property-table', 'propertyTable'],
  ConnectReasonCode: ['codes', 'reasonCodeTable'],
  DisconnectReasonCode: ['codes', 'reasonCodeTable'],
  AuthReasonCode: ['codes', 'reasonCodeTable'],
}

/** The docstring of a row. */
function meaningOf(rows: readonly Declaration[], name: string): string {
  const row = rows.find(({ source }) => source.startsWith(`readonly ${name}:`))
  return row!.doc.text.replaceAll(/\s+/g, ' ')
}

/** Lists a constant's names and numbers, with their docstrings. */
function constantTable({ name, file }: Entry, value: unknown): string {
  if (name === 'property') return propertyRowsTable()
  if (!/^[A-Z]/.test(name) || typeof value !== 'object' || value === null) return ''
  const [module, rowsOf = name] = tables[name] ?? []
  const source = module === undefined ? file : join(dist, 'protocol', `${module}.d.ts`)
  const { members } = find(source, rowsOf).declarations[0]!
  const hex = name === 'ConnectReturnCode' || name === 'ProtocolVersion' ? undefined : 2
  const rows = Object.entries(value).map(([key, number]) => {
    const shown =
      hex === undefined ? `${number}` : `0x${(number as number).toString(16).padStart(2, '0').toUpperCase()}`
    const meaning = meaningOf(members, key).replace(/^(0x[\dA-F]{2}, in|\d:) /, (start) =>
      start.endsWith('in ') ? 'In ' : '',
    )
    return `| ${code(key)} | ${shown} | ${meaning} |`
  })
  return table(['name', 'value', 'meaning'], rows)
}

const propertyLists = formats.flatMap((versions) =>
  (versions.v5?.layout ?? []).flatMap(({ kind, field }) =>
    kind === 'properties' ? [field as PropertyList] : [],
  ),
)
const kinds: Readonly<Record<string, string>> = {
  byte: '0 to 255',
  twoByteInteger: '0 to 65,535',
  fourByteInteger: '0 to 4,294,967,295',
  utf8String: 'string, at most 65,535 bytes of UTF-8',
  binaryData: 'bytes or string, at most 65,535 bytes',
  utf8StringPair: 'key and value: strings, at most 65,535 bytes of UTF-8 each',
}

/** Lists the properties, with the packets that may contain them and their values. */
function propertyRowsTable(): string {
  const { members } = find(join(dist, 'protocol', 'property-table.d.ts'), 'propertyTable').declarations[0]!
  const rows = [...propertyRows].flatMap(([name, row]) => {
    const lists = propertyLists.filter((list) => list.rules[row.id]?.allowed)
    if (lists.length === 0) return []
    const text = meaningOf(members, name).replace(
      /( At most 65,535 bytes[^.]*\.)? MQTT 5\.0 sections? [\d., and]+\.$/,
      '',
    )
    const range =
      row.max !== undefined
        ? `${row.min ?? 0} to ${row.max}`
        : row.min !== undefined
          ? kinds[row.type]!.replace(/^0/, `${row.min}`)
          : kinds[row.type]!
    const where = lists
      .map(({ owner, rules }) => `${owner.replace(/^an? /, '')} (${rules[row.id]!.field.section})`)
      .join(', ')
    return `| ${code(name)} | ${range}${row.unit === undefined ? '' : `, ${row.unit}`} | ${where} | ${text} |`
  })
  return table(['property', 'value', 'of (section)', 'meaning'], rows)
}

const head = `# API

Everything is exported by \`mqtt-connect-packet\`, unless noted otherwise. Three sub-paths export parts of it:
\`mqtt-connect-packet/packets\`, which needs neither streams nor modules of Node, \`mqtt-connect-packet/streams\` and
\`mqtt-connect-packet/explain\`. The last three sections are about sub-paths that aren't part of \`mqtt-connect-packet\`.

If your code passes an invalid argument, for example an option with an unknown name, you get a \`TypeError\` or a \`RangeError\` with a
code. [errors.md](errors.md) lists these codes, and those of \`MqttError\`.

In the examples, \`packet\` is an MQTT 5.0 CONNECT, \`bytes\` are its bytes, and \`socket\` is a connection whose client sends them. A test runs
every example. \`npm run docs\` writes this document from the docstrings.
`

/** The anchor of a heading. Code hosts number the headings that differ only in case. */
function anchorOf(path: string, sections: readonly Section[]): string {
  const anchor = (name: string) => name.toLowerCase().replaceAll('.', '')
  const same = sections
    .flatMap(({ entries }) => entries.map((entry) => entry.path))
    .filter((name) => anchor(name) === anchor(path))
  const number = same.indexOf(path)
  return number === 0 ? anchor(path) : `${anchor(path)}-${number}`
}

export async function apiDocument(): Promise<string> {
  const all = apiSections()
  const contents = all.map(({ title, entries }) => {
    const links = entries.map(({ path }) => `[${path}](#${anchorOf(path, all)})`)
    return `- **${title}**: ${links.join(', ')}`
  })
  const sections = await Promise.all(
    all.map(async ({ title, module, entries }) => {
      const values = await import(module)
      const from = module === 'mqtt-connect-packet' ? '' : `\n\nFrom \`${module}\`.`
      return `## ${title}${from}\n\n${entries.map((entry) => entryText(entry, values)).join('\n\n')}\n`
    }),
  )
  return [head, `${contents.join('\n')}\n`, ...sections].join('\n')
}
