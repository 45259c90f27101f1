import { createContext, runInContext } from 'node:vm'
import { expect } from 'chai'
import { pastes } from '../explain/pastes.ts'
import { publishedInBrowser } from '../support/published.ts'
import { outcomes } from './in-browser.ts'

describe('the files for browsers', () => {
  it('do what the library does in Node, with nothing but what browsers have', async () => {
    const texts = pastes.map(({ text }) => text)
    const expected = outcomes(texts)
    const context = createContext({ TextDecoder, TextEncoder, atob, btoa, texts })
    runInContext(await publishedInBrowser(), context)
    const found = JSON.parse(runInContext('JSON.stringify(outcomes(texts))', context))
    expect(expected.length).to.be.above(3000)
    for (const [i, text] of expected.entries()) expect(found[i]).to.equal(text)
    expect(found).to.have.lengthOf(expected.length)
  }).timeout(60_000)
})
