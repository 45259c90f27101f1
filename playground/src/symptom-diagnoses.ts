import type { Diagnosis } from '../../lib/errors/diagnosis.ts'

/* The meaning of messages that don't correspond to an MQTT code. */

export const noConnection: Diagnosis = {
  headline: 'There is no connection to the server: nothing of MQTT was sent.',
  cause:
    'The address or the port is wrong, no server listens there, or a firewall is in the way. Without a configuration, mosquitto 2 accepts only clients on the same machine. If the server does see the connection, the TLS handshake has failed: PubSubClient reports that as -2, too.',
  fixes: [
    'Check the address: on a device or in a container, localhost is the device or the container itself.',
    'Check the port: 1883, or 8883 with TLS.',
    'In mosquitto, add listener 1883, and allow_anonymous true or a password_file.',
    'On an ESP8266 or ESP32, call WiFi.mode(WIFI_STA), and wait for WL_CONNECTED before the client connects.',
    'With TLS on a device, first set its clock (NTP), and give it the CA certificate of the server.',
    "From the device's network, try: mosquitto_pub -d -h HOST -p PORT -t test -m hello.",
  ],
}

export const noAnswer: Diagnosis = {
  headline: 'The server is reached, but no CONNACK comes in time.',
  cause:
    'Often the port is for TLS or WebSockets, so each side waits for the other. Or the server is busy, or the service that checks its passwords hangs.',
  fixes: [
    'Check that both the client and the port use TLS, or neither does.',
    'Check that both the client and the port use WebSockets, or neither does.',
    'Check in the log of the server whether it sees the connection.',
  ],
}

export const closedEarly: Diagnosis = {
  headline: 'The server closes the connection without an answer.',
  cause:
    "Servers do that if the first packet isn't a valid CONNECT, if the port needs TLS, or if a policy doesn't allow the client.",
  fixes: [
    'Read the log of the server at that time.',
    'Check TLS and the port: 1883 without, 8883 with TLS.',
    'Explain the bytes of the CONNECT here.',
    'In AWS IoT, check that the policy allows iot:Connect for this client identifier.',
  ],
}

export const lost: Diagnosis = {
  headline: 'The connection was established, but lost later.',
  cause:
    'Usually another client has the same client identifier, so they disconnect each other. Or the client is silent for longer than its keep alive, or the network is lost.',
  fixes: [
    'Give each client its own identifier. Otherwise the log of the server says: already connected, closing old connection.',
    'In the client, call the loop (loop, yield, poll) more often, and never block for longer than the keep alive.',
    'Check what the client published or subscribed to just before: some servers close the connection because of a forbidden topic.',
  ],
}

export const certificate: Diagnosis = {
  headline: 'The client does not trust the certificate of the server.',
  cause:
    "The client lacks the CA certificate, the name in the certificate isn't the host name, the certificate has expired, or the device's clock is wrong.",
  fixes: [
    "Give the client the server's CA certificate, which for a private CA is your own.",
    'Connect by the host name in the certificate, not by the IP address.',
    'Set the clock of the device (NTP) before it connects.',
    'Show the certificate with: openssl s_client -connect HOST:8883 -servername HOST.',
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
    "Browsers can use MQTT only over WebSockets, which have their own port and path. A page from https:// may only open wss://, and isn't told why a certificate is not trusted.",
  fixes: [
    'Use the WebSocket port: 9001 in many mosquitto examples, 8083 or 8084 (TLS) for EMQX, 8000 or 8884 (TLS) for HiveMQ.',
    'Add the path that the server expects, usually /mqtt.',
    'From a page with https://, use wss://.',
    'In mosquitto, add listener 9001 and protocol websockets.',
  ],
}

export const badPacket: Diagnosis = {
  headline: 'One side received bytes that are not valid MQTT.',
  cause:
    'A client or a proxy has a bug, the two sides use different versions, or the port is used with a different protocol.',
  fixes: [
    'If the client uses TLS or WebSockets, use the right port: on a port for plain MQTT, mosquitto reports both as a protocol error.',
    'Explain the bytes of the CONNECT and of the answer here.',
    'In the client, choose MQTT 3.1.1, which nearly every server has. In MQTT.js, protocolVersion 3 needs the protocolId MQIsdp.',
    'If a load balancer sends a PROXY protocol header first (send-proxy in HAProxy, proxy_protocol in nginx), turn it off, or configure the server to expect it.',
  ],
}

export const unknownCode: Diagnosis = {
  headline: 'The server refuses the client with a code that the client does not know.',
  cause:
    'MQTT 3.1 and 3.1.1 have the codes 1 to 5. Any other comes from a server that answers in MQTT 5.0, or whose answer has a byte too many or too few.',
  fixes: [
    'Explain the bytes of the answer here: they begin with 20.',
    'In the client, choose another version of MQTT, or update it.',
    'Read the log of the server, which may give the reason.',
  ],
}

export const memory: Diagnosis = {
  headline: 'The packet does not fit in the buffer of the client.',
  cause: 'By default, PubSubClient has a buffer of 256 bytes, and silently drops larger packets.',
  fixes: ['Call setBufferSize(1024) before connect, or make the message smaller.'],
}

export const name: Diagnosis = {
  headline: 'The host name of the server is not found.',
  cause:
    "The name isn't in DNS, the device has no DNS server, or the name includes a protocol such as mqtt://.",
  fixes: [
    'Where the client asks for a host, write only the host name, without mqtt:// and without a port.',
    "Try the IP address. Names that end with .local need mDNS, which many devices don't support.",
  ],
}

export const noConnect: Diagnosis = {
  headline: 'A connection ended before the server got a valid CONNECT.',
  cause:
    "Something connected to the port, and then sent nothing, didn't send MQTT, or gave up. Often the client uses TLS or WebSockets and the port doesn't, or the reverse. Load balancers and port scanners look the same in the log.",
  fixes: [
    'Check that both the client and the port use TLS, or neither does: usually 8883 with TLS, 1883 without.',
    'On a port with TLS, check whether the client trusts the certificate. Usually it lacks the CA, connects by a different name, or has the wrong time.',
    'Explain here the first bytes that the client sends.',
  ],
}

export const awsIot: Diagnosis = {
  headline: 'AWS IoT closes the connection without a CONNACK: usually the policy does not allow the client.',
  cause:
    'The policy attached to the certificate must allow iot:Connect for exactly this client identifier. A second client with the same identifier has the same effect.',
  fixes: [
    'In the policy, allow iot:Connect for arn:aws:iot:REGION:ACCOUNT:client/CLIENT-ID, and attach the policy to the certificate.',
    'Check that the certificate is active, and that it is attached to the thing if the policy uses its name.',
    'Turn on the logs of AWS IoT in CloudWatch, which give the reason.',
  ],
}
