import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { minify } from 'terser'
import { withShortStyles } from './short-styles.mjs'

/* Bundles `lib` into few minified files, because the package is downloaded more often than its code is read. */

const root = join(import.meta.dirname, '..')
const lib = join(root, 'lib')
const browserFile = (path) => join(lib, 'browser', `${basename(path, '.ts')}.ts`)

/** Replaces files of `lib/wire` by those of `lib/browser` with the same names, and the package `buffer` by the given file. */
const forBrowsers = (buffer) => ({
  name: 'for browsers',
  resolveId(specifier, importer = '') {
    if (specifier === 'buffer') return browserFile(buffer)
    const path = join(dirname(importer), specifier)
    return dirname(path) === join(lib, 'wire') && existsSync(browserFile(path)) ? browserFile(path) : null
  },
})

/** Minifies the style sheet of the element, which is a string in a module. */
const shortStyles = {
  name: 'short styles',
  transform: {
    filter: { id: /\/element\/styles\.ts$/ },
    handler: withShortStyles,
  },
}

/** For code that runs in Node and in browsers: uses Node's `Buffer` if it exists. */
const forBoth = {
  name: 'for both',
  resolveId: (specifier) => (specifier === 'buffer' ? browserFile('node-or-own-buffer.ts') : null),
}

/** Each pass saves less of the compressed size, and the package is near its limit. Nothing in `lib` relies on a getter that is called for nothing. */
const compress = { ecma: 2022, passes: 3, pure_getters: true }

/** The end of a line instead of a semicolon saves 0.3 % of the compressed package. */
const format = { semicolons: false }

/** Minifies everything, names included. */
const shortest = {
  module: true,
  ecma: 2022,
  compress: { ...compress, keep_fargs: false, unsafe_arrows: true, hoist_funs: true, inline: 1 },
  format,
}

/** The names of the functions in a folder of `lib`. */
function functionsIn(folder) {
  const files = readdirSync(join(lib, folder), { recursive: true }).filter((path) => path.endsWith('.ts'))
  const code = files.map((path) => readFileSync(join(lib, folder, path), 'utf8')).join('\n')
  return [...code.matchAll(/\bfunction\*? (\w+)/g)].map(([, name]) => name)
}

/** The entry points of `lib/explain`. The rest of it is the largest part of the package, and no error that it throws is about the caller's code. */
const ofExplain = ['bytesFromText', 'diagnose', 'explain']
const inner = new Set(functionsIn('explain'))
const namesInTraces = [...functionsIn('').filter((name) => !inner.has(name)), ...ofExplain]

/** Keeps names of functions and classes, and limits the length of lines, because Node prints both in error traces. */
const readable = {
  module: true,
  toplevel: false,
  ecma: 2022,
  compress: {
    ...compress,
    toplevel: false,
    inline: 1,
    reduce_funcs: false,
    keep_fnames: true,
    keep_classnames: true,
  },
  mangle: {
    toplevel: true,
    keep_fnames: new RegExp(`^(?:${namesInTraces.join('|')})$`),
    keep_classnames: true,
  },
  format: { ...format, max_line_len: 2000 },
}

/** Bundles and minifies `input` into a folder. `optionsOf` has the options for a file. */
async function write(input, output, optionsOf, folder) {
  const bundle = await rolldown({
    treeshake: { propertyReadSideEffects: false },
    platform: 'neutral',
    ...input,
  })
  const { output: chunks } = await bundle.generate({ format: 'esm', entryFileNames: '[name].js', ...output })
  for (const { fileName, code } of chunks) {
    const path = join(root, folder, fileName)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, (await minify(withClassNames(code), optionsOf(fileName))).code)
  }
}

/** Names each class after its variable, without the `$1` that rolldown adds to duplicate names. */
function withClassNames(code) {
  return code.replaceAll(/\b((\w+?)(?:\$\d+)? = class)(?: [\w$]+)?(?= extends | \{)/g, '$1 $2')
}

/** Writes one file without imports. */
export function bundleForBrowsers(entry, folder) {
  const isPackets = entry === 'packets/index'
  // Only lib/packets itself reads no text.
  const buffer = isPackets ? 'packet-buffer.ts' : 'buffer.ts'
  // Users' bundlers minify this file once more, and make less of it if functions have been inlined.
  const compress = { ...shortest.compress, reduce_funcs: !isPackets, hoist_funs: isPackets }
  const options = { ...shortest, compress }
  const input = { input: { [entry]: join(lib, `${entry}.ts`) }, plugins: [forBrowsers(buffer), shortStyles] }
  return write(input, {}, () => options, folder)
}

/**
 * `lib/testing` doesn't import the rest of the library, so browsers and Node share one file.
 */
export function bundleTesting(folder) {
  const input = { input: { 'testing/index': join(lib, 'testing', 'index.ts') }, plugins: [forBoth] }
  return write(input, {}, () => shortest, folder)
}

/**
 * Writes the entry points for Node and their shared code. `core.js` has everything below streams, `explain` included. It has no
 * imports either, so browsers load `./explain` from it.
 */
export function bundleForNode(entries, folder) {
  const files = Object.fromEntries(entries.map((entry) => [entry, join(lib, `${entry}.ts`)]))
  /** Keeps imports of entry points as they are, because `dist` has the same folders as `lib`. */
  const keepEntries = {
    name: 'keep entries',
    resolveId(specifier, importer) {
      const isEntry = importer && Object.values(files).includes(join(dirname(importer), specifier))
      return isEntry ? { id: specifier.replace(/\.ts$/, '.js'), external: true } : null
    },
  }
  const ofCore = /\/lib\/(protocol|errors|wire|codec|packets|explain|browser)\/(?!index)/
  // The parts of explain that only the command line and the page use.
  const ofCommand = /\/lib\/explain\/(read-input|streams|capture\/(?!segments|signature))/
  const input = {
    input: files,
    external: [/^node:/, 'readable-stream', 'bl'],
    plugins: [forBoth, keepEntries],
  }
  const output = {
    // Browsers load `./explain` from this file.
    banner: ({ name }) => (name === 'core' ? 'export { bytesFromText, diagnose, explain }' : ''),
    chunkFileNames: '[name].js',
    codeSplitting: { groups: [{ name: 'core', test: (id) => ofCore.test(id) && !ofCommand.test(id) }] },
  }
  // Programs don't call the functions of the command line, so their names are in nobody's error traces.
  return write(input, output, (name) => (name.startsWith('cli/') ? shortest : readable), folder)
}

/**
 * Writes the gateway's program together with zod, because loading their many files one by one took a quarter of the CPU time that
 * each process needs before it listens. All other packages are imported. The chunks are in `operate`, because they look for
 * `package.json` where `lib/operate` does.
 */
export async function bundleGateway() {
  const folder = join(root, 'gateway')
  const bundle = await rolldown({
    input: join(folder, 'lib', 'main.ts'),
    platform: 'node',
    external: (id) => /^[^./]/.test(id) && id !== 'zod',
  })
  const license = readFileSync(join(root, 'node_modules', 'zod', 'LICENSE'), 'utf8')
  const hasZod = ({ moduleIds }) => moduleIds.some((id) => id.includes('/node_modules/zod/'))
  await bundle.write({
    dir: join(folder, 'dist'),
    chunkFileNames: 'operate/[name].js',
    banner: (chunk) => (hasZod(chunk) ? `/*! With zod:\n\n${license}*/` : ''),
  })
}
