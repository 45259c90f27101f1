import { expect } from 'chai'
import { decoys, parseUsers, userLine } from '../lib/authenticate/users.ts'

describe('gateway: clients whose name is not in the users file', () => {
  const names = Array.from({ length: 64 }, (_, i) => `name ${i}`)

  it('take as long as those in the file, whichever kinds of hashes that has, and each name the same', async () => {
    const other = `b:$7$1$${'A'.repeat(16)}$${'A'.repeat(86)}==`
    const hashes = [...parseUsers(`${await userLine('a', Buffer.from('c'))}\n${other}`, 'users').values()]
    const found = names.map(decoys(hashes))
    expect([...new Set(found)]).to.have.members(hashes)
    // Another worker, or the same one after a restart.
    expect(names.map(decoys(hashes))).to.have.ordered.members(found)
    const changed = hashes.with(1, { ...hashes[1]!, hash: Buffer.alloc(64, 1) })
    expect(names.map((name) => changed.indexOf(decoys(changed)(name)))).not.to.deep.equal(
      found.map((hash) => hashes.indexOf(hash)),
    )
  })

  it('take as long as a new user if the file is empty', async () => {
    expect(await decoys([])('name').derive(Buffer.from('c'))).to.have.length(32)
  })
})
