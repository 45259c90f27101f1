import type { Buffer } from 'buffer'
import { PROTOCOL_HEADER_LENGTH } from '../protocol/limits.ts'
import { protocolLevelField, protocolNameField } from '../wire/fields.ts'
import type { Observer } from '../wire/scan.ts'

/** What to observe a scan with to get the packet's wire components, and the list that they are put in. */
export function componentCollector(bytes: Buffer): { components: Buffer[]; observer: Observer } {
  const components: Buffer[] = []
  const observer: Observer = (field, start, content, end) => {
    if (field === protocolNameField) return // One component with the level.
    if (field === protocolLevelField) {
      components.push(bytes.subarray(end - PROTOCOL_HEADER_LENGTH, end))
      return
    }
    if (content !== start) components.push(bytes.subarray(start, content))
    components.push(bytes.subarray(content, end))
  }
  return { components, observer }
}
