#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { runGateway } from './command.ts'

// V8 counts the bytes of messages, but the heap of a gateway is small: it would collect all garbage for every few megabytes.
setFlagsFromString('--heap-growing-percent=300')
await runGateway(process.argv.slice(2))
