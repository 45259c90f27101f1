import type { Diagnosis } from '../../lib/explain/index.ts'
import { formats } from './formats.ts'

/** The parts of a report for a forum. Bytes and dump contain secrets only if the user wants that. */
export interface Report {
  readonly diagnosis: Diagnosis
  readonly packets: readonly Uint8Array[]
  readonly dumps: readonly string[]
  readonly link: string | undefined
}

/** A report in Markdown, for forums and issue trackers. */
export function markdownOf({ diagnosis, packets, dumps, link }: Report): string {
  const { headline, cause, fixes } = diagnosis
  return [
    `**${escaped(headline)}**`,
    escaped(cause),
    ...(fixes.length === 0 ? [] : [fixes.map((fix) => `- ${escaped(fix)}`).join('\n')]),
    fenced(packets.map(formats.hex).join('\n')),
    `<details><summary>Each byte explained</summary>\n\n${fenced(dumps.join('\n\n'))}\n\n</details>`,
    ...(link === undefined ? [] : [`[Open it in the MQTT handshake playground](${link})`]),
  ].join('\n\n')
}

function fenced(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``
}

function escaped(text: string): string {
  return text.replace(/[\\`*_<>#[\]|]/g, '\\$&')
}

/** A text to post that asks for the bytes of a handshake, and says which ones not to post. */
export const askForBytes = `To find out why your client doesn't connect, we need the bytes of the handshake: the client's CONNECT and the server's answer.
Here are some ways to get them:

- **On the computer of the server or the client (Linux, macOS):** \`sudo tcpdump -i any -s 0 -w mqtt.pcap tcp port 1883\`, then let the client try to connect, and press Ctrl-C.
- **Wireshark:** capture with the filter \`tcp port 1883\`, right-click an MQTT packet → Follow → TCP Stream → Show as: Hex Dump, and copy.
- **ESP32 (ESP-IDF):** \`esp_log_level_set("*", ESP_LOG_VERBOSE);\` before the client starts, and copy the log.
- **Linux, without root:** \`strace -f -y -e trace=network,write,writev,read,readv -xx -s 500 -p PID\`.
- **With TLS,** the bytes on the network are encrypted. Use the client's log, or try once without TLS in a safe network.

Open the result in the MQTT handshake playground. It stays in your browser, shows the cause in plain words, and hides the password in everything that you copy from there.
Please don't post the capture itself, because it contains your password. Post the result of *Copy as Markdown*.
`
