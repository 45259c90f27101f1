import { type Result, summaryOf } from './result.ts'

/* The report for machines. */

/** A result as a line of JSON. */
export function jsonLine(result: Result): string {
  return `${JSON.stringify(result)}\n`
}

export function jsonSummary(results: readonly Result[]): string {
  return `${JSON.stringify({ summary: summaryOf(results) })}\n`
}

/** True if a result fails a build. */
const fails = ({ verdict }: Result): boolean => verdict === 'violates'

const nameOf = ({ id, version, clause }: Result): string => `${id} (${version}) [${clause}]`

/** The Test Anything Protocol, version 14. */
export function tap(results: readonly Result[]): string {
  const lines = results.map((result, at) => {
    const { verdict, text, sent, received, closed } = result
    const directive = verdict === 'not-tested' ? ` # SKIP ${text}` : ''
    const point = `${fails(result) ? 'not ok' : 'ok'} ${at + 1} - ${nameOf(result)}${directive}`
    if (verdict === 'passed' || verdict === 'not-tested') return point
    const facts = Object.entries({ verdict, text, sent, received, closed })
    const yaml = facts.map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`)
    return [point, '  ---', ...yaml, '  ...'].join('\n')
  })
  return ['TAP version 14', `1..${results.length}`, ...lines, ''].join('\n')
}

/** JUnit's XML, which build servers read, with a suite for each group. */
export function junit(target: string, results: readonly Result[]): string {
  const groups = [...new Set(results.map(({ id }) => id.split('.')[0]!))]
  const suites = groups.map((group) => {
    const own = results.filter(({ id }) => id.startsWith(`${group}.`))
    const skipped = own.filter(({ verdict }) => verdict === 'not-tested').length
    const counts = `tests="${own.length}" failures="${own.filter(fails).length}" errors="0" skipped="${skipped}"`
    return `  <testsuite name="${xml(group)}" ${counts}>\n${own.map(testCase).join('\n')}\n  </testsuite>`
  })
  const head = `<testsuites name="${xml(target)}" tests="${results.length}" failures="${results.filter(fails).length}">`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.join('\n')}\n</testsuites>\n`
}

function testCase(result: Result): string {
  const { id, verdict, text, sent, received, milliseconds } = result
  const attributes = `classname="${xml(id.split('.')[0]!)}" name="${xml(nameOf(result))}" time="${milliseconds / 1000}"`
  const bytes = xml(`sent ${sent}\nreceived ${received}`)
  const inner = {
    passed: '',
    violates: `<failure message="${xml(text)}">${bytes}</failure>`,
    differs: `<system-out>${xml(`differs: ${text}`)}</system-out>`,
    'no-answer': `<system-out>${xml(`no answer: ${text}`)}</system-out>`,
    'not-tested': `<skipped message="${xml(text)}"/>`,
  }[verdict]
  return inner === '' ? `    <testcase ${attributes}/>` : `    <testcase ${attributes}>${inner}</testcase>`
}

function xml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)
}
