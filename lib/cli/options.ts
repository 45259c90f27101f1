import { type ParseArgsConfig, parseArgs } from 'node:util'
import { nearestOf } from '../errors/misuse.ts'
import { stringText } from '../packets/text.ts'

/** The options of a command, as `parseArgs` takes them. */
export type Options = NonNullable<ParseArgsConfig['options']>

/** The result of `parseArgs` for a command's arguments. */
export type Parsed<Config extends Options> = ReturnType<
  typeof parseArgs<{ options: Config; tokens: true; allowNegative: true; allowPositionals: true }>
>

/**
 * Parses the arguments of a command.
 *
 * @throws TypeError if an option is unknown: the message suggests the nearest, and does not repeat its value
 */
export function parseOptions<const Config extends Options>(args: string[], options: Config): Parsed<Config> {
  const config = { args, options, tokens: true, allowNegative: true, allowPositionals: true } as const
  for (const token of parseArgs({ ...config, strict: false }).tokens) {
    if (token.kind !== 'option' || Object.hasOwn(options, token.name)) continue
    throw new TypeError(
      unknown(
        'option',
        token.rawName,
        Object.keys(options).map((name) => `--${name}`),
      ),
    )
  }
  return parseArgs(config)
}

/** `unknown option --protcol: did you mean --protocol?` */
export function unknown(what: string, name: string, names: Iterable<string>): string {
  const known = [...names]
  const nearest = nearestOf(name, known)
  const hint = nearest === undefined ? `use ${known.join(', ')}` : `did you mean ${nearest}?`
  return `unknown ${what} ${stringText(name)}: ${hint}`
}
