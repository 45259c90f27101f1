/*
 * `node check.mjs COMPILER CONFIG…` compiles projects with a TypeScript written in JavaScript, and prints the errors. It skips
 * the compiler's own declarations and those of @types/node, because they would take most of the time.
 */
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

const [compiler, ...configs] = process.argv.slice(2)
const ts = createRequire(import.meta.url)(compiler)
const foreign = /\/node_modules\/(typescript|@types\/node|undici-types)\//

for (const path of configs) {
  const { config } = ts.readConfigFile(path, ts.sys.readFile)
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path))
  const program = ts.createProgram(fileNames, options)
  const files = program.getSourceFiles().filter(({ fileName }) => !foreign.test(fileName))
  const found = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ]
  if (found.length === 0) continue
  process.exitCode = 1
  console.log(`${path}:\n${ts.formatDiagnostics(found, ts.createCompilerHost(options))}`)
}
