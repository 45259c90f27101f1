/**
 * Reads the body of an HTTP response. Everything before authentication is limited, and this is part of it.
 *
 * @param most in bytes, after any content encoding has been undone
 * @throws Error if the body is larger; the rest of it isn't read
 */
export async function readLimited(response: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the body.
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > most)
      throw new Error(`the answer of ${new URL(response.url).host} has more than ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
