/*
 * SIGHUP means reload. Without a handler it would end the process, so there is one from the first moment. A signal that arrives while the program
 * is still starting is kept until the program can reload. Several signals at once cause one reload, and so do those that arrive during another
 * one: if two ran at the same time, an earlier configuration could be applied last.
 */

let reload: (() => unknown) | undefined
let isPending = false
let isRunning = false

/** Call this before anything that takes time. */
export function catchHangups(): void {
  process.on('SIGHUP', () => {
    if (reload && !isPending && !isRunning) setImmediate(run)
    isPending = true
  })
}

/**
 * Sets the action for the signal, and runs it at once if a signal has already arrived.
 *
 * @param act resolves when the reload has ended, and never rejects
 */
export function onHangup(act: () => unknown): void {
  reload = act
  if (isPending) run()
}

async function run(): Promise<void> {
  isRunning = true
  while (isPending) {
    isPending = false
    await reload?.()
  }
  isRunning = false
}
