import { expect } from 'chai'
import { search, symptomIn, symptoms } from '../src/symptoms.ts'

describe('the messages that the page knows', () => {
  it('lead to their diagnosis, each of them, in a search and within a log', () => {
    for (const { messages, diagnosis } of symptoms) {
      for (const message of messages) {
        expect(
          search(message).map((one) => one.diagnosis),
          message,
        ).to.include(diagnosis)
        if (message.length > 3) expect(symptomIn(`12:00 E (17): ${message}`), message).not.to.equal(undefined)
      }
    }
  })

  it('are found in what clients and servers really print', () => {
    for (const [line, headline] of [
      ['Attempting MQTT connection...failed, rc=-2 try again in 5 seconds', /no TCP connection/],
      ['Connected with result code 5: failed, rc=5', /not authorized/],
      ['Connection error: Connection Refused: not authorised.', /not authorized/],
      ['1795396762: Client <unknown> disconnected, not authorised.', /not authorized/],
      ['Error: connect ECONNREFUSED 127.0.0.1:1883', /no TCP connection/],
      ['Error: connack timeout', /no CONNACK/],
      ['1795396762: Client esp8266 already connected, closing old connection.', /lost later/],
      ['Client <unknown> disconnected due to protocol error.', /not valid MQTT/],
      ['OpenSSL Error[0]: error:0A00010B:SSL routines::wrong version number', /speaks TLS/],
      ['Error: Lookup error.', /host name/],
      // Printed by `mosquitto_pub -V 5` when it's refused.
      [
        'Connection error: Not authorized\nError: A network protocol error occurred when communicating with the broker.',
        /not authorized/,
      ],
      ['[MQTT WARN] Connection refuse, reason code: 5', /not authorized/],
      [
        'Invalid protocol version 3 in CONNECT from 2.141.129.160.\nSocket error on client <unknown>, disconnecting.',
        /MQTT version of the client is not accepted/,
      ],
      [
        'Mqtt5DisconnectException: Exception while decoding CONNACK: remaining length too short',
        /does not speak/,
      ],
      ['W (5080) MQTT_CLIENT: Connection refused, Unknow reason', /a code that the client does not know/],
      ['Bad socket read/write on client test-ABC: Invalid arguments provided.', /closes the connection/],
    ] as const) {
      expect(symptomIn(line)?.diagnosis.headline, line).to.match(headline)
    }
    expect(symptomIn('everything works')).to.equal(undefined)
  })
})
