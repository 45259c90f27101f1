import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'

const lib = new URL('../../lib/', import.meta.url)
const replaced = readdirSync(new URL('browser/', lib)).filter((name) =>
  existsSync(new URL(`wire/${name}`, lib)),
)

describe('the files of lib/browser', () => {
  for (const name of replaced) {
    it(`${name} exports what the file of lib/wire does`, async () => {
      const [own, other] = await Promise.all(
        ['browser', 'wire'].map((folder) => import(new URL(`${folder}/${name}`, lib).href)),
      )
      expect(Object.keys(own)).to.deep.equal(Object.keys(other))
    })
  }

  it('are two such files, and the three in place of Buffer', () => {
    expect(replaced).to.have.lengthOf(2)
    const buffers = ['buffer.ts', 'node-or-own-buffer.ts', 'packet-buffer.ts']
    expect(readdirSync(new URL('browser/', lib))).to.have.members([...replaced, ...buffers])
  })

  it('lib/packets, and what it imports, makes no bytes from text or a pattern, because packet-buffer.ts makes none', () => {
    const calls = ['packets', 'codec', 'errors', 'protocol', 'wire'].flatMap((folder) =>
      readdirSync(new URL(folder, lib), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(new URL(`${folder}/${name}`, lib), 'utf8').replace(/^ *\*.*/gm, ''))
        .flatMap((code) => code.match(/\bBuffer\.(?:from|alloc)\(.*/g) ?? []),
    )
    expect([...new Set(calls)]).to.have.members([
      'Buffer.alloc(0)',
      'Buffer.alloc(Math.min(size, rest.length, maximum))',
      // The bytes of a CONNACK, which are an array.
      'Buffer.from(bytes)',
    ])
  })
})
