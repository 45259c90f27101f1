import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  installBuilt,
  linkPackage,
  manifest,
  manifestOf,
  type Packed,
  pack,
  root,
  temporaryFolder,
} from '../../test/package/installed.ts'

/** The gateway as operators get it: its tarball, installed into an empty folder, with the library beside it. */
describe('gateway: the package', function () {
  this.timeout(60_000)
  const project = temporaryFolder()
  const installed = join(project, 'node_modules', 'mqtt-connect-gateway')
  let packed: Packed

  before(() => {
    installBuilt(project)
    packed = pack(project, join(root, 'gateway'))
    mkdirSync(installed)
    execFileSync('tar', ['-xzf', packed.path, '-C', installed, '--strip-components=1'])
    for (const name of Object.keys(manifestOf(installed).dependencies ?? {}))
      linkPackage(join(root, 'node_modules', name), join(project, 'node_modules', name))
  })

  after(() => rmSync(project, { recursive: true, force: true }))

  it('depends on the version of the library that is beside it, and on no folder of the repository', () => {
    const { dependencies, peerDependencies } = manifestOf(installed)
    expect(JSON.stringify(dependencies)).not.to.contain('file:')
    expect(peerDependencies).to.have.property(manifest.name, manifest.version)
  })

  it('starts, and prints its version', () => {
    const program = join(installed, 'dist', 'main.js')
    const output = execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' })
    expect(output).to.match(/^mqtt-connect-gateway \d+\.\d+\.\d+(?:-[\w.]+)?, Node \d+\.\d+\.\d+\n$/)
  })

  it('has the documents, the schema, the dashboard and the unit', () => {
    expect(packed.files.map(({ path }) => path).filter((path) => !path.startsWith('dist/'))).to.have.members([
      'BENCHMARK.md',
      'CHANGELOG.md',
      'COMING-FROM.md',
      'CONFIGURATION.md',
      'OPERATING.md',
      'README.md',
      'gateway.schema.json',
      'grafana-dashboard.json',
      'mqtt-connect-gateway.service',
      'package.json',
    ])
  })
})
