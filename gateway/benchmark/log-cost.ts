import { freePort, startMosquitto } from '../test/support.ts'
import { Contenders } from './contenders.ts'
import { connections, quantile } from './measure.ts'

/*
 * CPU time of a short connection with and without the lines of the log, in turns:
 *
 *   node --import ./test/support/strip-types.mjs gateway/benchmark/log-cost.ts [ROUNDS]
 */

const ROUNDS = Number(process.argv[2] ?? 9)
const CONNECTIONS = 2000

const variants = {
  'no lines': { connects: false, sessions: false },
  'a line per session, JSON': { connects: false, sessions: true },
  'a line per session, text': { connects: false, sessions: true, format: 'text' },
  'a line per CONNECT and per session, JSON': { connects: true, sessions: true },
} as const

const contenders = new Contenders()
const broker = await startMosquitto(contenders.folder, '', await freePort(), true)
const running = await Promise.all(
  Object.entries(variants).map(async ([name, log]) => {
    const program = await contenders.start('gateway', 'TCP', broker.port, log)
    return { name, program: program!, cpu: [] as number[] }
  }),
)
for (let round = -1; round < ROUNDS; round++) {
  for (const { program, cpu } of running) {
    const target = { port: program.port, transport: 'TCP', ca: '' } as const
    const result = await connections(target, program.process.pid!, CONNECTIONS)
    // The first round is a warm-up.
    if (round >= 0) cpu.push(result.cpu)
  }
}
const base = running[0]!.cpu
for (const { name, cpu } of running) {
  const ratios = cpu.map((value, i) => value / base[i]!)
  const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part).toFixed(3))
  console.log(`| ${name} | ${quantile(cpu, 0.5).toFixed(3)} | ${middle} (${low} to ${high}) |`)
}
await Promise.all([broker, ...running.map(({ program }) => program)].map((program) => program.stop()))
contenders.folder.remove()
