/* `npm run test:quick`: the library without its command line, its documents and the package, for while you work. */
module.exports = {
  ...require('./.mocharc.json'),
  spec: [
    'test/{codec,conformance,errors,packets,property,protocol,streams,testing,wire}/**/*.test.ts',
    'test/explain/{dump,redaction,agreement,bytes-from-text}.test.ts',
    'test/layout.test.ts',
  ],
  parallel: true,
  jobs: 2,
}
