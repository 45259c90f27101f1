import { dirname } from 'node:path'
import type { z } from 'zod'
import { readNamedFile } from '../settings/files.ts'
import { parseJson, repeatedName } from '../settings/json.ts'
import { pathText, References } from '../settings/references.ts'
import { prepareFor } from '../settings/values.ts'
import { crossCheck } from './cross-check.ts'
import { type Config, schema } from './schema.ts'

/** The configuration is invalid. The message has a line for each mistake, with its path. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

/**
 * @param relativeTo the folder that paths are relative to; they become absolute
 * @throws ConfigError
 */
export function parseConfig(input: unknown, relativeTo: string = '.'): Config {
  return resultOf(safeParse(input, relativeTo, new Set()))
}

/**
 * As `parseConfig`, for the contents of a configuration file whose references have been replaced.
 *
 * @throws ConfigError
 */
export function parseReferences(references: References, relativeTo: string): Config {
  if (references.mistakes.length > 0) throw new ConfigError(references.mistakes)
  const parse = (input: unknown) => safeParse(input, relativeTo, references.contents)
  const first = parse(references.value)
  return resultOf(first.success ? first : parse(references.typed(first.error.issues)))
}

/**
 * Reads a configuration file. The paths in it become absolute.
 *
 * @throws FileError if the file can't be read
 * @throws ConfigError if the file isn't JSON, or is invalid
 */
export function loadConfig(path: string): Config {
  return loadReferences(path).config
}

/**
 * As `loadConfig`, but also returns the references behind the values.
 *
 * @throws as `loadConfig`
 */
export function loadReferences(path: string): { config: Config; references: References } {
  const text = readNamedFile(path)
  let input: unknown
  try {
    input = parseJson(text)
  } catch (error) {
    throw new ConfigError([`${path} is not JSON: ${(error as Error).message}`])
  }
  const repeated = repeatedName(text)
  if (repeated !== undefined)
    throw new ConfigError([`${path}: ${repeated}: the object has this name already`])
  const references = new References(input, dirname(path))
  return { config: parseReferences(references, dirname(path)), references }
}

/** The primary process checks a configuration without loading modules, because an error in their timers would end it, and all workers. */
export function withoutModules(config: Config): Config {
  const without = (authentication: Config['authentication']) => ({ ...authentication, module: undefined })
  return {
    ...config,
    authentication: without(config.authentication),
    listeners: config.listeners.map((listener) => ({
      ...listener,
      authentication: listener.authentication && without(listener.authentication),
    })),
  }
}

function safeParse(
  input: unknown,
  relativeTo: string,
  contents: ReadonlySet<string>,
): z.ZodSafeParseResult<Config> {
  prepareFor(relativeTo, contents)
  return schema.safeParse(input)
}

function resultOf(result: z.ZodSafeParseResult<Config>): Config {
  if (!result.success) throw new ConfigError(result.error.issues.flatMap(linesOf))
  const mistakes = crossCheck(result.data)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return result.data
}

function linesOf({ path, message, ...rest }: z.core.$ZodIssue): string[] {
  const unknown = 'keys' in rest && Array.isArray(rest.keys) ? rest.keys : undefined
  if (unknown) return unknown.map((name) => `${pathText([...path, String(name)])}: there is no such option`)
  return [`${pathText(path)}: ${message}`]
}
