/*
 * A reporter for one screen: a line for each folder of tests, one for each suite with skipped tests, and then the failures in full.
 */
import { relative, sep } from 'node:path'
import Mocha from 'mocha'

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants
const root = new URL('..', import.meta.url).pathname

export default class FolderReporter extends Mocha.reporters.Base {
  constructor(runner, options) {
    super(runner, options)
    let current = { folder: undefined, passed: 0, failed: 0, skipped: new Map(), start: performance.now() }

    const printCurrent = () => {
      const { folder, passed, failed, skipped, start } = current
      if (folder === undefined) return
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      const failures = failed > 0 ? `, ${failed} failed` : ''
      console.log(`  ${folder.padEnd(14)}${`${passed}`.padStart(5)} passed${failures} in ${seconds} s`)
      for (const [suite, [first, ...more]] of skipped) {
        console.log(`    skipped: ${suite} ${more.length === 0 ? first : `(${more.length + 1} tests)`}`)
      }
    }
    const begin = (folder) => {
      if (folder === current.folder) return
      printCurrent()
      const start = current.folder === undefined ? current.start : performance.now()
      current = { folder, passed: 0, failed: 0, skipped: new Map(), start }
    }

    runner.on(EVENT_TEST_PASS, (test) => {
      begin(folderOf(test))
      current.passed++
    })
    runner.on(EVENT_TEST_FAIL, (test) => {
      begin(folderOf(test))
      current.failed++
    })
    runner.on(EVENT_TEST_PENDING, (test) => {
      begin(folderOf(test))
      const suite = test.parent.fullTitle()
      current.skipped.set(suite, [...(current.skipped.get(suite) ?? []), test.title])
    })
    runner.once(EVENT_RUN_END, () => {
      printCurrent()
      this.epilogue()
    })
  }
}

/** `streams` for test/streams/refuse.test.ts. */
function folderOf({ file = '' }) {
  const [first, second] = relative(root, file).split(sep)
  // The tests of the other packages are beside this folder.
  return first === '..' ? second : first
}
