/** The parts of its process that a command needs. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean }
  readonly stdout: { write(output: string | Uint8Array): unknown }
  readonly stderr: { write(output: string): unknown }
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The output of a command. */
export interface CommandResult {
  readonly output: string | Uint8Array
  readonly exitCode: 0 | 1
}
