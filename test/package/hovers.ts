import { createRequire } from 'node:module'
import { join } from 'node:path'
import type TypeScript from './types/typescript-5.9/node_modules/typescript/lib/typescript.js'

/** Uses TypeScript 5.9, because TypeScript 7 has no language service in JavaScript. */
export const ts: typeof TypeScript = createRequire(import.meta.url)(
  './types/typescript-5.9/node_modules/typescript',
)

/**
 * Returns the docstrings that an editor shows for exports of the package and for their members, by names such as
 * `PropertyId.receiveMaximum`.
 *
 * @param project a folder in which the package is installed
 * @param exported the names of the exports
 */
export function hovers(project: string, exported: readonly string[]): Map<string, string> {
  const file = join(project, 'hovers.ts')
  let text = `import { ${exported.join(', ')} } from 'mqtt-connect-packet'\n`
  let version = 0
  const host: TypeScript.LanguageServiceHost = {
    ...ts.sys,
    useCaseSensitiveFileNames: () => true,
    getScriptFileNames: () => [file],
    getScriptVersion: () => `${version}`,
    getScriptSnapshot: (name) => {
      const content = name === file ? text : ts.sys.readFile(name)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => project,
    getCompilationSettings: () => ({
      strict: true,
      module: ts.ModuleKind.NodeNext,
      // Saves most of the time. Docstrings don't depend on the types of JavaScript and Node.
      noLib: true,
      types: [],
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  }
  const service = ts.createLanguageService(host)
  const program = service.getProgram()!
  const [statement] = program.getSourceFile(file)!.statements
  const bindings = (statement as TypeScript.ImportDeclaration).importClause!.namedBindings
  const names = (bindings as TypeScript.NamedImports).elements.flatMap(({ name }) => {
    const members = program.getTypeChecker().getTypeAtLocation(name).getProperties()
    return [name.text, ...members.map((member) => `${name.text}.${member.name}`)]
  })
  const positions = names.map((name) => {
    text += `${name}\n`
    return text.length - 2
  })
  version++
  return new Map(
    names.map((name, i) => {
      const info = service.getQuickInfoAtPosition(file, positions[i]!)
      return [name, ts.displayPartsToString(info?.documentation).replaceAll('\n', ' ')]
    }),
  )
}
