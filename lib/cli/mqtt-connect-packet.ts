#!/usr/bin/env node
import { main } from './main.ts'

// The reader of a pipe, such as `head`, may close it early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await main(process.argv.slice(2), process)
