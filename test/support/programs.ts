import { spawnSync } from 'node:child_process'

/** Whether a program can be started. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined
}
