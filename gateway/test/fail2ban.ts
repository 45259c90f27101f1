import { readFileSync } from 'node:fs'

const document = readFileSync(new URL('../OPERATING.md', import.meta.url), 'utf8')

/** The fail2ban filter in OPERATING.md. */
export const filter: string = /```ini\n(\[Definition\]\n.*?)```/s.exec(document)![1]!
export const jail: string = /```ini\n(\[mqtt-connect-gateway\]\n.*?)```/s.exec(document)![1]!

/** Strips a journal's prefix from a line. */
const prefix = new RegExp(
  /^prefregex = (.*)$/m.exec(filter)![1]!.replace('<F-CONTENT>', '(').replace('</F-CONTENT>', ')'),
)
const [, patterns = ''] = /^failregex = (.*?)^datepattern/ms.exec(filter)!
const regexes = patterns
  .trim()
  .split(/\n\s+/)
  .map((pattern) => new RegExp(pattern.replace('<ADDR>', '([0-9a-f.:]+?)')))

/** The address that fail2ban would find in a line. Like fail2ban, this removes the time first. */
export function addressIn(line: string): string | undefined {
  const timeless = line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z/, '').replace(/"time":\d{13}/, '')
  const content = prefix.exec(timeless)?.[1] ?? ''
  return regexes.map((regex) => regex.exec(content)?.[1]).find((address) => address !== undefined)
}
