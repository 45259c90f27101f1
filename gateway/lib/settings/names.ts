/** The name of a listener or an upstream, for rules, templates, logs and metrics. */
export function nameOf({ name, host, port }: Named): string {
  return name ?? `${host}:${port}`
}

interface Named {
  readonly name?: string | undefined
  readonly host: string
  readonly port: number
}

/** The address by which a reload recognises a listener. */
export function addressOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host} ${port}`
}
