import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { minify } from 'terser'

/*
 * Makes the JavaScript of the package from `lib`, in few files, because the package is downloaded more often than it's read.
 */

const root = join(import.meta.dirname, '..')
const lib = join(root, 'lib')
const browserFile = (path) => join(lib, 'browser', `${basename(path, '.ts')}.ts`)

/** Takes the files of `lib/browser` in place of those of `lib/wire` with the same names, and of the package `buffer`. */
const forBrowsers = {
  name: 'for browsers',
  resolveId(specifier, importer = '') {
    if (specifier === 'buffer') return browserFile(specifier)
    const path = join(dirname(importer), specifier)
    return dirname(path) === join(lib, 'wire') && existsSync(browserFile(path)) ? browserFile(path) : null
  },
}

/** For code that runs in Node and in browsers: Node's `Buffer` where there is one. */
const forBoth = {
  name: 'for both',
  resolveId: (specifier) => (specifier === 'buffer' ? browserFile('node-or-own-buffer.ts') : null),
}

const compress = { ecma: 2022, passes: 3 }

/** Everything is short. */
const shortest = {
  module: true,
  ecma: 2022,
  compress: { ...compress, keep_fargs: false, unsafe_arrows: true },
}

/** Functions and classes keep their names, and no line is long, because Node prints both when it prints an error. */
const readable = {
  module: true,
  toplevel: false,
  ecma: 2022,
  compress: { ...compress, toplevel: false, inline: 1, reduce_funcs: false },
  mangle: { toplevel: false },
  keep_fnames: true,
  keep_classnames: true,
  format: { max_line_len: 250 },
}

/** The chunks that rolldown makes, minified, in a folder. */
async function write(input, output, options, folder) {
  const bundle = await rolldown({
    treeshake: { propertyReadSideEffects: false },
    platform: 'neutral',
    ...input,
  })
  const { output: chunks } = await bundle.generate({ format: 'esm', entryFileNames: '[name].js', ...output })
  for (const { fileName, code } of chunks) {
    const path = join(root, folder, fileName)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, (await minify(withClassNames(code), options)).code)
  }
}

/** Names the classes themselves: rolldown has only named the variables, `ConnectPacket$1` where there are several of one name. */
function withClassNames(code) {
  return code.replaceAll(/\b((\w+?)(?:\$\d+)? = class)(?: [\w$]+)?(?= extends | \{)/g, '$1 $2')
}

/** A file that imports nothing. */
export function bundleForBrowsers(entry, folder) {
  const input = { input: { [entry]: join(lib, `${entry}.ts`) }, plugins: [forBrowsers] }
  return write(input, {}, shortest, folder)
}

/** `lib/testing` imports nothing of the rest, so browsers and Node have the same file. */
export function bundleTesting(folder) {
  const input = { input: { 'testing/index': join(lib, 'testing', 'index.ts') }, plugins: [forBoth] }
  return write(input, {}, readable, folder)
}

/**
 * The entry points for Node, and the code that they share: `core.js` is everything below streams, `explain` included. It imports
 * nothing either, so in browsers it's also the file of `./explain`.
 */
export function bundleForNode(entries, folder) {
  const files = Object.fromEntries(entries.map((entry) => [entry, join(lib, `${entry}.ts`)]))
  /** Imports of entry points stay imports: the folders are the same as in `lib`. */
  const keepEntries = {
    name: 'keep entries',
    resolveId(specifier, importer) {
      const isEntry = importer && Object.values(files).includes(join(dirname(importer), specifier))
      return isEntry ? { id: specifier.replace(/\.ts$/, '.js'), external: true } : null
    },
  }
  const ofCore = /\/lib\/(protocol|errors|wire|codec|packets|explain|browser)\/(?!index)/
  // What only the command line has of explain, and the page.
  const ofCommand = /\/lib\/explain\/(read-input|streams|capture\/(?!segments|signature))/
  const input = {
    input: files,
    external: [/^node:/, 'readable-stream', 'bl'],
    plugins: [forBoth, keepEntries],
  }
  const output = {
    // Browsers take `./explain` from there.
    banner: ({ name }) => (name === 'core' ? 'export { bytesFromText, diagnose, explain }' : ''),
    chunkFileNames: '[name].js',
    codeSplitting: { groups: [{ name: 'core', test: (id) => ofCore.test(id) && !ofCommand.test(id) }] },
  }
  return write(input, output, readable, folder)
}
