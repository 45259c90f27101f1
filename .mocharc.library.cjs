/* The tests that measure coverage: those of the library, except for those of .mocharc.programs.cjs. */
module.exports = {
  ...require('./.mocharc.json'),
  spec: ['test/**/*.test.ts'],
  ignore: require('./.mocharc.programs.cjs').spec,
  parallel: true,
  jobs: 2,
}
