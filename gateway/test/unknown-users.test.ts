import { expect } from 'chai'
import { decoys, parseUsers, userLine } from '../lib/authenticate/users.ts'

describe('gateway: clients whose name is not in the users file', () => {
  const names = Array.from({ length: 64 }, (_, i) => `name ${i}`)
  const key = Buffer.from('key')

  it('take as long as those in the file, whichever kinds of hashes that has, and each name the same', async () => {
    const other = `b:$7$1$${'A'.repeat(16)}$${'A'.repeat(86)}==`
    const hashes = [...parseUsers(`${await userLine('a', Buffer.from('c'))}\n${other}`, 'users').values()]
    const decoyOf = decoys(hashes, key)
    expect([...new Set(names.map(decoyOf))]).to.have.members(hashes)
    expect(names.map(decoyOf)).to.have.ordered.members(names.map(decoyOf))
  })

  it('take as long as a new user if the file is empty', async () => {
    expect(await decoys([], key)('name').derive(Buffer.from('c'))).to.have.length(32)
  })
})
