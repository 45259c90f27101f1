/** The name of a listener or an upstream, for rules, templates, logs and metrics. */
export function nameOf({ name, host, port }: Named): string {
  return name ?? `${host}:${port}`
}

interface Named {
  readonly name?: string | undefined
  readonly host: string
  readonly port: number
}
