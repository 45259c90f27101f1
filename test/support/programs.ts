import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const { PATH = '' } = process.env

/** Looks for the program without running it, because some programs take half a second even for `--help`. */
export function isInstalled(program: string): boolean {
  return PATH.split(delimiter).some((folder) => existsSync(join(folder, program)))
}
