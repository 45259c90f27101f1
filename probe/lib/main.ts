#!/usr/bin/env node
import { command } from './command.ts'

// The reader of a pipe may leave early. On any other error, such as a full disk, nobody should take the results for complete.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit()
  console.error(`The results can't be written: ${message}`)
  process.exit(2)
})

process.exitCode = await command(process.argv.slice(2), process.env, process.stdout, process.stderr)
