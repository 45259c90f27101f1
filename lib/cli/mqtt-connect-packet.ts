#!/usr/bin/env node
import { main, NAME } from './main.ts'

// The reader of a pipe, such as `head`, may close it early. With any other error, the output is not complete.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return
  process.stderr.write(`${NAME}: ${message}\n`)
  process.exit(2)
})
// There's no place left for a message. The exit code still tells.
process.stderr.on('error', () => {})

process.exitCode = await main(process.argv.slice(2), process)
