import { expect } from 'chai'
import * as beforeMqtt from './causes/before-mqtt.ts'
import * as brokers from './causes/brokers.ts'
import * as credentials from './causes/credentials.ts'
import { Stage } from './causes/stage.ts'
import { needs } from './support.ts'

describe('gateway: what the log says', function () {
  this.timeout(60_000)
  const stage = new Stage()

  before(async function () {
    needs(this, 'openssl')
    await stage.open()
  })
  afterEach(() => stage.clear())
  after(() => stage.remove())

  for (const [group, cases] of Object.entries({ ...beforeMqtt, ...credentials, ...brokers })) {
    describe(`of ${group}:`, () => {
      for (const [what, { line, act }] of Object.entries(cases)) {
        it(what, async () => {
          await act(stage)
          expect(await stage.line()).to.equal(line)
        })
      }
    })
  }
})
