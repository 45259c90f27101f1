import type { VersionChoice } from './read-as.ts'

/** A packet that somebody reported, with different names and passwords. */
export interface Example {
  /** The example's name in a link: `#example=bridge`. */
  readonly id: string
  readonly title: string
  readonly story: string
  readonly hex: string
  readonly version?: VersionChoice
  /** The address of the report. */
  readonly source?: string
}

const github = 'https://github.com'

export const examples: readonly Example[] = [
  {
    id: 'bridge',
    title: 'Other servers refuse a mosquitto bridge',
    story:
      "Mosquitto's bridges set a bit of the protocol level that isn't in any standard, so other servers see level 132. Set try_private to false for the bridge.",
    hex: '102d00044d51545484c2003c000d7369746530312e6272696467650006627269646765000a7077312d627269646765',
    source: `${github}/eclipse-mosquitto/mosquitto/issues/2394`,
  },
  {
    id: 'mqtt-3-1-behind-haproxy',
    title: 'The load balancer disconnects old devices',
    story:
      'The devices speak MQTT 3.1, whose protocol name is MQIsdp, but the load balancer checked for 3.1.1 and 5.0.',
    hex: '101600064d51497364700302003c00086d657465722d3137',
    source: `${github}/haproxy/haproxy/issues/1598`,
  },
  {
    id: 'password-without-user-name',
    title: 'A token as the password, but no user name',
    story: 'MQTT 5.0 allows it. In 3.1.1 a password needs a user name, even an empty one.',
    hex: '102f00044d5154540442003c000767617465776179001a65794a68624763694f694a49557a49314e694a392e74306b336e',
    source: `${github}/emqx/emqx/issues/17913`,
  },
  {
    id: 'string-of-c',
    title: 'The client identifier includes its C terminator',
    story:
      'The length includes the zero byte after the client identifier. Some servers accept that, others close the connection.',
    hex: '101400044d5154540402003c00086573703832363600',
    source: `${github}/vernemq/vernemq/issues/2355`,
  },
  {
    id: 'no-client-id',
    title: 'A session to keep, but no client identifier',
    story:
      "The library left the client identifier empty. A server can assign one, but then the client can't return to its session.",
    hex: '100c00044d5154540400003c0000',
    source: `${github}/hsaturn/TinyMqtt/issues/53`,
  },
  {
    id: 'will-qos-without-will',
    title: 'Will flags, but no will',
    story: 'The client sends its default will QoS of 1 although it has no will.',
    hex: '101400044d515454040a003c000873656e736f722d31',
    source: `${github}/vernemq/vernemq/issues/69`,
  },
  {
    id: 'password-without-flag',
    title: 'A password without its flag',
    story:
      "The client sends a password, but its connect flags don't announce one. Some servers ignore the extra bytes.",
    hex: '102000044d5154540482003c000873656e736f722d31000475736572000470617373',
    source: `${github}/eclipse-mosquitto/mosquitto/issues/731`,
  },
  {
    id: 'receive-maximum-zero',
    title: 'The receive maximum is 0 by default',
    story:
      'The settings of a client had 0 as the default receive maximum. That would mean "send me nothing", so MQTT 5.0 forbids it.',
    hex: '101900044d5154540502003c0321000000096465736b746f702d31',
    source: `${github}/emqx/MQTTX/pull/777`,
  },
  {
    id: 'maximum-qos-2',
    title: 'A CONNACK that no client accepts',
    story:
      'The server announced a maximum QoS of 2. Only 0 and 1 are allowed, because a server that supports QoS 2 leaves the property out.',
    hex: '200b000008240225012a012801',
    version: '5',
    source: `${github}/emqx/emqx/issues/3304`,
  },
  {
    id: 'connack-in-another-version',
    title: 'A CONNACK in the wrong version',
    story:
      'The client sent MQTT 5.0, but the server read and answered it as 3.1.1, so the client finds no property length.',
    hex: '20020000',
    version: '5',
    source: `${github}/ministackorg/ministack/pull/1398`,
  },
  {
    id: 'tls-on-1883',
    title: 'TLS on a port without TLS',
    story: 'The client starts TLS, but port 1883 expects plain MQTT. Use port 8883, or turn TLS off.',
    hex: '16030100c8010000c403035f2a91c07be2d4f810a36659b1c7d20e',
    source: `${github}/meshtastic/home-assistant/pull/154`,
  },
  {
    id: 'proxy-protocol',
    title: 'A proxy speaks first',
    story: 'HAProxy sends a PROXY protocol header before the CONNECT, but the server does not expect one.',
    hex: '0d0a0d0a000d0a515549540a2111000cc0a80001c0a80002d431075b101400044d5154540402003c000873656e736f722d31',
    source: `${github}/hivemq/hivemq-community-edition/issues/184`,
  },
  {
    id: 'valid',
    title: 'Nothing is wrong with this one',
    story: 'An MQTT 5.0 CONNECT with a will, properties, a user name and a password.',
    hex: '105000044d51545405ee003c081100000e102100140009676174657761792d3705180000001e0010676174657761792d372f73746174757300076f66666c696e650006646576696365000773336372657421',
  },
]
