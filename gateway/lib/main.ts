#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { catchHangups } from './operate/hangup.ts'

catchHangups()
// V8 counts the bytes of messages, but the heap of a gateway is small: it would collect all garbage for every few megabytes.
setFlagsFromString('--heap-growing-percent=300')
// Only now, because loading all the rest takes most of the time until the gateway listens.
const { runGateway } = await import('./operate/command.ts')
await runGateway(process.argv.slice(2))
