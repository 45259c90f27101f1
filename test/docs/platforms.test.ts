import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { read, root } from './documents.ts'

const text = read('docs/platforms.md')
const manifest = JSON.parse(read('package.json'))

describe('docs/platforms.md', () => {
  it('names the versions of TypeScript and @types/node that test/package/types.test.ts compiles with', () => {
    const version = (folder: string, name: string): string => {
      const { devDependencies } = JSON.parse(read(`${folder}package.json`))
      return devDependencies[name]
    }
    const [oldest] = /^\d+\.\d+/.exec(version('test/package/types/typescript-5.4/', 'typescript'))!
    const newest = version('', 'typescript').split('.')[0]
    const [oldestNode, newestNode] = ['', 'test/package/types/types-node-newest/'].map(
      (folder) => version(folder, '@types/node').split('.')[0],
    )
    expect(text).to.include(`TypeScript ${oldest} to ${newest}`)
    expect(text).to.include(`\`@types/node\` ${oldestNode} to ${newestNode}`)
  })

  it('names the oldest version of Node that package.json accepts', () => {
    const [oldest] = /\d+\.\d+/.exec(manifest.engines.node)!
    expect(text).to.include(`needs Node ${oldest} or later`)
  })

  it('names the entry points that have a file for browsers', () => {
    const named = Array.from(text.matchAll(/`mqtt-connect-packet\/(\w+)`/g), ([, name]) => `./${name}`)
    for (const path of named) expect(manifest.exports).to.have.property(path)
    const forBrowsers = Object.keys(manifest.exports).filter((path) => manifest.exports[path].browser)
    expect(named.slice(0, 3)).to.have.members(forBrowsers)
    const rows = Array.from(text.matchAll(/^\| `mqtt-connect-packet\/(\w+)` \| `(.*)` \|$/gm))
    expect(rows.map(([, name]) => `./${name}`)).to.have.members(forBrowsers)
    for (const [, name, file] of rows) {
      expect(manifest.exports[`./${name}`].browser).to.equal(`./${file}`)
      expect(existsSync(join(root, file!)), file).to.equal(true)
    }
  })
})
