import type { Diagnosis } from './diagnosis.ts'
import type { ForeignProtocol } from './fault.ts'

/** Other bytes that people mistake for MQTT. Only clients receive them, and people who copy them. */
export type OtherBytes = 'tlsAlert' | 'httpAnswer' | 'webSocket' | 'ssh' | 'amqp' | 'otherText' | 'capture'

/** The texts for all protocols that can be recognised. */
export const foreignDiagnoses: Readonly<Record<ForeignProtocol | OtherBytes, Diagnosis>> = {
  tls: {
    headline: 'This is TLS. Connect to port 8883, or turn TLS off in the client.',
    cause: 'The client begins a TLS handshake, but this port expects MQTT without encryption.',
    fixes: [
      "Use the server's TLS port, usually 8883 (443 or 8443 for some services).",
      'Or turn TLS off in the client: mqtt:// instead of mqtts://, or no CA file. The password is then sent unencrypted.',
      'If this port should have TLS, set up a certificate for it on the server.',
    ],
  },
  http: {
    headline: 'This is HTTP. A browser, or MQTT over WebSockets, is using a port for plain MQTT.',
    cause:
      'A WebSocket connection begins with an HTTP request, and needs its own port on the server. Web browsers and health checks send HTTP too.',
    fixes: [
      "Use the server's WebSocket port: 9001 in many mosquitto examples, 8083 for EMQX, 8000 for HiveMQ, 15675 for RabbitMQ.",
      'Or choose plain TCP in the client: mqtt:// instead of ws://.',
      'In mosquitto, a WebSocket listener has the lines listener 9001 and protocol websockets.',
    ],
  },
  'proxy-v1': {
    headline: 'This is a PROXY protocol header. A load balancer sends it before the MQTT packet.',
    cause: "It tells the server the client's address in a line of text, which the server doesn't expect.",
    fixes: [
      'Turn the PROXY protocol on in the server, for this port: proxy_protocol in EMQX, HiveMQ and VerneMQ.',
      'Or turn it off in the load balancer: remove send-proxy in HAProxy, or set proxy_protocol off in nginx.',
    ],
  },
  'proxy-v2': {
    headline: 'This is a PROXY protocol header. A load balancer sends it before the MQTT packet.',
    cause: "It tells the server the client's address in a binary header, which the server doesn't expect.",
    fixes: [
      'Turn the PROXY protocol on in the server, for this port: proxy_protocol in EMQX, HiveMQ and VerneMQ.',
      'Or turn it off in the load balancer: send-proxy-v2 in HAProxy, or the attribute of the target group in AWS.',
    ],
  },
  tlsAlert: {
    headline: 'This is a TLS alert: one side ends the encrypted connection.',
    cause:
      "From a server, it means that the port expects TLS but the client sent plain MQTT, or that the client's certificate is refused. From a client, it means that the server's certificate isn't trusted.",
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
    cause: 'Each WebSocket frame begins with its own header, and the bytes from a client are masked.',
    fixes: ['Remove the frame header and the mask to see the MQTT packet.'],
  },
  ssh: {
    headline: 'This is SSH. The client is connected to the wrong port.',
    cause: 'An SSH server sends a line of text first. MQTT servers send nothing before the CONNECT.',
    fixes: ['Connect to the MQTT port of the server, usually 1883, or 8883 with TLS.'],
  },
  amqp: {
    headline: 'This is AMQP, a different messaging protocol.',
    cause: 'RabbitMQ, ActiveMQ and Azure use port 5672 or 5671 for AMQP, and a different one for MQTT.',
    fixes: [
      'Connect to the MQTT port, usually 1883, or 8883 with TLS.',
      'In RabbitMQ, turn MQTT on: rabbitmq-plugins enable rabbitmq_mqtt.',
    ],
  },
  otherText: {
    headline: 'This is text, not MQTT.',
    cause: 'SIP, RTSP, NATS and memcached have lines like those of HTTP.',
    fixes: ["Check the client's port and protocol."],
  },
  capture: {
    headline: 'This is a capture file, not a packet.',
    cause:
      'Wireshark, tshark and tcpdump write such files. They contain MQTT packets inside TCP and IP packets.',
    fixes: [
      'Open the file in the page, which lists its handshakes.',
      'Or list them with npx mqtt-connect-packet explain --file FILE.',
    ],
  },
}
