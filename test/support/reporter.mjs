/*
 * A reporter whose output fits on one screen: one line per folder, per suite with skipped tests, and per test that passed only
 * when it was repeated, then the failures in full.
 */
import { relative, sep } from 'node:path'
import Mocha from 'mocha'

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING, EVENT_TEST_RETRY } =
  Mocha.Runner.constants
const root = new URL('..', import.meta.url).pathname

export default class FolderReporter extends Mocha.reporters.Base {
  constructor(runner, options) {
    super(runner, options)
    /** Results by folder, printed at the end, because files run in parallel. */
    const folders = new Map()
    const folderWith = (test) => {
      const folder = folderOf(test)
      if (!folders.has(folder))
        folders.set(folder, { passed: 0, failed: 0, time: 0, skipped: new Map(), repeated: [] })
      const counts = folders.get(folder)
      counts.time += test.duration ?? 0
      return counts
    }
    runner.on(EVENT_TEST_PASS, (test) => folderWith(test).passed++)
    runner.on(EVENT_TEST_FAIL, (test) => folderWith(test).failed++)
    runner.on(EVENT_TEST_RETRY, (test, { message }) =>
      folderWith(test).repeated.push(`${test.fullTitle()}: ${message}`),
    )
    runner.on(EVENT_TEST_PENDING, (test) => {
      const { skipped } = folderWith(test)
      const suite = test.parent.fullTitle()
      skipped.set(suite, [...(skipped.get(suite) ?? []), test.title])
    })
    runner.once(EVENT_RUN_END, () => {
      for (const [folder, { passed, failed, time, skipped, repeated }] of [...folders].sort()) {
        const failures = failed > 0 ? `, ${failed} failed` : ''
        console.log(
          `  ${folder.padEnd(14)}${`${passed}`.padStart(5)} passed${failures} in ${(time / 1000).toFixed(1)} s`,
        )
        for (const [suite, [first, ...more]] of skipped) {
          console.log(`    skipped: ${suite} ${more.length === 0 ? first : `(${more.length + 1} tests)`}`)
        }
        for (const test of repeated) console.log(`    failed at first, and was repeated: ${test}`)
      }
      this.epilogue()
    })
  }
}

/** For example `streams` for test/streams/refuse.test.ts. */
function folderOf({ file = '' }) {
  const [first, second] = relative(root, file).split(sep)
  // The other packages' tests are outside this folder.
  return first === '..' ? second : first
}
