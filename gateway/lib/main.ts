#!/usr/bin/env node
import { runGateway } from './command.ts'

await runGateway(process.argv.slice(2))
