import type { Diagnosis } from './diagnosis.ts'
import type { ForeignProtocol } from './fault.ts'

/** Other things that people take for MQTT: bytes that only a client, or a person with a copy of them, gets to see. */
export type OtherBytes = 'tlsAlert' | 'httpAnswer' | 'webSocket' | 'ssh' | 'amqp' | 'capture'

/** A text for each protocol that can be recognised. */
export const foreignDiagnoses: Readonly<Record<ForeignProtocol | OtherBytes, Diagnosis>> = {
  tls: {
    headline: 'This is TLS. Connect to port 8883, or turn TLS off in the client.',
    cause: 'The client begins a TLS handshake, but this port expects MQTT without encryption.',
    fixes: [
      'Use the port of the server that has TLS, usually 8883 (443 or 8443 for some services).',
      'Or turn TLS off in the client: mqtt:// instead of mqtts://, or no CA file. Then the password is sent unencrypted.',
      'On the server, set up a certificate for this port if it should have TLS.',
    ],
  },
  http: {
    headline: 'This is HTTP. A browser, or MQTT over WebSockets, is using a port for plain MQTT.',
    cause:
      'A WebSocket connection begins with an HTTP request. It needs a port of its own on the server. A web browser or a health check sends HTTP too.',
    fixes: [
      'Use the WebSocket port of the server: 9001 in many mosquitto examples, 8083 for EMQX, 8000 for HiveMQ, 15675 for RabbitMQ.',
      'Or choose plain TCP in the client: mqtt:// instead of ws://.',
      'In mosquitto, a WebSocket listener has the lines listener 9001 and protocol websockets.',
    ],
  },
  'proxy-v1': {
    headline: 'This is a PROXY protocol header. A load balancer sends it before the MQTT packet.',
    cause:
      'The load balancer tells the server the address of the client in a line of text, but the server does not expect it.',
    fixes: [
      'Turn the PROXY protocol on in the server, for this port: proxy_protocol in EMQX, HiveMQ and VerneMQ.',
      'Or turn it off in the load balancer: no send-proxy in HAProxy, proxy_protocol off in nginx.',
    ],
  },
  'proxy-v2': {
    headline: 'This is a PROXY protocol header. A load balancer sends it before the MQTT packet.',
    cause:
      'The load balancer tells the server the address of the client in a binary header, but the server does not expect it.',
    fixes: [
      'Turn the PROXY protocol on in the server, for this port: proxy_protocol in EMQX, HiveMQ and VerneMQ.',
      'Or turn it off in the load balancer: no send-proxy-v2 in HAProxy, and the target group attribute of an AWS load balancer.',
    ],
  },
  tlsAlert: {
    headline: 'This is a TLS alert: one side ends the encrypted connection.',
    cause:
      'If the server sends it, the port expects TLS and the client sent plain MQTT, or the server refuses the certificate of the client. If the client sends it, it does not trust the certificate of the server.',
    fixes: [
      'Turn TLS on in the client: mqtts:// instead of mqtt://, with the CA certificate of the server.',
      'Or connect to the port without TLS, usually 1883.',
      'If both sides speak TLS, check that the host name is the one in the certificate, and that the clock of the device is right.',
    ],
  },
  httpAnswer: {
    headline: 'This is the answer of a web server. The port speaks HTTP, not MQTT.',
    cause: 'The client sent MQTT to a port for web pages or for MQTT over WebSockets.',
    fixes: [
      'Connect to the MQTT port of the server, usually 1883, or 8883 with TLS.',
      'Or choose WebSockets in the client (ws:// or wss://), with the path that the server expects, often /mqtt.',
    ],
  },
  webSocket: {
    headline: 'This is a WebSocket frame with MQTT in it.',
    cause:
      'With MQTT over WebSockets, each frame begins with a header of its own, and bytes from a client are masked.',
    fixes: ['Remove the frame header and the mask to see the MQTT packet.'],
  },
  ssh: {
    headline: 'This is SSH. The client is connected to the wrong port.',
    cause: 'An SSH server sends a line of text first. MQTT servers send nothing before the CONNECT.',
    fixes: ['Connect to the MQTT port of the server, usually 1883, or 8883 with TLS.'],
  },
  amqp: {
    headline: 'This is AMQP. The port speaks another messaging protocol.',
    cause: 'RabbitMQ, ActiveMQ and Azure have AMQP on port 5672 or 5671, and MQTT on a port of its own.',
    fixes: [
      'Connect to the MQTT port, usually 1883, or 8883 with TLS.',
      'In RabbitMQ, turn MQTT on: rabbitmq-plugins enable rabbitmq_mqtt.',
    ],
  },
  capture: {
    headline: 'This is a capture file, not a packet.',
    cause: 'Wireshark, tshark and tcpdump write such files. The MQTT packets are inside of TCP and IP.',
    fixes: [
      'Open the file in the page, which lists the handshakes in it.',
      'Or list them with npx mqtt-connect-packet explain --file FILE.',
    ],
  },
}
