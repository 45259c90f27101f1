import { type ExplainOptions, type Explanation, explain } from '../../lib/explain/index.ts'
import { ProtocolVersion, type RelaxableCode } from '../../lib/packets/index.ts'

/** The versions that a user can choose. Empty means that the packet decides. */
export const versionChoices = {
  '': ProtocolVersion.undetermined,
  '3.1': ProtocolVersion.v3_1,
  '3.1.1': ProtocolVersion.v3_1_1,
  '5': ProtocolVersion.v5,
} as const

export type VersionChoice = keyof typeof versionChoices

/** The options for reading bytes. */
export interface ReadAs {
  readonly version: VersionChoice
  readonly allow: readonly RelaxableCode[]
}

export const asTheySay: ReadAs = { version: '', allow: [] }

/** Reads MQTT 3.1 as well, because people want to see their bytes explained even if a server would refuse them. */
const always: readonly RelaxableCode[] = ['protocol-mqtt-3-1']

export function explainOptions({ version, allow }: ReadAs, secrets = false): ExplainOptions {
  return { protocolVersion: versionChoices[version], allow: [...always, ...allow], secrets }
}

/** The choice for a version. */
export function choiceOf(protocolVersion: number): VersionChoice {
  const found = Object.entries(versionChoices).find(([, one]) => one === protocolVersion)
  return (found?.[0] ?? '') as VersionChoice
}

/** True if `allow` accepts this code. The library refuses all others. */
export function isRelaxable(code: string): code is RelaxableCode {
  try {
    explain(new Uint8Array(0), { allow: [code as RelaxableCode] })
    return true
  } catch {
    return false
  }
}

/** Reads the bytes as far as possible, by relaxing each rule that can be relaxed. */
export function readWithoutRules(bytes: Uint8Array, as: ReadAs, secrets = false): Explanation {
  const allow = [...as.allow]
  for (;;) {
    const explanation = explain(bytes, explainOptions({ ...as, allow }, secrets))
    const codes = explanation.packets.map(({ error }) => error?.code ?? '')
    const next = codes.filter(isRelaxable).find((code) => !allow.includes(code))
    if (next === undefined) return explanation
    allow.push(next)
  }
}
