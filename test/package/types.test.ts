import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type CodeRow, reasonCodeTable } from '../../lib/protocol/codes.ts'
import { hovers } from './hovers.ts'
import { installBuilt, linkPackage, root, temporaryFolder } from './installed.ts'

const run = promisify(execFile)
const types = join(import.meta.dirname, 'types')

/** The compilers' checkers. TypeScript 7 is fast enough to check all declarations, @types/node included. */
const compilers = {
  '5.4': [join(types, 'check.mjs'), join(types, 'typescript-5.4', 'node_modules', 'typescript')],
  '5.9': [join(types, 'check.mjs'), join(types, 'typescript-5.9', 'node_modules', 'typescript')],
  "the project's": [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '--singleThreaded', '-p'],
}
const nodeTypes = {
  '20': join(root, 'node_modules', '@types', 'node'),
  newest: join(types, 'types-node-newest', 'node_modules', '@types', 'node'),
}
type Combination = readonly [
  compiler: keyof typeof compilers,
  node: keyof typeof nodeTypes,
  moduleResolution: 'node16' | 'nodenext' | 'bundler',
  exactOptionalPropertyTypes: boolean,
]

/** Compiling takes seconds, so each value of each option occurs, but not every combination. */
const combinations: readonly Combination[] = [
  ["the project's", '20', 'node16', true],
  // TypeScript 5.4 can't compile the newest @types/node.
  ['5.4', '20', 'nodenext', false],
  ['5.9', 'newest', 'bundler', true],
]

describe('the types of the package', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** Writes a project's configuration. */
  function configured(
    [, node, moduleResolution, exactOptionalPropertyTypes]: Combination,
    at: number,
  ): string {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes,
      skipLibCheck: false,
      target: 'es2022',
      lib: ['es2022'],
      module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
      moduleResolution,
      types: ['node'],
      noEmit: true,
    }
    const config = join(folder, node, `tsconfig-${at}.json`)
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    return config
  }

  /** A compiler's messages, or an empty string. */
  async function compile(compiler: keyof typeof compilers, ...configs: readonly string[]): Promise<string> {
    return await run(process.execPath, [...compilers[compiler], ...configs]).then(
      () => '',
      ({ stdout, stderr }) => `TypeScript ${compiler}, ${configs.join(', ')}:\n${stdout}${stderr}`,
    )
  }

  it('hold with each compiler, @types/node, resolution and exactOptionalPropertyTypes', async () => {
    for (const [node, link] of Object.entries(nodeTypes)) {
      const project = join(folder, node)
      mkdirSync(project)
      installBuilt(project)
      linkPackage(link, join(project, 'node_modules', '@types', 'node'))
      copyFileSync(join(types, 'consumer.ts'), join(project, 'consumer.ts'))
    }
    const configs = combinations.map((combination, at) => ({
      compiler: combination[0],
      path: configured(combination, at),
    }))
    const of = (name: keyof typeof compilers) =>
      configs.flatMap(({ compiler, path }) => (compiler === name ? [path] : []))
    const messages: string[] = []
    // The JavaScript compilers check all projects in one process, because starting them takes long.
    for (const compiler of ['5.4', '5.9'] as const) messages.push(await compile(compiler, ...of(compiler)))
    for (const path of of("the project's")) messages.push(await compile("the project's", path))
    expect(messages.filter((message) => message !== '').join('\n')).to.equal('')
  })

  it('say in an editor what each property, code, version and packet type is', () => {
    const project = join(folder, '20')
    const found = hovers(project, [
      'property',
      'PropertyId',
      'ConnectReasonCode',
      'ConnectReturnCode',
      'DisconnectReasonCode',
      'AuthReasonCode',
      'ProtocolVersion',
      'ControlPacketType',
    ])
    expect(found.size).to.be.above(130)
    for (const [name, text] of found) {
      expect(text, name).to.match(/^(?=.*[a-z]).{15,}\.$/)
      if (name.includes('.') && name !== 'ProtocolVersion.undetermined')
        expect(text, name).to.match(/[Ss]ections? \d[\d., and]+\.$/)
    }
    const sent = { connack: 'CONNACK', disconnect: 'DISCONNECT', auth: 'AUTH' } as const
    const tables = {
      ConnectReasonCode: 'connack',
      DisconnectReasonCode: 'disconnect',
      AuthReasonCode: 'auth',
    } as const
    for (const [table, packet] of Object.entries(tables)) {
      for (const [name, row] of Object.entries<CodeRow>(reasonCodeTable)) {
        if (row[packet] === undefined) continue
        const packets = (Object.keys(sent) as (keyof typeof sent)[]).filter((one) => row[one] !== undefined)
        // Only servers send CONNACKs.
        const named = packets.map((one) =>
          one === 'connack' || row[one] === 'both' ? sent[one] : `${sent[one]} of a ${row[one]}`,
        )
        const hex = row.code.toString(16).padStart(2, '0').toUpperCase()
        expect(found.get(`${table}.${name}`)).to.contain(`0x${hex}, in ${named.join(' and ')}. `)
      }
    }
  })
})
