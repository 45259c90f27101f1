import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const root: string = join(import.meta.dirname, '..', '..')

interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly files: readonly string[]
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

export const manifest: Manifest = manifestOf(root)

export interface Packed {
  /** Path of the tarball. */
  readonly path: string
  readonly size: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

/** Packs the current build of the library or of a workspace, as npm would publish it. */
export function pack(folder: string, workspace: string = root): Packed {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const output = execFileSync('npm', args, {
    cwd: workspace,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [entry] = Object.values(JSON.parse(output)) as [
    { filename: string; size: number; files: Packed['files'] },
  ]
  return { path: join(folder, entry.filename), size: entry.size, files: entry.files }
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'package-'))
}

/**
 * Installs the tarball into a project without using the network. Only the package's declared dependencies, and theirs, are
 * linked.
 */
export function install(tarball: string, project: string): void {
  execFileSync('tar', ['-xzf', tarball, '-C', ownFolder(project), '--strip-components=1'])
}

/** Installs what is built, for tests that don't depend on which files are in the tarball. `npm pack` takes a second. */
export function installBuilt(project: string): void {
  const own = ownFolder(project)
  for (const path of ['dist', 'package.json']) cpSync(join(root, path), join(own, path), { recursive: true })
}

/** Creates the package's folder in a project, and links what the package depends on. */
function ownFolder(project: string): string {
  const modules = join(project, 'node_modules')
  const own = join(modules, manifest.name)
  mkdirSync(own, { recursive: true })
  // Otherwise a package.json above the project could claim the package's name.
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  for (const name of Object.keys(manifest.dependencies ?? {}))
    linkPackage(join(root, 'node_modules', name), join(modules, name))
  return own
}

/** Links to a package. Node resolves its dependencies from its real location. */
export function linkPackage(folder: string, link: string): void {
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(folder, link, 'junction')
}
