import { type Property, PropertyId, type Will } from 'mqtt-connect-packet'
import { hasLimits, type Is } from './greeting.ts'
import type { Message } from './session.ts'

/* Publishes wills, with the faults of the switches. */

/** The delay in seconds. */
export function willDelay(is: Is, will: Will): number {
  const asked = will.property(PropertyId.willDelayInterval) ?? 0
  const overflows = is('will-delay-overflows') && asked > 2 ** 31 / 1000
  return is('ignores-will-delay') || overflows ? 0 : asked
}

export function willMessage(is: Is, will: Will): Message {
  const isRetained = (will.retain && !is('will-not-retained')) || is('will-always-retained')
  return {
    topic: will.topic,
    payload: is('reads-will-as-text') ? will.message.toString() : will.message,
    qos: is('publishes-wills-with-qos-0') ? 0 : Math.min(will.qos, 1),
    retain: isRetained && !hasLimits(is),
    userProperties: userProperties(will, is('sorts-user-properties')),
  }
}

function userProperties(will: Will, isSorted: boolean): Message['userProperties'] {
  const found = new Map<string, string[]>()
  for (const one of will.props as readonly Property[]) {
    if (one.id !== PropertyId.userProperty) continue
    found.set(one.key, [...(found.get(one.key) ?? []), one.value])
  }
  if (found.size === 0) return undefined
  return Object.fromEntries(isSorted ? [...found].sort() : found)
}
