/* A child process that answers one call at a time over its IPC channel. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

const loader = join(import.meta.dirname, '..', '..', 'test', 'support', 'strip-types.mjs')

/** The servers. The first three use this library. */
export const ours = ['decoder', 'readConnect', 'parser'] as const
export const kinds = [...ours, 'mqtt-packet', 'bare'] as const

export type Kind = (typeof kinds)[number]

/** Time for a refused client to close, as a share of the deadline for its CONNECT. */
export const LINGER = 0.1

type Calls = Record<string, (argument: never) => unknown>

export class Child<C extends Calls> {
  readonly #process: ChildProcess
  #settle: (reply: { value?: unknown; error?: string }) => void = () => {}

  constructor(file: string, ...args: readonly string[]) {
    const execArgv = ['--import', loader, '--expose-gc']
    this.#process = fork(join(import.meta.dirname, file), args, { execArgv })
    this.#process.on('message', (reply: object) => this.#settle(reply))
    this.#process.on('exit', (code) => this.#settle({ error: `${file} exited with ${code}` }))
  }

  /** Calls a function in the child and waits for its result. */
  ask<Name extends string & keyof C>(
    name: Name,
    argument: Parameters<C[Name]>[0],
  ): Promise<Awaited<ReturnType<C[Name]>>> {
    return new Promise((resolve, reject) => {
      this.#settle = ({ value, error }) =>
        error === undefined ? resolve(value as never) : reject(new Error(error))
      this.#process.send({ name, argument })
    })
  }

  stop(): void {
    this.#process.disconnect()
  }
}

/** Runs in the child, and answers calls until the parent disconnects. */
export function answerCalls(calls: Calls): void {
  process.on('message', async ({ name, argument }: { name: string; argument: never }) => {
    const result = new Promise((resolve) => resolve(calls[name]?.(argument)))
    await result.then(
      (value) => process.send?.({ value }),
      (error) => process.send?.({ error: error.stack }),
    )
  })
  process.on('disconnect', () => process.exit())
}
