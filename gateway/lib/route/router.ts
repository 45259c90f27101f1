import { type ConnectPacket, PropertyId } from 'mqtt-connect-packet'
import type { Peer } from '../listen/peer.ts'
import { ClientFault } from '../settings/causes.ts'
import type { RouteConfig, UpstreamConfig } from './options.ts'
import { type OnChange, Upstream } from './upstream.ts'

/**
 * The longest name that a pattern is tried on, in characters. With many harmless patterns, such as `[a-z]+-\d+$`, the time grows with the square
 * of the length: seconds for 64 KB, a few milliseconds for this.
 */
const LONGEST_NAME = 2048

/** The client's names after authentication, but before the templates. */
interface Names {
  readonly clientId: string
  readonly userName: string | undefined
}

interface Rule {
  readonly matches: (packet: ConnectPacket, peer: Peer, names: Names) => boolean
  readonly pool: Pool
}

/** Upstreams to choose from: those of a rule, or all. */
interface Pool {
  /** The upstreams that take new clients. */
  readonly active: readonly Upstream[]
  /** The upstreams that get a client only if no other upstream answers. Empty if all are backups, because they are then equal. */
  readonly backups: ReadonlySet<Upstream>
  /** The order in which upstreams get clients without a client id. Each upstream occurs as often as its weight says. */
  readonly turns: readonly Upstream[]
}

/** Chooses the broker of each client. The same configuration makes the same choice in every gateway. */
export class Router {
  readonly upstreams: readonly Upstream[]
  readonly #rules: readonly Rule[]
  /** The names of the upstreams whose clients must leave. */
  readonly leaving: Readonly<Record<'draining' | 'off', ReadonlySet<string>>>
  readonly #all: Pool
  readonly #waits: boolean
  /** Counts the clients without a client id. Starts at random, so that several gateways don't all begin with the same upstream. */
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

  /** Takes over the known states of the brokers, so that a reload doesn't forget them. Call this before the checks start. */
  inherit({ upstreams }: Router): void {
    for (const upstream of this.upstreams) upstream.inherit(upstreams)
  }

  /**
   * The upstreams to be tried, in this order.
   *
   * @param packet the CONNECT for the broker, because the broker stores the session under that client id
   * @param names the names that the rules match, which no template has replaced or removed
   */
  choose(packet: ConnectPacket, peer: Peer, names: Names): readonly Upstream[] {
    const rule = this.#rules.find(({ matches }) => matches(packet, peer, names))
    const { active, backups, turns } = rule?.pool ?? this.#all
    if (active.length <= 1) return active
    // A client without a client id has no session anywhere yet, so the upstreams take turns.
    const isNameless = packet.clientId === ''
    const ranked = isNameless ? [...new Set(rotate(turns, this.#turn++))] : rank(packet.clientId, active)
    // The session is on one broker. A different broker would begin a new session, and messages would be lost.
    if (this.#waits && isPersistent(packet) && !isNameless)
      return ranked.filter((upstream) => !backups.has(upstream)).slice(0, 1)
    // A broker that is marked down may be back by now, so it's tried last.
    const place = (upstream: Upstream) => (upstream.isWorthTrying ? 0 : 2) + (backups.has(upstream) ? 1 : 0)
    return ranked.sort((a, b) => place(a) - place(b))
  }

  #ruleOf(rule: RouteConfig['rules'][number]): Rule {
    const { clientId, userName, version, serverName, listener, upstreams } = rule
    // `.` matches line breaks too, because a line break in a name must not be a way around a rule.
    const patternOf = (text: string | undefined, flags = 'us') =>
      text === undefined ? undefined : new RegExp(text, flags)
    const [byClientId, byUserName] = [patternOf(clientId), patternOf(userName)]
    const byServerName = patternOf(serverName, 'usi')
    const matches = (packet: ConnectPacket, peer: Peer, names: Names): boolean =>
      (version === undefined || packet.protocolVersion === version) &&
      (listener === undefined || peer.listener === listener) &&
      isMatch(byServerName, peer.serverName, 'serverName') &&
      isMatch(byClientId, names.clientId, 'clientId') &&
      isMatch(byUserName, names.userName, 'userName')
    return { matches, pool: poolOf(this.upstreams.filter(({ name }) => upstreams.includes(name))) }
  }
}

/** @throws ClientFault if the name is too long, because a long name must not be a way around a rule */
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
 * Rendezvous hashing: each client id has its own order of the upstreams. If an upstream goes, only its clients move. The share of clients whose
 * first upstream it is follows its weight. If a weight changes, clients move only from or to that upstream.
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
