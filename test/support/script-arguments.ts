import { readFileSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'

/**
 * Parses the arguments of a developer script. With `--help` or after a mistake, it prints the comment at the top of the
 * script's file, and ends the process.
 *
 * @param file `import.meta.filename` of the script
 */
export function scriptArguments<const Config extends ParseArgsConfig>(
  file: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    if (process.argv.includes('--help')) throw undefined
    return parseArgs(config)
  } catch (mistake) {
    const comment = /^\/\*\n(.*?)\n \*\//s.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
    const usage = comment.replace(/^ \* ?/gm, '')
    if (mistake === undefined) console.log(usage)
    else console.error(`${(mistake as Error).message}\n\n${usage}`)
    process.exit(mistake === undefined ? 0 : 2)
  }
}
