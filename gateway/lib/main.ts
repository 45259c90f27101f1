#!/usr/bin/env -S node --initial-heap-size=64
import { runGateway } from './command.ts'

await runGateway(process.argv.slice(2))
