import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { ts } from './hovers.ts'

const { ModuleKind, ModuleResolutionKind } = ts

/** How TypeScript may look for the types of a module. */
const ways = [
  { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 },
  { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler },
]

/** The files in which TypeScript finds the types of a module in some way, or `undefined` for each way in which it finds none. */
export function typesOf(specifier: string, importer: string): Set<string | undefined> {
  const resolved = ways.map((options) => {
    const kind = ModuleKind.ESNext
    return ts.resolveModuleName(specifier, importer, options, ts.sys, undefined, undefined, kind)
      .resolvedModule?.resolvedFileName
  })
  return new Set(resolved)
}

/** The modules that a declaration file imports, without those of Node. */
export function importsOf(path: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'))
  return importedFiles.map(({ fileName }) => fileName).filter((name) => !isBuiltin(name))
}
