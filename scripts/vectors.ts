import { decode, MqttError } from '../lib/index.ts'
import {
  type Rule,
  type TypeName,
  type VersionName,
  versionNames,
  versions,
} from '../test/conformance/rule.ts'
import { accepted, bytesOf } from '../test/conformance/rules/accepted.ts'
import { allRules } from '../test/conformance/rules/index.ts'
import { answerTo, waysOf } from '../test/conformance/ways.ts'

/*
 * The tables of `lib/testing`, which are the packets of the conformance tests: the same bytes prove the library and are shipped.
 */

/** Packet types that only servers send, by the high half of the first byte: CONNACK, SUBACK, UNSUBACK, PINGRESP. */
const ofServers: ReadonlySet<number> = new Set([2, 9, 11, 13])

/** Bytes in hex. Many equal bytes are written once, with their number. */
function hexOf(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return hex.replace(/(?<=^(?:..)*)(..)\1{15,}/g, (run, byte: string) => `${byte}*${run.length / 2};`)
}

/** The fields whose string rules are shown with every kind of malformed UTF-8. */
const ownStrings: readonly string[] = ['clientId', 'will.topic', 'userName']

/** What is different in packets of which all are shown: there are few of them, or each is another fault. */
function variety({ code, field, bytes, known, version }: Rule): string {
  const { level } = versions[version]
  // Every name with the level of the version, because programs may check the level first.
  if (code === 'protocol-name') return known[1] === level ? `${known[0]}` : 'none'
  const isAlike = /^property-|^user-property-|^will-property-|not-utf8$/.test(code)
  return isAlike && !ownStrings.includes(field) ? '' : bytes.toString('hex')
}

/** The packets of each rule, version and field that `decode` alone can refuse. */
function invalid(): Rule[] {
  const found = new Map<string, Rule>()
  for (const rule of allRules) {
    const { version, code, clause, what, field } = rule
    const key = [version, code, clause, what, field, variety(rule)].join('|')
    // Some rules are also tested while another one is relaxed.
    const isPlain = waysOf(rule).includes('decode') && rule.options.allow === undefined
    if (isPlain && variety(rule) !== 'none' && !found.has(key)) found.set(key, rule)
  }
  return [...found.values()]
}

/** The packets that a clause may be about, in words. The others are CONNECT and packets that are not decoded. */
export const owners: { readonly [Type in TypeName]?: string } = {
  connack: 'a CONNACK',
  disconnect: 'a DISCONNECT',
  auth: 'an AUTH',
}

function nameOf({ what, type }: Rule): string {
  const owner = owners[type]
  return owner === undefined || what.includes(owner.replace(/.* /, '')) ? what : `${what} in ${owner}`
}

/** Who sends a packet: a client, unless only servers do, or unless a client's packet had another error. */
function senderOf(bytes: Buffer, version: VersionName, code?: string): 'client' | 'server' {
  if (ofServers.has(bytes[0]! >> 4)) return 'server'
  try {
    decode(bytes, { protocolVersion: versions[version].level, from: 'client' })
    return 'client'
  } catch (error) {
    const isOther = error instanceof MqttError && error.code === 'wrong-sender' && error.code !== code
    return isOther ? 'server' : 'client'
  }
}

/** The names of packets, each unique in its version: with the field if several fields have the rule, then with a number. */
function namesOf(rules: readonly Rule[]): Map<Rule, string> {
  const numbered = (names: readonly string[]) =>
    names.map((name, at) => {
      const count = names.slice(0, at).filter((other) => other === name).length
      return count === 0 ? name : `${name} (${count + 1})`
    })
  const fields = (rule: Rule) =>
    new Set(rules.filter((other) => nameOf(other) === nameOf(rule)).map(({ field }) => field))
  const names = rules.map((rule) => (fields(rule).size > 1 ? `${nameOf(rule)}: ${rule.field}` : nameOf(rule)))
  const unique = numbered(names)
  return new Map(rules.map((rule, at) => [rule, unique[at]!]))
}

function refusedTable(version: VersionName): string[] {
  const rules = invalid().filter((rule) => rule.version === version)
  return [...namesOf(rules)].map(([{ code, clause, bytes, known, options }, name]) => {
    const { from = senderOf(bytes, version, code) } = options
    const columns = [from, code, clause, hexOf(bytes), answerTo(code, ...known) ?? '', name]
    const more = JSON.stringify({ ...options, connection: undefined, from: undefined })
    return [...columns, ...(more === '{}' ? [] : [more])].join('|')
  })
}

function validTable(version: VersionName): string[] {
  return accepted
    .filter((one) => one.version === version)
    .map((one) => {
      const bytes = bytesOf(one)
      return [senderOf(bytes, version), '', one.clause, hexOf(bytes), '', one.what].join('|')
    })
}

/** The files of `lib/testing` that are made, with their text. */
export function vectorTables(): [file: string, text: string][] {
  const comment = `/** Who sends it, code, clause, bytes, answer, name, options. \`npm run docs\` writes this file. */`
  const table = (file: string, name: string, lines: string[]): [string, string] => [
    file,
    `${comment}\nexport const ${name}: string = \`\n${lines.join('\n')}\n\`\n`,
  ]
  return versionNames.flatMap((version) => {
    const file = version.replaceAll('_', '-')
    return [
      table(`invalid-${file}.ts`, `invalid_${version}`, refusedTable(version)),
      table(`valid-${file}.ts`, `valid_${version}`, validTable(version)),
    ]
  })
}
