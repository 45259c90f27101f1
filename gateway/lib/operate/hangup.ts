/*
 * SIGHUP means: reload. Without a listener it would end the process, so there is one from the first moment, and a signal that comes while the
 * program is still starting is kept until it can reload.
 */

let reload: (() => void) | undefined
let isPending = false

/** To be called before anything that takes time. */
export function catchHangups(): void {
  process.on('SIGHUP', () => {
    if (reload) reload()
    else isPending = true
  })
}

/** Sets the action for the signal. It's done at once if there has been a signal already. */
export function onHangup(act: () => void): void {
  reload = act
  if (isPending) act()
  isPending = false
}
