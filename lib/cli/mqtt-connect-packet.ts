#!/usr/bin/env node
import { main } from './main.ts'

// The reader of a pipe may close it before everything is written: `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await main(process.argv.slice(2), process)
