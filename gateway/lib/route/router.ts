import { type ConnectPacket, PropertyId } from 'mqtt-connect-packet'
import type { Peer } from '../listen/peer.ts'
import { ClientFault } from '../settings/causes.ts'
import type { RouteConfig, UpstreamConfig } from './options.ts'
import { type OnChange, Upstream } from './upstream.ts'

/**
 * The longest name that a pattern is tried on, in characters. Many harmless patterns, such as `[a-z]+-\d+$`, take a time that grows with the square
 * of the length: seconds for 64 KB, a few milliseconds for this.
 */
const LONGEST_NAME = 2048

interface Rule {
  readonly matches: (packet: ConnectPacket, peer: Peer) => boolean
  readonly pool: Pool
}

/** Upstreams to choose from: those of a rule, or all. */
interface Pool {
  /** Those that take new clients. */
  readonly active: readonly Upstream[]
  /** Those that get a client only if no other one answers. Without others there is no such difference. */
  readonly backups: ReadonlySet<Upstream>
  /** Clients without a client id take their turns here: each upstream as often as its weight says. */
  readonly turns: readonly Upstream[]
}

/** Chooses the broker of each client. The same configuration makes the same choice in every gateway. */
export class Router {
  readonly upstreams: readonly Upstream[]
  readonly #rules: readonly Rule[]
  /** The names of those whose clients are to leave. */
  readonly leaving: Readonly<Record<'draining' | 'off', ReadonlySet<string>>>
  readonly #all: Pool
  readonly #waits: boolean
  /** Counts the clients without a client id. A random start, because other gateways count too. */
  #turn = Math.floor(Math.random() * 1000)

  constructor(
    { upstreams, route }: { readonly upstreams: readonly UpstreamConfig[]; readonly route: RouteConfig },
    onChange?: OnChange,
  ) {
    this.upstreams = upstreams.map((config) => new Upstream(config, onChange))
    const namesIn = (state: string) =>
      new Set(this.upstreams.filter(({ config }) => config.state === state).map(({ name }) => name))
    this.leaving = { draining: namesIn('draining'), off: namesIn('off') }
    this.#all = poolOf(this.upstreams)
    this.#waits = route.persistentSessions === 'wait'
    this.#rules = route.rules.map((rule) => this.#ruleOf(rule))
  }

  /** To be called before the checks start: what is known of the brokers stays, so that a reload doesn't make them unknown. */
  inherit({ upstreams }: Router): void {
    for (const upstream of this.upstreams) upstream.inherit(upstreams)
  }

  /** The upstreams to be tried, in this order. */
  choose(packet: ConnectPacket, peer: Peer): readonly Upstream[] {
    const rule = this.#rules.find(({ matches }) => matches(packet, peer))
    const { active, backups, turns } = rule?.pool ?? this.#all
    if (active.length <= 1) return active
    // The broker makes up an id for a client without one, so the client has no session anywhere yet: all take turns.
    const isNameless = packet.clientId === ''
    const ranked = isNameless ? [...new Set(rotate(turns, this.#turn++))] : rank(packet.clientId, active)
    // A session is on one broker. Another one would begin a new session and lose messages.
    if (this.#waits && isPersistent(packet) && !isNameless)
      return ranked.filter((upstream) => !backups.has(upstream)).slice(0, 1)
    // A broker that is marked down may be back by now, so it's tried last.
    const place = (upstream: Upstream) => (upstream.healthy ? 0 : 2) + (backups.has(upstream) ? 1 : 0)
    return ranked.sort((a, b) => place(a) - place(b))
  }

  #ruleOf(rule: RouteConfig['rules'][number]): Rule {
    const { clientId, userName, version, serverName, listener, upstreams } = rule
    const [byClientId, byUserName, byServerName] = [clientId, userName, serverName].map((text) =>
      text === undefined ? undefined : new RegExp(text, 'u'),
    )
    const matches = (packet: ConnectPacket, peer: Peer): boolean =>
      (version === undefined || packet.protocolVersion === version) &&
      (listener === undefined || peer.listener === listener) &&
      isMatch(byServerName, peer.serverName, 'serverName') &&
      isMatch(byClientId, packet.clientId, 'clientId') &&
      isMatch(byUserName, packet.userName, 'userName')
    return { matches, pool: poolOf(this.upstreams.filter(({ name }) => upstreams.includes(name))) }
  }
}

/** @throws ClientFault if the name is too long: a client must not get around a rule by a name that the rule isn't tried on */
function isMatch(pattern: RegExp | undefined, name: string | undefined, what: string): boolean {
  if (pattern === undefined) return true
  if (name === undefined) return false
  if (name.length > LONGEST_NAME)
    throw new ClientFault(`the client's ${what} is too long for the patterns of the rules`)
  return pattern.test(name)
}

/** True if the client's session outlives the connection, or if the client asks for one that did. */
export function isPersistent(packet: ConnectPacket): boolean {
  if (packet.protocolVersion !== 5) return !packet.cleanSession
  return !packet.cleanStart || (packet.property(PropertyId.sessionExpiryInterval) ?? 0) > 0
}

function poolOf(upstreams: readonly Upstream[]): Pool {
  const active = upstreams.filter(({ config }) => config.state === 'active')
  const backups = active.filter(({ config }) => config.backup)
  const turns = active.flatMap((upstream) => Array<Upstream>(upstream.weight).fill(upstream))
  return { active, backups: new Set(backups.length < active.length ? backups : []), turns }
}

/**
 * Rendezvous hashing: each client id has an order of its own of the upstreams. If one goes, only its clients move. An upstream is the first of as
 * many clients as its weight says. If a weight changes, only clients of that upstream move, or clients move to it.
 */
export function rank<T extends { readonly name: string; readonly weight: number }>(
  clientId: string,
  upstreams: readonly T[],
): T[] {
  const scored = upstreams.map((upstream) => {
    // Between 0 and 1, exclusively.
    const share = (hash(`${upstream.name}\0${clientId}`) + 0.5) / 2 ** 32
    return { upstream, score: -upstream.weight / Math.log(share) }
  })
  scored.sort((a, b) => b.score - a.score || (a.upstream.name < b.upstream.name ? -1 : 1))
  return scored.map(({ upstream }) => upstream)
}

function rotate<T>(items: readonly T[], by: number): T[] {
  const first = by % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}

/** FNV-1a over UTF-16 code units, with the finalizer of MurmurHash3: FNV alone mixes the last units too little. */
function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
