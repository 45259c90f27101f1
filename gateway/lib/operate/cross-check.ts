import { isIPv4, isIPv6 } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import ipaddr from 'ipaddr.js'
import { DisconnectReasonCode, disconnect, PacketParser, PropertyId, property } from 'mqtt-connect-packet'
import { hasCheck } from '../authenticate/options.ts'
import { unshareable } from '../limit/shares.ts'
import type { ListenerConfig } from '../listen/options.ts'
import { anyProperty, checkInConnect, checkText, makeProperty } from '../rewrite/properties.ts'
import { Template } from '../rewrite/template.ts'
import { nameOf } from '../settings/names.ts'
import { parseUnmapped } from '../settings/parse-address.ts'
import type { Config } from './schema.ts'

/** The repetitions of earlier values, with their indices. */
function repeated(values: readonly string[]): [index: number, value: string][] {
  return [...values.entries()].filter(([i, value]) => values.indexOf(value) !== i)
}

interface Place {
  readonly host: string
  readonly port: number
}

function placeOf({ host, port }: Place): string {
  return `${host}:${port}`
}

/** True if only one of them can listen. Host names aren't looked up. */
function areInConflict(one: Place, other: Place): boolean {
  if (one.port !== other.port || one.port === 0) return false
  // All addresses of IPv6 include those of IPv4.
  const includes = (a: Place, b: Place) =>
    a.host === b.host || a.host === '::' || (a.host === '0.0.0.0' && isIPv4(b.host))
  return includes(one, other) || includes(other, one)
}

/** True if an upstream is certainly the listener itself, so the gateway would connect to itself without end. */
function isItself(listener: Place, upstream: Place): boolean {
  const isForAll = listener.host === '0.0.0.0' || listener.host === '::'
  const names = isForAll ? ['localhost', hostname().toLowerCase()] : ['localhost']
  const numeric = ({ host, port }: Place) => {
    if (names.includes(host.toLowerCase())) return { host: '127.0.0.1', port }
    // Connecting to 127.1 or 0:0:0:0:0:0:0:1 works as well.
    return { host: ipaddr.isValid(host) ? parseUnmapped(host).toString() : host, port }
  }
  // Who connects to all addresses connects to the local one.
  const local = new Map([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '::1'],
  ])
  const from = numeric(listener)
  const { host, port } = numeric(upstream)
  const to = { host: local.get(host) ?? host, port }
  return areInConflict(from, to) && (from.host === to.host || isOwn(to.host))
}

/** True for the addresses of this machine. */
function isOwn(host: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return host.startsWith('127.') || own.some(({ address }) => address === host)
}

/** Checks that concern more than one option. */
export function crossCheck(config: Config): string[] {
  const mistakes: string[] = []
  const names = config.upstreams.map(nameOf)
  for (const [i, listener] of config.listeners.entries()) {
    const other = config.listeners.slice(0, i).find((earlier) => areInConflict(earlier, listener))
    if (other) mistakes.push(`listeners[${i}]: another listener listens on ${placeOf(other)} too`)
    if (config.admin && areInConflict(listener, config.admin))
      mistakes.push(`admin: a listener listens on ${placeOf(listener)} too`)
  }
  for (const [i, upstream] of config.upstreams.entries()) {
    // The sockets that systemd opens have other ports than the listeners in the configuration.
    const isActivated = process.env['LISTEN_FDS'] !== undefined
    const listener = isActivated ? undefined : config.listeners.find((one) => isItself(one, upstream))
    if (listener)
      mistakes.push(
        `upstreams[${i}]: is the listener on ${placeOf(listener)}, so the gateway would connect to itself`,
      )
  }
  for (const [i, name] of repeated(names)) {
    mistakes.push(`upstreams[${i}]: another upstream has the name ${name} too`)
  }
  const listenerNames = config.listeners.map(nameOf)
  for (const [i, { listener, upstreams }] of config.route.rules.entries()) {
    if (listener !== undefined && !listenerNames.includes(listener))
      mistakes.push(`route.rules[${i}].listener: there is no listener ${listener}`)
    for (const name of upstreams) {
      if (!names.includes(name)) mistakes.push(`route.rules[${i}].upstreams: there is no upstream ${name}`)
    }
  }
  if (config.workers > 1 && names.length === 0) {
    mistakes.push('workers: the embedded broker cannot be shared by workers; configure upstreams')
  }
  mistakes.push(...unshareable(config.limits, config.listeners, config.workers))
  const others = config.listeners.filter(({ authentication }) => authentication === undefined)
  mistakes.push(...authenticationMistakes(config.authentication, 'authentication', others))
  for (const [i, listener] of config.listeners.entries()) {
    const { authentication } = listener
    const path = `listeners[${i}].authentication`
    if (authentication) mistakes.push(...authenticationMistakes(authentication, path, [listener]))
    // The name selects the checks for a client, so it must be unique.
    const first = config.listeners[listenerNames.indexOf(nameOf(listener))]!
    if (!isDeepStrictEqual(first.authentication, authentication))
      mistakes.push(`${path}: differs from that of another listener with the name ${nameOf(listener)}`)
  }
  const { notify, serverReference, serverMoved } = config.drain
  if (serverReference !== undefined && !notify)
    mistakes.push('drain.serverReference: clients learn it only with drain.notify')
  if (serverMoved && serverReference === undefined) mistakes.push('drain.serverMoved: needs serverReference')
  if (serverReference !== undefined)
    attempt('drain.serverReference', () =>
      disconnect(5, DisconnectReasonCode.useAnotherServer, { serverReference }),
    )
  attempt('limits.allow', () => new PacketParser({ allow: config.limits.allow }))
  for (const [path, template] of templatesOf(config.rewrite)) {
    // Whatever the client has, its text around the variables stays. A password may be any bytes.
    if (path !== 'rewrite.password') attempt(path, () => checkText(sampleOf(template)))
    for (const name of new Set(listenerNames)) {
      if (new Template(template).accepts('listener', name)) continue
      mistakes.push(
        `${path}: no client of the listener ${name} could fill it: the name contains the separator`,
      )
    }
    for (const listener of config.listeners) {
      for (const [family, { sample, isServed }] of Object.entries(families)) {
        if (!isServed(listener) || new Template(template).accepts('address', sample)) continue
        const which = `no ${family} client of the listener ${nameOf(listener)}`
        mistakes.push(`${path}: ${which} could fill it: its address contains the separator`)
      }
      for (const [variable, need] of Object.entries(needs)) {
        if (!new Template(template).uses(variable) || need.isMet(listener)) continue
        const which = `no client of the listener ${nameOf(listener)} has a {${variable}}`
        mistakes.push(`${path}: ${which}: the listener has neither ${need.options}`)
      }
    }
  }
  const all = [
    ['authentication', config.authentication] as const,
    ...config.listeners.map((one, i) => [`listeners[${i}].authentication`, one.authentication] as const),
  ]
  for (const [path, each] of all) {
    if (each?.enhanced === 'refuse' && !hasCheck(each))
      mistakes.push(`${path}.enhanced: refuses nobody, because without a check all clients are forwarded`)
  }
  if (all.some(([, each]) => each?.enhanced === 'forward')) {
    const { removeProperties, addProperties } = config.rewrite
    // Otherwise, nobody would check these clients: the gateway would leave them to the broker, and the broker would see no method.
    if ([...removeProperties, ...Object.keys(addProperties)].includes('authenticationMethod'))
      mistakes.push(
        'rewrite: with "enhanced": "forward" the broker must get the authenticationMethod unchanged',
      )
  }
  for (const name of config.rewrite.removeProperties) {
    if (!Object.hasOwn(PropertyId, name))
      mistakes.push(`rewrite.removeProperties: there is no property ${name}`)
    // Whoever names a property of wills expects that it's removed from them.
    else if (name !== 'userProperty')
      attempt(`rewrite.removeProperties: ${name}`, () => checkInConnect(anyProperty(name)))
  }
  for (const [name, value] of Object.entries(config.rewrite.addProperties)) {
    attempt(`rewrite.addProperties.${name}`, () => checkInConnect(makeProperty(name, value)))
  }
  for (const [i, [key]] of config.rewrite.addUserProperties.entries()) {
    attempt(`rewrite.addUserProperties[${i}]`, () => checkInConnect(property.userProperty(key, '')))
  }
  function attempt(path: string, act: () => unknown): void {
    try {
      act()
    } catch (error) {
      mistakes.push(`${path}: ${(error as Error).message}`)
    }
  }
  return mistakes
}

/** The addresses that the clients of a listener can have. Each contains its family's separator. */
const families = {
  IPv4: { sample: '192.0.2.1', isServed: ({ host }: ListenerConfig) => !isIPv6(host) || host === '::' },
  IPv6: { sample: '2001:db8::1', isServed: ({ host }: ListenerConfig) => isIPv6(host) },
} as const

/** The variables that have values only with some listeners. */
const needs = {
  serverName: {
    options: 'tls nor proxyProtocol',
    isMet: ({ tls, proxyProtocol }: ListenerConfig) => Boolean(tls ?? proxyProtocol),
  },
  certificateName: {
    options: 'tls.clientCertificates, nor only proxyProtocol',
    // A listener without TLS takes the name from the PROXY header.
    isMet: ({ tls, proxyProtocol }: ListenerConfig) => Boolean(tls ? tls.clientCertificates : proxyProtocol),
  },
} as const

/** @param listeners whose clients are authenticated like this */
function authenticationMistakes(
  { certificate, http, jwt }: Config['authentication'],
  path: string,
  listeners: readonly ListenerConfig[],
): string[] {
  const mistakes: string[] = []
  // `fetch` rejects such a URL, and its error would show the password.
  if (hasCredentials(http?.url))
    mistakes.push(`${path}.http.url: has a user name or a password; use authorizationFile`)
  if (hasCredentials(jwt?.keys)) mistakes.push(`${path}.jwt.keys: has a user name or a password`)
  // A URL with a mistake would otherwise be taken for a path, which messages quote.
  if (jwt && !/^https?:/.test(jwt.keys) && /:\/|\?/.test(jwt.keys))
    mistakes.push(`${path}.jwt.keys: is neither a path nor a URL of http or https`)
  if (certificate && !listeners.some(needs.certificateName.isMet))
    mistakes.push(`${path}.certificate: no listener has tls.clientCertificates, or only proxyProtocol`)
  return mistakes
}

function templatesOf({ clientId, userName, password, addUserProperties }: Config['rewrite']) {
  const values = addUserProperties.map(([, value], i) => [`rewrite.addUserProperties[${i}]`, value])
  const all = Object.entries({ clientId, userName, password }).map(([name, text]) => [
    `rewrite.${name}`,
    text,
  ])
  return [...all, ...values].filter((entry): entry is [path: string, template: string] => entry[1] != null)
}

/** A template with its shortest values. */
function sampleOf(template: string): string {
  return template.replace(/\{.*?\}/g, 'x')
}

function hasCredentials(text: string = ''): boolean {
  return /^https?:/.test(text) && `${new URL(text).username}${new URL(text).password}` !== ''
}
