/* The tests that measure coverage: all of the library but those of .mocharc.programs.cjs. */
module.exports = {
  ...require('./.mocharc.json'),
  spec: ['test/!(docs|examples|fuzz|growth|package)/**/*.test.ts', 'test/*.test.ts'],
  parallel: true,
  jobs: 3,
}
