import '../../lib/element/mqtt-explain.ts'
import { explain } from '../../lib/explain/index.ts'
import { BuildView } from './build-view.ts'
import { CompareView } from './compare-view.ts'
import { byId } from './dom.ts'
import { ExplainView } from './explain-view.ts'
import { fragmentOf, type Link, linkOf, type View, views } from './link.ts'
import { explainOptions, type ReadAs } from './read-as.ts'
import { masked } from './secrets.ts'
import { showSymptoms } from './symptoms-view.ts'

let current: View = 'explain'
/** True while a link is being opened, so the address must not change. */
let isOpening = true

const view = {
  explain: new ExplainView({ changed: () => changed(), edit: (bytes, as) => edit(bytes, as) }),
  build: new BuildView(() => changed()),
  compare: new CompareView(() => changed()),
}

function select(chosen: View): void {
  current = chosen
  for (const name of views) {
    const tab = byId(`tab-${name}`)
    tab.ariaSelected = `${name === chosen}`
    tab.tabIndex = name === chosen ? 0 : -1
    byId(name).hidden = name !== chosen
  }
}

function open(link: Link): void {
  isOpening = true
  select(link.view)
  view[link.view].open(link)
  isOpening = false
}

function edit(bytes: Uint8Array, as: ReadAs): void {
  const { packet } = explain(bytes, explainOptions(as))
  if (packet === undefined) return
  open({ view: 'build', packets: [bytes], as })
  changed()
  byId('tab-build').focus()
}

let timer: ReturnType<typeof setTimeout> | undefined

/** Puts the view's packet into the address, without its secrets. Delayed, because browsers limit such changes. */
function changed(): void {
  if (isOpening) return
  clearTimeout(timer)
  timer = setTimeout(write, 150)
}

function write(): void {
  timer = undefined
  const link = view[current].link
  const packets = link.packets.map((bytes) => masked(bytes, link.as).bytes)
  const fragment = fragmentOf({ ...link, packets })
  history.replaceState(null, '', fragment === '' ? location.pathname + location.search : fragment)
}

for (const [i, name] of views.entries()) {
  const tab = byId(`tab-${name}`)
  tab.addEventListener('click', () => {
    select(name)
    changed()
  })
  tab.addEventListener('keydown', ({ key }) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: i + 1,
      ArrowLeft: i + views.length - 1,
      Home: 0,
      End: 2,
    }
    const next = views[(steps[key] ?? Number.NaN) % views.length]
    if (next === undefined) return
    select(next)
    byId(`tab-${next}`).focus()
    changed()
  })
}

// Before the page is left or reloaded, put the latest change into the address.
addEventListener('pagehide', () => {
  if (timer !== undefined) write()
})
showSymptoms()
addEventListener('hashchange', () => open(linkOf(location.hash)))
open(linkOf(location.hash))

// The service worker makes the page work offline after the first visit. Opened as a file, the page works offline anyway.
if (location.protocol.startsWith('http') && 'serviceWorker' in navigator) {
  void navigator.serviceWorker.register('./offline.js').catch(() => undefined)
}
