/*
 * `npm run storm -- [--json] [--smoke] [--connections N] [--open N] [--rounds N] [--deadline MS] [--good-over MS]`: a storm
 * of connections against our servers, mqtt-packet's and one that does not parse, and then bad clients among good ones.
 * Exits with 1 if a server did not behave; a promise about time that is missed is only printed.
 */
import { parseArgs } from 'node:util'
import { machine } from '../report.ts'
import { type AbuseSize, abusePromises, runAbuse } from './abuse.ts'
import { runStorm, type StormSize, stormPromises } from './storm.ts'
import { abuseTable, promiseTable, stormTable } from './tables.ts'

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    connections: { type: 'string' },
    open: { type: 'string' },
    rounds: { type: 'string' },
    deadline: { type: 'string' },
    'good-over': { type: 'string' },
  },
})

/** The connections of a turn come from one address to one port, and the client's ports are not free again at once. */
const MOST_CONNECTIONS = 25_000

function wholeNumber(
  name: Exclude<keyof typeof options, 'json' | 'smoke'>,
  most: number,
  usual: number,
  smoke: number,
): number {
  const value = Number(options[name] ?? (options.smoke ? smoke : usual))
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  console.error(`--${name} is 1 to ${most}, not '${options[name]}'`)
  process.exit(2)
}

const stormSize: StormSize = {
  connections: wholeNumber('connections', MOST_CONNECTIONS, 10_000, 40),
  open: wholeNumber('open', 10_000, 500, 10),
  rounds: wholeNumber('rounds', 1000, 15, 1),
}
const abuseSize: AbuseSize = {
  connections: options.smoke ? 20 : 1000,
  // As long as `readConnect` waits by itself.
  deadline: wholeNumber('deadline', 60_000, 10_000, 1000),
  slow: options.smoke ? 50 : 1000,
  good: wholeNumber('good-over', 60_000, 8000, 200),
}

const platform = machine()
const say = options.json ? console.error : console.log
say(`${platform}\n`)
const storm = await runStorm(stormSize)
say(`${stormTable(storm, stormSize)}\n`)
const abuse = await runAbuse(abuseSize)
say(`${abuseTable(abuse, abuseSize)}\n`)
const promises = [...stormPromises(storm, stormSize), ...abusePromises(abuse, abuseSize)]
say(promiseTable(promises))

if (options.json) {
  console.log(
    JSON.stringify(
      { machine: platform, ...stormSize, storm, abuse_size: abuseSize, abuse, promises },
      null,
      2,
    ),
  )
}
process.exitCode = promises.some(({ met, gates }) => gates && !met) ? 1 : 0
