import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Config, ConfigError, parseConfig } from './config.ts'

/** A file that the configuration names cannot be used. */
export class FileError extends Error {
  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`)
  }
}

/** @throws FileError */
export function readNamedFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new FileError(
      path,
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'there is no such file'
        : String((error as Error).message),
    )
  }
}

/**
 * Reads a configuration file. The paths in it become absolute.
 *
 * @throws FileError if it cannot be read or is not JSON
 * @throws ConfigError if it is not valid
 */
export function loadConfig(path: string): Config {
  const text = readNamedFile(path)
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch (error) {
    throw new ConfigError([`${path} is not JSON: ${problemOf(error as Error, text)}`.replaceAll('\n', ' ')])
  }
  return parseConfig(input, dirname(path))
}

/** The message of `JSON.parse`, with the line if there is only a position. */
function problemOf({ message }: Error, text: string): string {
  const [, position] = /position (\d+)$/.exec(message) ?? []
  return position === undefined
    ? message
    : `${message} (line ${text.slice(0, Number(position)).split('\n').length})`
}
