const oasis = (name: string): string =>
  `https://docs.oasis-open.org/mqtt/mqtt/${name}/os/mqtt-${name}-os.html`
const newest = oasis('v5.0')

const standards: Readonly<Record<number, string>> = {
  3: 'https://public.dhe.ibm.com/software/dw/webservices/ws-mqtt/mqtt-v3r1.html',
  4: oasis('v3.1.1'),
}

/** A link that scrolls to a clause in the standard of a version, or of 5.0 if the version is unknown. */
export function clauseLink(clause: string, protocolVersion: number): HTMLElement {
  // The documents' anchors are meaningless numbers, so link to the text of the clause.
  const text = encodeURIComponent(clause.startsWith('MQTT-') ? `[${clause}]` : clause)
  const link = document.createElement('a')
  link.href = `${standards[protocolVersion] ?? newest}#:~:text=${text.replaceAll('-', '%2D')}`
  link.rel = 'noreferrer'
  link.textContent = clause
  return link
}
