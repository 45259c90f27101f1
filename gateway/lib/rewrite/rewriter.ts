import { randomUUID } from 'node:crypto'
import {
  type ConnackPacket,
  type ConnectPacket,
  type Property,
  PropertyId,
  property,
  type v5,
} from 'mqtt-connect-packet'
import type { Allow } from '../authenticate/decision.ts'
import type { Peer } from '../listen/peer.ts'
import type { RewriteConfig } from './options.ts'
import { makeProperty } from './properties.ts'
import { Template, type Variables } from './template.ts'

/** A CONNECT for the broker, and the change that turns the broker's CONNACK into the client's. */
export interface Rewritten {
  readonly packet: ConnectPacket
  /** The client id before the template: the client's own, or the one from authentication, or the assigned one. */
  readonly clientId: string
  /** Absent if the CONNACK passes unchanged. */
  readonly answer?: ((connack: ConnackPacket) => ConnackPacket) | undefined
}

/** Changes CONNECT and CONNACK as configured. */
export class Rewriter {
  readonly #config: RewriteConfig
  readonly #clientId: Template | undefined
  readonly #userName: Template | undefined
  readonly #password: Template | undefined
  readonly #removed: ReadonlySet<number>
  readonly #added: readonly Property[]
  readonly #userProperties: readonly (readonly [key: string, value: Template])[]

  constructor(config: RewriteConfig) {
    this.#config = config
    this.#clientId = config.clientId === '{clientId}' ? undefined : new Template(config.clientId)
    this.#userName = config.userName == null ? undefined : new Template(config.userName)
    this.#password = config.password == null ? undefined : new Template(config.password)
    this.#removed = new Set(
      config.removeProperties.map((name) => PropertyId[name as keyof typeof PropertyId]),
    )
    this.#added = Object.entries(config.addProperties).map(([name, value]) => makeProperty(name, value))
    this.#userProperties = config.addUserProperties.map(([key, value]) => [key, new Template(value)])
  }

  /** True if nothing is configured. */
  get #isIdentity(): boolean {
    const { userName, password, serverKeepAlive, removeProperties } = this.#config
    return (
      this.#clientId === undefined &&
      userName === undefined &&
      password === undefined &&
      serverKeepAlive === undefined &&
      removeProperties.length + this.#added.length + this.#userProperties.length === 0
    )
  }

  /**
   * @param allowed what authentication has decided; its fields replace the client's
   * @throws TemplateError if a template cannot be filled for this client
   * @throws MqttError if the result breaks a rule of the client's version
   */
  rewrite(packet: ConnectPacket, allowed: Allow, peer: Peer): Rewritten {
    const config = this.#config
    if (this.#isIdentity && isPlain(allowed) && packet.clientId !== '')
      return { packet, clientId: packet.clientId }
    const shown = allowed.clientId ?? packet.clientId
    const assigned = shown === '' && config.assignClientId && mayAssign(packet) ? newClientId() : undefined
    const clientId = assigned ?? shown
    const variables: Variables = {
      clientId,
      userName: allowed.userName ?? packet.userName,
      address: peer.address,
      listener: peer.listener,
      serverName: peer.serverName,
      certificateName: peer.tls?.certificate?.commonName,
    }
    const changes: {
      keepAlive?: number
      clientId?: string
      userName?: string | undefined
      password?: string | undefined
    } = {}
    // Without a client id there is nothing to put into the template: the broker assigns one. Authentication may have removed the client's.
    changes.clientId = clientId === '' ? '' : (this.#clientId?.fill(variables) ?? clientId)
    if (allowed.userName !== undefined) changes.userName = allowed.userName
    if (allowed.password !== undefined) changes.password = allowed.password
    if (config.userName !== undefined) changes.userName = this.#userName?.fill(variables)
    if (config.password !== undefined) changes.password = this.#password?.fill(variables)
    // Before MQTT 5.0, a password needs a user name [MQTT-3.1.2-22].
    if (config.userName === null && packet.protocolVersion !== 5) changes.password = undefined
    // The client will be told this keep alive and obey it, so the broker has to expect it.
    if (config.serverKeepAlive !== undefined && packet.protocolVersion === 5)
      changes.keepAlive = config.serverKeepAlive
    if (changes.clientId === packet.clientId) delete changes.clientId
    const props = packet.protocolVersion === 5 ? this.#props(packet, variables) : undefined
    const isChanged = Object.keys(changes).length > 0
    let result = packet
    // TypeScript accepts version-specific fields only if the version is known.
    if (packet.protocolVersion === 5 && props) result = packet.with({ ...changes, props })
    else if (isChanged) result = packet.with(changes as never)
    // That includes an id from authentication, which the client couldn't know otherwise. MQTT 5.0 section 3.2.2.3.7.
    const told = packet.clientId === '' && clientId !== '' ? clientId : undefined
    return { packet: result, clientId, answer: this.#answer(packet, told, variables) }
  }

  #props(packet: v5.ConnectPacket, variables: Variables): Property[] | undefined {
    const removed = new Set(this.#removed)
    if (removed.size === 0 && this.#added.length === 0 && this.#userProperties.length === 0) return undefined
    for (const { id } of this.#added) removed.add(id)
    // A client must not be able to forge a user property of the gateway.
    const keys = new Set(this.#userProperties.map(([key]) => key))
    const isKept = (given: Property) =>
      !removed.has(given.id) && !(given.id === PropertyId.userProperty && keys.has(given.key))
    return [
      ...packet.props.filter(isKept),
      ...this.#added,
      ...this.#userProperties.map(([key, value]) => property.userProperty(key, value.fill(variables))),
    ]
  }

  #answer(packet: ConnectPacket, assigned: string | undefined, variables: Variables): Rewritten['answer'] {
    const { serverKeepAlive } = this.#config
    if (packet.protocolVersion !== 5) return undefined
    if (assigned === undefined && serverKeepAlive === undefined && this.#clientId === undefined)
      return undefined
    return (connack) => {
      if (connack.protocolVersion !== 5 || connack.reasonCode !== 0) return connack
      const given = connack.property(PropertyId.assignedClientIdentifier)
      const own = given && (this.#clientId?.extract('clientId', given, variables) ?? given)
      const id = assigned ?? own
      const replaced = new Map<number, Property>()
      if (id !== undefined)
        replaced.set(PropertyId.assignedClientIdentifier, property.assignedClientIdentifier(id))
      if (serverKeepAlive !== undefined) {
        const keepAlive = shorter(serverKeepAlive, connack.property(PropertyId.serverKeepAlive))
        replaced.set(PropertyId.serverKeepAlive, property.serverKeepAlive(keepAlive))
      }
      return connack.with({
        props: [...connack.props.filter(({ id }) => !replaced.has(id)), ...replaced.values()],
      })
    }
  }
}

/** The shorter keep alive; 0 means none. The broker closes the connection of a client that exceeds the broker's own keep alive. */
function shorter(configured: number, ofBroker: number = 0): number {
  return configured === 0 || ofBroker === 0 ? configured || ofBroker : Math.min(configured, ofBroker)
}

function isPlain({ clientId, userName, password }: Allow): boolean {
  return clientId === undefined && userName === undefined && password === undefined
}

/** Letters and digits only, because a template may have a dash as its separator. */
function newClientId(): string {
  return randomUUID().replaceAll('-', '')
}

/** True if the gateway may assign a client id. Before MQTT 5.0, the client can't learn its id, so it must not have a persistent session. */
function mayAssign(packet: ConnectPacket): boolean {
  return packet.protocolVersion === 5 || packet.cleanSession
}
