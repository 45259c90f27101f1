import type { ListenerConfig } from '../operate/config.ts'

/** The name of a listener or an upstream, for rules, templates, logs and metrics. */
export function nameOf({ name, host, port }: Pick<ListenerConfig, 'name' | 'host' | 'port'>): string {
  return name ?? `${host}:${port}`
}
