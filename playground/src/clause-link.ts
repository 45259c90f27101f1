import { create } from './dom.ts'

const standards: Readonly<Record<number, string>> = {
  3: 'https://public.dhe.ibm.com/software/dw/webservices/ws-mqtt/mqtt-v3r1.html',
  4: 'https://docs.oasis-open.org/mqtt/mqtt/v3.1.1/os/mqtt-v3.1.1-os.html',
  5: 'https://docs.oasis-open.org/mqtt/mqtt/v5.0/os/mqtt-v5.0-os.html',
}

/** A link to a clause in the standard of a version, which browsers scroll to. Without a version it is that of 5.0. */
export function clauseLink(clause: string, protocolVersion: number): HTMLElement {
  const document = standards[protocolVersion] ?? standards[5]!
  // The documents' anchors are numbers without meaning, but each clause is a text that is there.
  const text = clause.startsWith('MQTT-') ? `[${clause}]` : `${clause} `
  const fragment = encodeURIComponent(text.trim()).replaceAll('-', '%2D')
  return create('a', { href: `${document}#:~:text=${fragment}`, rel: 'noreferrer' }, clause)
}
