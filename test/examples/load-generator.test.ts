import { createServer } from 'node:net'
import { expect } from 'chai'
import { ConnectReasonCode, connack, readConnect, refuse } from 'mqtt-connect-packet'
import { generateLoad } from '../../examples/load-generator.ts'
import { createMqttServer } from '../../examples/server.ts'
import { brokers } from '../support/brokers.ts'
import { closeAll, closeLater, freePort, listen, needs, SILENT_PORT } from './support.ts'

const CLIENTS = 60

describe('examples/load-generator.ts', () => {
  afterEach(closeAll)

  it('counts the clients that examples/server.ts accepts', async () => {
    const ids = new Set<string | undefined>()
    const port = await listen(createMqttServer((line) => ids.add(/cid:([\w-]+)/.exec(line)?.[1])))
    const result = await generateLoad(port, CLIENTS, 7)
    expect(result).to.include({ accepted: CLIENTS, refused: 0, failed: 0 })
    expect(result.median).to.be.greaterThan(0).and.to.be.at.most(result.slowest)
    expect(ids.size).to.equal(CLIENTS)
  })

  it('counts the clients that mosquitto accepts', async function () {
    needs(this, 'mosquitto')
    const broker = await brokers.mosquitto(freePort)
    closeLater(() => broker.close())
    expect(await generateLoad(broker.port, CLIENTS)).to.include({ accepted: CLIENTS, refused: 0, failed: 0 })
  })

  it('counts the clients that are refused', async () => {
    const busy = createServer(async (socket) => {
      await refuse(socket, connack(await readConnect(socket), ConnectReasonCode.serverBusy))
    })
    expect(await generateLoad(await listen(busy), 5)).to.include({ accepted: 0, refused: 5, failed: 0 })
  })

  it('counts the clients that find no server', async () => {
    const result = await generateLoad(SILENT_PORT, 5)
    expect(result).to.deep.equal({
      accepted: 0,
      refused: 0,
      failed: 5,
      median: Number.NaN,
      slowest: Number.NaN,
    })
  })
})
