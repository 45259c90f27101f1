/* A child process that is asked one thing at a time, over its IPC channel. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const loader = join(import.meta.dirname, '..', '..', 'test', 'support', 'strip-types.mjs')

interface Reply {
  readonly value?: unknown
  readonly error?: string
}

export class Child<Calls extends Record<string, (argument: never) => unknown>> {
  readonly #process: ChildProcess

  constructor(file: string, args: readonly string[] = []) {
    this.#process = fork(join(import.meta.dirname, file), args, {
      execArgv: ['--import', loader, '--expose-gc'],
    })
  }

  /** Calls what the child answers to, and waits for what it gives. */
  async ask<Name extends string & keyof Calls>(
    name: Name,
    argument: Parameters<Calls[Name]>[0],
  ): Promise<Awaited<ReturnType<Calls[Name]>>> {
    const gone = new AbortController()
    const { signal } = gone
    try {
      this.#process.send({ name, argument })
      const [reply] = (await Promise.race([
        once(this.#process, 'message', { signal }),
        once(this.#process, 'exit', { signal }).then(([code]) => {
          throw new Error(`The process that was asked for '${name}' has exited with ${code}`)
        }),
      ])) as [Reply]
      if (reply.error !== undefined) throw new Error(reply.error)
      return reply.value as Awaited<ReturnType<Calls[Name]>>
    } finally {
      gone.abort()
    }
  }

  stop(): void {
    this.#process.disconnect()
  }
}

/** Answers the parent's calls, in the child, until the parent goes. */
export function answerCalls(calls: Readonly<Record<string, (argument: never) => unknown>>): void {
  process.on('message', async ({ name, argument }: { name: string; argument: never }) => {
    try {
      process.send?.({ value: await calls[name]?.(argument) })
    } catch (error) {
      process.send?.({ error: (error as Error).stack })
    }
  })
  process.on('disconnect', () => process.exit())
}
