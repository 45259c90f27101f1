/*
 * Loaded into a process that a test watches (`node --expose-gc --import`). It answers each message of the parent with the
 * numbers of open file descriptors and running timers, and the bytes of memory in use.
 */
import { existsSync, readdirSync } from 'node:fs'

const descriptors = '/proc/self/fd'

process.on('message', () => {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  const files = existsSync(descriptors) ? readdirSync(descriptors).length : resources.length
  const timers = resources.filter((kind) => kind === 'Timeout').length
  process.send({ files, timers, bytes: heapUsed + external })
})
process.channel?.unref()
