/*
 * SIGHUP means reload. Without a handler it would end the process, so there is one from the first moment. A signal that arrives while the program
 * is still starting is kept until the program can reload. Several signals at once cause one reload.
 */

let reload: (() => void) | undefined
let isPending = false

/** Call this before anything that takes time. */
export function catchHangups(): void {
  process.on('SIGHUP', () => {
    if (reload && !isPending) setImmediate(run)
    isPending = true
  })
}

/** Sets the action for the signal, and runs it at once if a signal has already arrived. */
export function onHangup(act: () => void): void {
  reload = act
  if (isPending) run()
}

function run(): void {
  isPending = false
  reload?.()
}
