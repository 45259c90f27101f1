/*
 * The tests without coverage, because measuring it makes code slower by half: those of programs, those that measure time or
 * memory, and those that give the library many inputs without reaching a line that other tests miss. Most of them wait most of
 * the time. The longest are first, so that nothing waits for them at the end.
 */

/** The tests of the probe that wait longest. */
const waiting = ['minimum', 'switches', 'probe']

module.exports = {
  ...require('./.mocharc.json'),
  spec: [
    // Mocha takes braces without an asterisk for a part of the name, and would run a file twice that two patterns match.
    ...waiting.map((name) => `probe/test/${name}.test.ts`),
    'playground/test/all.ts',
    'test/{package,fuzz,growth}/**/*.test.ts',
    'test/**/*-memory.test.ts',
    'test/explain/agreement.test.ts',
    'test/conformance/accepted.test.ts',
    'test/property/**/*.test.ts',
    'test/packets/object-prototype.test.ts',
    `probe/test/!(${waiting.join('|')}).test.ts`,
    'gateway/test/**/*.test.ts',
    'test/{docs,examples}/**/*.test.ts',
  ],
  parallel: true,
  jobs: 5,
  // A busy machine can be too slow for a test that waits for real programs. The report names every test that failed at first.
  retries: 1,
}
