import { existsSync, readdirSync } from 'node:fs'
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
  })
})
