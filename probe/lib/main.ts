#!/usr/bin/env node
import { command } from './command.ts'

// The reader of a pipe may leave early.
process.stdout.on('error', () => process.exit())

process.exitCode = await command(process.argv.slice(2), process.env, process.stdout, process.stderr)
