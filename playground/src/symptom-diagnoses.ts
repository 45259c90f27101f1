import type { Diagnosis } from '../../lib/errors/diagnosis.ts'

/* What messages mean that have no code of MQTT. */

export const noConnection: Diagnosis = {
  headline: 'There is no connection to the server: nothing of MQTT was sent.',
  cause:
    'The address or the port is wrong, no server listens there, or a firewall is between. mosquitto 2 without a configuration listens on the same machine only. If the server sees the connection, the TLS handshake fails: PubSubClient reports that as -2, too.',
  fixes: [
    'Check the address: localhost on a device or in a container is the device or the container itself.',
    'Check the port: 1883, or 8883 with TLS.',
    'In mosquitto, add listener 1883, and allow_anonymous true or a password_file.',
    'On an ESP8266 or ESP32, call WiFi.mode(WIFI_STA), and wait for WL_CONNECTED before the client connects.',
    'With TLS on a device, set its clock first (NTP), and give it the CA certificate of the server.',
    'From the network of the device, try: mosquitto_pub -d -h HOST -p PORT -t test -m hello.',
  ],
}

export const noAnswer: Diagnosis = {
  headline: 'The server is reached, but no CONNACK comes in time.',
  cause:
    'Often the port is one for TLS or WebSockets, so both sides wait for the other. Or the server is busy, or checks passwords with a service that hangs.',
  fixes: [
    'Check that client and port both have TLS, or both have none.',
    'Check that client and port both have WebSockets, or both have none.',
    'Read the log of the server: does it see the connection?',
  ],
}

export const closedEarly: Diagnosis = {
  headline: 'The server closes the connection without a word.',
  cause:
    'Servers do that if the first packet is not a valid CONNECT, if TLS is missing, or if a policy does not allow the client.',
  fixes: [
    'Read the log of the server at that time.',
    'Check TLS and the port: 1883 without, 8883 with TLS.',
    'Explain the bytes of the CONNECT here.',
    'In AWS IoT, check that the policy allows iot:Connect for this client identifier.',
  ],
}

export const lost: Diagnosis = {
  headline: 'The connection was established, and is lost later.',
  cause:
    'Most often another client has the same client identifier, and they push each other out. Or the client is silent for longer than its keep alive, or the network is lost.',
  fixes: [
    'Give each client an identifier of its own. The log of the server says: already connected, closing old connection.',
    'In the client, call the loop (loop, yield, poll) more often, and never block for longer than the keep alive.',
    'Check what the client publishes or subscribes to just before: a topic that is not allowed closes the connection in some servers.',
  ],
}

export const certificate: Diagnosis = {
  headline: 'The client does not trust the certificate of the server.',
  cause:
    'The CA certificate is missing in the client, the name in the certificate is another one than the host name, the certificate has expired, or the clock of the device is wrong.',
  fixes: [
    'Give the client the CA certificate of the server, for a private CA the one that you made.',
    'Connect by the host name in the certificate, not by the IP address.',
    'Set the clock of the device (NTP) before it connects.',
    'See the certificate with: openssl s_client -connect HOST:8883 -servername HOST.',
  ],
}

export const noTls: Diagnosis = {
  headline: 'One side speaks TLS, and the other does not.',
  cause: 'The client starts TLS on a port for plain MQTT, or plain MQTT on a port for TLS.',
  fixes: [
    'Use port 8883 with TLS and 1883 without, unless the server has others.',
    'In the client, mqtts:// or wss:// stands for TLS, and mqtt:// or ws:// for none.',
  ],
}

export const noWebSocket: Diagnosis = {
  headline: 'The browser cannot open the WebSocket.',
  cause:
    'Browsers speak MQTT over WebSockets only, on a port and a path of their own. A page from https:// may open wss:// only, and gets no details about a certificate that it does not trust.',
  fixes: [
    'Use the WebSocket port: 9001 in many mosquitto examples, 8083 or 8084 (TLS) for EMQX, 8000 or 8884 (TLS) for HiveMQ.',
    'Add the path that the server expects, usually /mqtt.',
    'From a page with https://, use wss://.',
    'In mosquitto, add listener 9001 and protocol websockets.',
  ],
}

export const badPacket: Diagnosis = {
  headline: 'One side got bytes that are not valid MQTT.',
  cause:
    'A client or a proxy has an error, both sides speak another version, or something else uses the port.',
  fixes: [
    'If the client uses TLS or WebSockets, use the port for that: on a port for plain MQTT, mosquitto calls both a protocol error.',
    'Explain the bytes of the CONNECT and of the answer here.',
    'In the client, choose MQTT 3.1.1, which nearly every server has. In MQTT.js, protocolVersion 3 needs the protocolId MQIsdp.',
    'If a load balancer sends a PROXY protocol header first (send-proxy in HAProxy, proxy_protocol in nginx), turn it off, or let the server expect it.',
  ],
}

export const unknownCode: Diagnosis = {
  headline: 'The server refuses the client with a code that the client does not know.',
  cause:
    'MQTT 3.1 and 3.1.1 have the codes 1 to 5. Another one comes from a server that answers as MQTT 5.0 does, or whose answer has a byte too many or too few.',
  fixes: [
    'Explain the bytes of the answer here: they begin with 20.',
    'In the client, choose another version of MQTT, or update it.',
    'Read the log of the server: it may say why.',
  ],
}

export const memory: Diagnosis = {
  headline: 'The packet does not fit the buffer of the client.',
  cause:
    'PubSubClient has 256 bytes for a packet unless it is told otherwise. A larger one is dropped without a word.',
  fixes: ['Call setBufferSize(1024) before connect, or make the message smaller.'],
}

export const name: Diagnosis = {
  headline: 'The host name of the server is not found.',
  cause:
    'DNS does not know the name, the device has no DNS server, or the name contains a protocol such as mqtt://.',
  fixes: [
    'Write only the host name, without mqtt:// and without a port, where the client asks for a host.',
    'Try the IP address. Names that end with .local need mDNS, which many devices do not have.',
  ],
}

export const noConnect: Diagnosis = {
  headline: 'A connection ended before the server got a valid CONNECT.',
  cause:
    'Something connected to the port, and then sent nothing, sent no MQTT, or gave up. Often the client has TLS or WebSockets and the port has not, or the reverse. Load balancers and port scanners look the same in the log.',
  fixes: [
    'Check that client and port both have TLS, or both have none: usually 8883 with TLS, 1883 without.',
    'On a port with TLS, the client most often does not trust the certificate: the CA is missing, the name is another one, or its clock is wrong.',
    'Explain the first bytes that the client sends here.',
  ],
}

export const awsIot: Diagnosis = {
  headline:
    'AWS IoT closes the connection without a CONNACK: most often the policy does not allow the client.',
  cause:
    'The policy at the certificate must allow iot:Connect for exactly this client identifier. Another client with the same client identifier has the same effect.',
  fixes: [
    'In the policy, allow iot:Connect for arn:aws:iot:REGION:ACCOUNT:client/CLIENT-ID, and attach the policy to the certificate.',
    'Check that the certificate is active, and that it is attached to the thing if the policy uses its name.',
    'Turn on the logs of AWS IoT in CloudWatch: they say why.',
  ],
}
