/*
 * The documents of the project as pages of the site: which document becomes which page, and where the navigation has it.
 */

/** A document, or another text that is shown as it is, and its page. */
export interface Source {
  /** From the root of the project. */
  readonly file: string
  /** From the root of the site, without `.md`. A document that is cut into pages has this one for its beginning. */
  readonly page: string
  /** In the navigation. */
  readonly title: string
  /** The tables need the space that the outline of the page would take. */
  readonly isWide?: boolean
}

export interface Group {
  readonly title: string
  readonly sources: readonly Source[]
}

function source(file: string, page: string, title: string): Source {
  return { file, page, title }
}

function wide(file: string, page: string, title: string): Source {
  return { file, page, title, isWide: true }
}

function recipe(name: string, title: string): Source {
  return { file: `examples/${name}.ts`, page: `recipes/${name}`, title }
}

/** The navigation, in its order. Every document is in one group. */
export const groups: readonly Group[] = [
  {
    title: 'Library',
    sources: [
      source('README.md', 'index', 'Getting started'),
      source('docs/api.md', 'api/index', 'API'),
      source('docs/errors.md', 'errors/index', 'Errors'),
      source('docs/streams.md', 'streams', 'Streams'),
      source('docs/interop.md', 'interop', 'mqtt-packet, MQTT.js, aedes'),
      source('docs/platforms.md', 'platforms', 'Node, browsers, TypeScript'),
      source('SECURITY.md', 'security', 'Security and limits'),
      wide('docs/conformance.md', 'conformance', 'Conformance'),
      wide('docs/tshark.md', 'tshark', 'Compared with tshark'),
      source('benchmark/README.md', 'benchmark', 'Benchmark'),
    ],
  },
  {
    title: 'Recipes',
    sources: [
      recipe('server', 'Server'),
      recipe('front-door', 'Front door'),
      recipe('load-generator', 'Client'),
      recipe('tls', 'TLS with client certificates'),
      recipe('websocket', 'WebSocket'),
      recipe('aedes', 'aedes'),
      recipe('mqttjs-shape', "Objects in mqtt-packet's shape"),
      recipe('inspect-capture', 'Packets from a capture file'),
      recipe('web-stream', 'Web streams'),
      recipe('chunks', 'Chunks without streams'),
    ],
  },
  {
    title: 'Gateway',
    sources: [
      source('gateway/README.md', 'gateway/index', 'Gateway'),
      wide('gateway/CONFIGURATION.md', 'gateway/configuration', 'Configuration'),
      source('gateway/OPERATING.md', 'gateway/operating', 'Operating'),
      source('gateway/COMING-FROM.md', 'gateway/coming-from', 'Coming from HAProxy or nginx'),
      source('gateway/mqtt-connect-gateway.service', 'gateway/systemd', 'Unit for systemd'),
      source('gateway/BENCHMARK.md', 'gateway/benchmark', 'Benchmark'),
      source('gateway/CHANGELOG.md', 'gateway/changelog', 'Changes'),
    ],
  },
  {
    title: 'Probe',
    sources: [
      source('probe/README.md', 'probe/index', 'Probe'),
      wide('docs/brokers.md', 'brokers', 'Report cards of brokers'),
      wide('probe/CLAUSES.md', 'probe/clauses', 'Clauses that it tests'),
      wide('probe/SWITCHES.md', 'probe/switches', 'Does it find faults?'),
    ],
  },
  {
    title: 'Project',
    sources: [
      source('CHANGELOG.md', 'changelog', 'Changes'),
      source('playground/README.md', 'playground', 'The page and its element'),
      source('ARCHITECTURE.md', 'architecture', 'Architecture'),
      source('CONTRIBUTING.md', 'contributing', 'Contributing'),
      source('fuzz/README.md', 'fuzzing', 'Fuzzing'),
      source('LICENSE', 'licence', 'Licence'),
    ],
  },
]

export const sources: readonly Source[] = groups.flatMap((group) => group.sources)

/** Where the page that explains packets is. */
export const PLAYGROUND = 'play/index.html'
