import { decode, MqttError } from '../lib/index.ts'
import { v3_1, v3_1_1, v5 } from '../lib/protocol/version.ts'
import {
  readVariableByteInteger,
  variableByteIntegerEnd,
  variableByteIntegerLength,
} from '../lib/wire/integers.ts'
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
 * Writes the table of `lib/testing` from the packets of the conformance tests, so that the vectors we ship are the ones that
 * test the library.
 */

/** Packet types that only servers send, by the high half of the first byte: CONNACK, SUBACK, UNSUBACK, PINGRESP. */
const ofServers: ReadonlySet<number> = new Set([2, 9, 11, 13])

/** The protocol name and the level of each version, in hex. */
const headers: Readonly<Record<VersionName, string>> = {
  v3_1: Buffer.from(v3_1.header).toString('hex'),
  v3_1_1: Buffer.from(v3_1_1.header).toString('hex'),
  v5: Buffer.from(v5.header).toString('hex'),
}

/** Writes bytes in the notation of `lib/testing/vectors.ts`. */
function wireOf(bytes: Buffer, version: VersionName): string {
  const start = variableByteIntegerEnd(bytes, 1, bytes.length)
  const isWhole = start > 0 && start + readVariableByteInteger(bytes, 1, start) === bytes.length
  const [first, rest] = [bytes.subarray(0, 1), bytes.subarray(start)]
  const isShortest = start - 1 === variableByteIntegerLength(rest.length)
  const hex =
    isWhole && isShortest ? `${first.toString('hex')}_${rest.toString('hex')}` : bytes.toString('hex')
  return hex
    .replace(/(?<=^(?:..)*_?(?:..)*)(..)\1{15,}/g, (run, byte: string) => `${byte}*${run.length / 2};`)
    .replace(`_${headers[version]}`, '_H')
}

/** The fields that get a vector for every kind of malformed UTF-8. */
const ownStrings: readonly string[] = ['clientId', 'will.topic', 'userName']

/**
 * Tells similar packets apart, so that all of them become vectors. Only for rules with few packets, or with a different fault
 * in each.
 */
function variety({ code, field, bytes, known, version }: Rule): string {
  const { level } = versions[version]
  // The level of the version under every name, because programs may check the level first.
  if (code === 'protocol-name') return known[1] === level ? `${known[0]}` : 'none'
  const isAlike = /^property-|^user-property-|^will-property-|not-utf8$/.test(code)
  return isAlike && !ownStrings.includes(field) ? '' : bytes.toString('hex')
}

/** One packet per rule, version and field, of those that `decode` alone can refuse. */
function invalid(): Rule[] {
  const found = new Map<string, Rule>()
  for (const rule of allRules) {
    const { version, code, clause, what, field } = rule
    const key = [version, code, clause, what, field, variety(rule)].join('|')
    // Leaves out rules that are also tested with another one relaxed.
    const isPlain = waysOf(rule).includes('decode') && rule.options.allow === undefined
    if (isPlain && variety(rule) !== 'none' && !found.has(key)) found.set(key, rule)
  }
  return [...found.values()]
}

/** The packet types that a clause may be about. All others are CONNECT, or packets that aren't decoded. */
export const owners: { readonly [Type in TypeName]?: string } = {
  connack: 'a CONNACK',
  disconnect: 'a DISCONNECT',
  auth: 'an AUTH',
}

function nameOf({ what, type }: Rule): string {
  const owner = owners[type]
  return owner === undefined || what.includes(owner.replace(/.* /, '')) ? what : `${what} in ${owner}`
}

/** The sender of a packet: the server if `decode` refuses it from a client, unless that is the tested error itself. */
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

/** Names the packets, adding the field if several fields share the rule. */
function namesOf(rules: readonly Rule[]): Map<Rule, string> {
  const fields = (rule: Rule) =>
    new Set(rules.filter((other) => nameOf(other) === nameOf(rule)).map(({ field }) => field))
  return new Map(
    rules.map((rule) => [rule, fields(rule).size > 1 ? `${nameOf(rule)}: ${rule.field}` : nameOf(rule)]),
  )
}

/** A packet in the table: its group, its rule and its bytes, from general to specific. */
type Row = readonly [group: string, rule: string, wire: string]

function refused(version: VersionName): Row[] {
  const rules = invalid().filter((rule) => rule.version === version)
  return [...namesOf(rules)].map(([{ code, clause, bytes, known, options }, name]) => {
    const { from = senderOf(bytes, version, code) } = options
    const json = JSON.stringify({ ...options, connection: undefined, from: undefined })
    const more = [answerTo(code, ...known) ?? '', json === '{}' ? '' : json]
    const rule = ` ${[versions[version].level, clause, ...more].join('|').replace(/\|+$/, '')}`
    return [`${from}|${code}|${name}`, rule, wireOf(bytes, version)]
  })
}

function valid(version: VersionName): Row[] {
  return accepted
    .filter((one) => one.version === version)
    .map((one) => {
      const bytes = bytesOf(one)
      const group = `${senderOf(bytes, version)}||${one.what}`
      return [group, ` ${versions[version].level}|${one.clause}`, wireOf(bytes, version)]
    })
}

/** Returns `lib/testing/table.ts`. */
export function vectorTable(): string {
  const groups = new Map<string, Map<string, string[]>>()
  for (const [group, rule, wire] of [...versionNames.flatMap(refused), ...versionNames.flatMap(valid)]) {
    const rules = groups.get(group) ?? new Map<string, string[]>()
    groups.set(group, rules)
    rules.set(rule, [...(rules.get(rule) ?? []), wire])
  }
  const lines = [...groups].flatMap(([group, rules]) => [
    group,
    ...[...rules].flatMap(([rule, wires]) => [rule, ...wires]),
  ])
  const byLevel = versionNames.map((version) => `  ${versions[version].level}: '${headers[version]}',\n`)
  return `/*
 * The packets of \`vectors\`. \`npm run docs\` writes this file.
 */

/** The replacement for H in each version: protocol name and level. */
export const headers: Readonly<Record<number, string>> = {
${byLevel.join('')}}

export const table: string = \`
${lines.join('\n')}
\`
`
}
