import { expect } from 'chai'
import { search, symptomBeside, symptomIn, symptoms } from '../src/symptoms.ts'

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
      ['Attempting MQTT connection...failed, rc=-2 try again in 5 seconds', /^There is no connection/],
      ['Connected with result code 5: failed, rc=5', /not authorized/],
      ['Connection error: Connection Refused: not authorised.', /not authorized/],
      ['1795396762: Client <unknown> disconnected, not authorised.', /not authorized/],
      ['Error: connect ECONNREFUSED 127.0.0.1:1883', /^There is no connection/],
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

  it('are found in more that clients and servers print', () => {
    for (const [line, headline] of [
      ['Connected with result code Not authorized', /not authorized/],
      ['Unable to connect to the MQTT broker: Not authorized', /not authorized/],
      ['Sending CONNECT (u1, p1, wr0, wq0, wf0, c1, k60)\nReceived CONNACK (0, 4)', /password is wrong/],
      [
        'transport_base: Failed to open a new connection: 32772\nMQTT_CLIENT: Error transport connect',
        /^There is no connection/,
      ],
      [
        'mosquitto: Socket error on client <unknown>, disconnecting.',
        /before the server got a valid CONNECT/,
      ],
      ['error:0A000418:SSL routines::tlsv1 alert unknown ca', /certificate/],
      ['GET /mqtt HTTP/1.1\nHost: a:1883\nUpgrade: websocket', /^This is HTTP/],
      ['HTTP/1.1 400 Bad Request\nContent-Length: 0', /answer of a web server/],
      [
        'MQTT connecting ... failed, status code =-2. Try again in 5 seconds.\nSocket error on client <unknown>, disconnecting.',
        /^There is no connection/,
      ],
      [
        'The broker did not acknowledge the connection attempt within the configured connection timeout period.',
        /no CONNACK/,
      ],
      ['Server closed connection without DISCONNECT.', /closes the connection/],
      ['SSH-2.0-OpenSSH_9.2p1 Debian-2', /^This is SSH/],
      ['PROXY TCP4 10.0.0.5 10.0.0.6 50000 1883', /PROXY protocol header/],
      ['AWS_ERROR_MQTT_UNEXPECTED_HANGUP: The connection was closed unexpectedly.', /^AWS IoT closes/],
      ['[W][mqtt:180]: MQTT Disconnected: TCP disconnected.', /closes the connection/],
    ] as const) {
      expect(symptomIn(line)?.diagnosis.headline, line).to.match(headline)
    }
  })

  it('count beside bytes too, but not as names in a program or as bytes', () => {
    const bytes = '10 0c 00 04 4d 51 54 54 04 02 00 3c 00 00'
    const log = `12:00 -> ${bytes}\n12:01 -> failed, rc=-4 try again in 5 seconds`
    expect(symptomBeside(log)?.diagnosis.headline).to.match(/no CONNACK comes in time/)
    for (const other of [
      bytes,
      `#define MQTT_MAX_PACKET_SIZE 512\nuint8_t p[] = {0x10, 0x0c};`,
      `case MQTT_CONNECT_FAILED: return -2;\n${bytes}`,
      'TX: 0x82,0x08,0x00,0x01,0x81,0x87',
    ]) {
      expect(symptomBeside(other), other).to.equal(undefined)
    }
  })
})
