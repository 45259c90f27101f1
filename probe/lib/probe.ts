import { checkOptions, type ProbeOptions } from './options.ts'
import { Pace } from './pace.ts'
import type { Result } from './result.ts'
import { Run } from './run.ts'
import { selectionOf } from './selection.ts'
import { type Address, addressOf, checkCredentials, credentialsOf, targetOf } from './target.ts'

/**
 * Tests how a server treats the MQTT handshake. Yields a result for each case as soon as it is known.
 *
 * @param url the server's URL: `mqtt:`, `mqtts:`, `ws:` or `wss:`. It may contain a user name and a password, percent-encoded
 * @throws UsageError at once, with a `code`: `ERR_INVALID_ARG_TYPE`, `ERR_INVALID_ARG_VALUE` or `ERR_OUT_OF_RANGE` if the URL or an
 *   option is invalid, or if a name in `only` selects no case of these versions
 * @throws UsageError `ERR_PUBLIC_ADDRESS` with the first result, if the address is neither loopback nor private and `ownServer` isn't set
 * @throws Unreachable with the first result, if there is no connection or the server accepts no valid CONNECT
 * @example
 * for await (const { verdict, id, text } of probe('mqtt://127.0.0.1:1883')) {
 *   if (verdict === 'violates') console.log(id, text)
 * }
 */
export function probe(url: string, options: ProbeOptions = {}): AsyncGenerator<Result, void, undefined> {
  const given = { ...options }
  checkOptions(given)
  const address = addressOf(`${url}`)
  checkCredentials(credentialsOf(address, given))
  const selection = selectionOf(given)
  return results(address, given, selection)
}

async function* results(
  address: Address,
  options: ProbeOptions,
  selection: ReturnType<typeof selectionOf>,
): AsyncGenerator<Result, void, undefined> {
  const { ownServer = false, tls = {}, timeout = 5000 } = options
  const target = await targetOf(address.url, ownServer, tls)
  const setting = { target, timeout, pace: new Pace(), turns: new Map(), ...credentialsOf(address, options) }
  const run = new Run(setting, selection, options)
  yield* run.results()
}
