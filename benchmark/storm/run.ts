/*
 * `npm run storm -- [--json] [--smoke] [--rounds N]`: opens many short connections to our servers, to mqtt-packet's, and to one
 * that doesn't parse, then mixes bad clients with good ones. Exits with 1 if a server turned a good client away, kept a bad
 * one, or leaked. Targets for CPU time are only printed, because the machine may be busy.
 */
import { scriptArguments } from '../../test/support/script-arguments.ts'
import { machine, table } from '../report.ts'
import { Child, kinds, ours } from './child.ts'
import type { ClientCalls } from './clients.ts'
import type { ServerCalls } from './server.ts'
import { abuse, type Servers, storm } from './storm.ts'

const { values } = scriptArguments(import.meta.filename, {
  options: {
    json: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '60' },
  },
})
const stormSize = values.smoke
  ? { connections: 10, open: 5, rounds: 1 }
  : { connections: 2500, open: 500, rounds: Number(values.rounds) }
const abuseSize = values.smoke
  ? { connections: 10, deadline: 300, milliseconds: 50 }
  : { connections: 1000, deadline: 10_000, milliseconds: 8000 }

const say = values.json ? console.error : console.log
const started = kinds.map((kind) => [kind, new Child<ServerCalls>('server.ts', kind)])
const servers = Object.fromEntries(started) as Servers
const clients = [new Child<ClientCalls>('clients.ts'), new Child<ClientCalls>('clients.ts')] as const

say(`${machine()}\n\nStorm: ${JSON.stringify(stormSize)}`)
const stormed = await storm(servers, clients[0], stormSize)
say(`${table(stormed.rows)}\n\nAbuse: ${JSON.stringify(abuseSize)}`)
const abused = []
for (const kind of ours) abused.push(await abuse(kind, servers[kind], clients, abuseSize))
const rows = abused.flatMap(({ rows }) => rows)
const checks = [stormed, ...abused].flatMap(({ checks }) => checks)
say(`${table(rows)}\n`)
for (const child of [...Object.values(servers), ...clients]) child.stop()

for (const { what, got, met, gates } of checks) {
  say(`${met ? 'met   ' : gates ? 'FAILED' : 'missed'}  ${what}: ${got}`)
}
if (values.json) console.log(JSON.stringify({ storm: stormed.rows, abuse: rows, checks }, null, 2))
process.exitCode = checks.some(({ met, gates }) => gates && !met) ? 1 : 0
