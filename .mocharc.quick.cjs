/* `npm run test:quick`: the library without its command line, its documents and the package, for while you work. */
module.exports = {
  ...require('./.mocharc.json'),
  spec: [
    'test/{codec,conformance,errors,packets,property,protocol,streams,testing,wire}/**/*.test.ts',
    // Mocha takes braces without an asterisk for a part of the name.
    ...['dump', 'redaction', 'bytes-from-text'].map((name) => `test/explain/${name}.test.ts`),
    'test/layout.test.ts',
  ],
  // It takes a sixth of the time, and few changes concern it.
  ignore: ['test/packets/object-prototype.test.ts'],
  parallel: true,
  jobs: 3,
}
