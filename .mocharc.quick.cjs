/*
 * `npm run test:quick`: the library without its command line, its documents and the package, for while you work. The tests of pasted
 * text, of what `explain` hides, of a changed `Object.prototype` and of memory are left out, because they take two fifths of the time.
 */
module.exports = {
  ...require('./.mocharc.json'),
  spec: [
    'test/{codec,conformance,errors,packets,property,protocol,streams,testing,wire}/**/*.test.ts',
    'test/explain/dump.test.ts',
    'test/layout.test.ts',
  ],
  ignore: ['test/packets/object-prototype.test.ts', 'test/**/*-memory.test.ts'],
  parallel: true,
  jobs: 2,
}
