import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { v5 } from 'mqtt-connect-packet'
import { apiDocument, apiSections, docOf, type Entry, membersOf, tagsOf } from '../../scripts/api-document.ts'
import { exportsOf } from '../../scripts/declarations.ts'
import { fieldsOfR5 } from '../support/reference.ts'
import { read, root } from './documents.ts'

const sections = apiSections()
const manifest = JSON.parse(read('package.json')) as { exports: Record<string, string | { types: string }> }

/** The examples of an export, including its constructor and members. */
function examplesOf(entry: Entry): string[] {
  return [docOf(entry), ...membersOf(entry).map(({ doc }) => doc)].flatMap((doc) => tagsOf(doc, 'example'))
}

describe('docs/api.md', () => {
  it('is up to date (`npm run build`, `npm run docs`)', async () => {
    expect(read('docs/api.md')).to.equal(await apiDocument())
  })

  for (const [path, target] of Object.entries(manifest.exports)) {
    if (typeof target === 'string') continue
    it(`has every name that ${path} exports`, async () => {
      const module = `mqtt-connect-packet${path.slice(1)}`
      const documented = sections
        .filter((section) => section.module === module || section.module === 'mqtt-connect-packet')
        .flatMap(({ entries }) => entries)
      const names = documented.map((entry) => entry.path)
      expect(names).to.include.members(exportsOf(join(root, target.types)).map(({ name }) => name))
      // Exports that the declarations don't mark as types must exist at run time.
      const values: Record<string, unknown> = await import(module)
      const declared = exportsOf(join(root, target.types)).filter(({ isType }) => !isType)
      expect(declared.map(({ name }) => name)).to.have.members(Object.keys(values))
      expect(Object.keys(values)).not.to.be.empty
    })
  }

  for (const { title, entries } of sections) {
    describe(title, () => {
      for (const entry of entries) {
        it(`${entry.path} has a heading, a text and an example`, () => {
          expect(read('docs/api.md')).to.include(`\n### ${entry.path}\n`)
          expect(docOf(entry).text).to.match(/^[A-Z`<].*[.:|]$/s)
          expect(examplesOf(entry)).not.to.be.empty
        })

        it(`${entry.path}: each field and option says what it means, its range and its default`, () => {
          for (const { name, signature, doc } of membersOf(entry)) {
            if (name === 'constructor' || ['TypedTransform', 'NoPromise', 'NoIterator'].includes(entry.name))
              continue
            const what = `${entry.path}.${name}`
            expect(doc.text, what).to.match(/^\S.*$/s)
            if (/Ignored/.test(doc.text)) continue
            if (/^readonly \w+\?: number/.test(signature)) expect(doc.text, what).to.match(/\d/)
            const isOption = /(Options|Fields|Input)$/.test(entry.name) && /^readonly \w+\?:/.test(signature)
            if (isOption) expect(doc.text, what).to.match(/[Dd]efault|Absent/)
          }
        })
      }
    })
  }
})

/** A line with an expression and its value: `propertyName(0x21) // 'receiveMaximum'`. */
const claim =
  /^(?!(?:const|for|if|else|type|await|return|function) )(\S.*?) \/\/ (['[{\d<]|true|false|undefined)(.*)$/gm

/** Turns the examples into the functions of a module that imports the whole library. */
function program(): string {
  const modules = new Map(sections.map(({ module, entries }) => [module, entries] as const))
  const file = (module: string) => {
    const target = manifest.exports[module.replace('mqtt-connect-packet', '.')] as { types: string }
    return JSON.stringify(join(root, target.types.replace(/\.d\.ts$/, '.js')))
  }
  const imports = [...new Set(modules.keys())]
    .filter((module) => !module.endsWith('/element'))
    .map((module) => {
      const entries = sections
        .filter((section) => section.module === module)
        .flatMap((section) => section.entries)
      const names = entries
        .filter(({ path }) => !path.includes('.'))
        .map(({ name, isType }) => (isType ? `type ${name}` : name))
      return `import { ${names.join(', ')} } from ${file(module)}`
    })
  const bodies = sections.flatMap(({ entries }) =>
    entries.flatMap((entry) =>
      examplesOf(entry)
        .filter((example) => !example.startsWith('<'))
        .map((example) => {
          const body = example.replaceAll(
            claim,
            (_, expression, first, rest) => `equal(${expression}, ${JSON.stringify(first + rest)})`,
          )
          return `all.push([${JSON.stringify(entry.path)}, async (${parameters}) => {{\n${body}\n}}])`
        }),
    ),
  )
  return `
import type { Buffer as NodeBuffer } from 'node:buffer'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { inspect } from 'node:util'
${imports.join('\n')}
const console = { log: (..._: unknown[]) => {} }
function equal(value: unknown, text: string): void {
  if (inspect(value) !== text) throw new Error(\`\${inspect(value)} is not \${text}\`)
}
export const all: [string, (${parameters}) => Promise<void>][] = []
${bodies.join('\n')}
`
}

const parameters =
  'packet: v5.ConnectPacket, bytes: NodeBuffer, chunk: NodeBuffer, socket: Socket, broker: Socket'

describe('docs/api.md about MQTT 3.1', () => {
  const entries = sections
    .flatMap((section) => section.entries)
    .filter(({ path }) => path.startsWith('v3_1.'))

  for (const entry of entries)
    it(`${entry.path} names only sections that the document has, and the text form of its packets`, () => {
      const texts = [docOf(entry), ...membersOf(entry).map(({ doc }) => doc)].map((doc) => doc.text)
      for (const text of texts) {
        // Only the last section belongs to 3.1, where each chapter has one level of sections.
        const last = Array.from(text.matchAll(/[Ss]ection ([\d.]*\d)/g), ([, number]) => number!).at(-1)
        if (last !== undefined) expect(last).to.match(/^(2\.[1-6]|3\.([1-9]|1[0-4])|4\.[1-3])$/)
        if (text.startsWith('The text form')) expect(text).to.include('`v3_1')
      }
    })
})

describe('the examples in docs/api.md', () => {
  const folder = mkdtempSync(join(root, 'node_modules', '.examples-'))
  const file = join(folder, 'examples.ts')
  const sockets: Socket[] = []

  before(() => writeFileSync(file, program()))

  after(() => {
    for (const socket of sockets) socket.destroy()
    rmSync(folder, { recursive: true })
  })

  it('have the right types', function () {
    this.timeout(60_000)
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      target: 'es2023',
      module: 'nodenext',
      types: ['node'],
    }
    const config = join(folder, 'tsconfig.json')
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['examples.ts'] }))
    try {
      execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', config], { encoding: 'utf8' })
    } catch (error) {
      expect.fail((error as { stdout: string }).stdout)
    }
  })

  it('run, and their values are right', async function () {
    this.timeout(60_000)
    const { all } = (await import(pathToFileURL(file).href)) as {
      all: [string, (...values: unknown[]) => Promise<void>][]
    }
    expect(all.length).to.be.greaterThan(80)
    const packet = new v5.ConnectPacket(fieldsOfR5)
    for (const [name, example] of all) {
      try {
        const { bytes } = packet
        await example(packet, bytes, bytes, await connectedSocket(bytes), await connectedSocket(bytes))
      } catch (error) {
        expect.fail(`${name}: ${error}`)
      }
    }
  })

  /** The server's side of a connection on which the client has sent bytes. */
  async function connectedSocket(bytes: Buffer): Promise<Socket> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    client.write(bytes)
    client.resume()
    const [socket] = (await once(server, 'connection')) as [Socket]
    server.close()
    sockets.push(client, socket)
    return socket
  }
})
