import type { Rule } from '../rule.ts'
import { contentRules } from './contents.ts'
import { disconnectAndAuthRules } from './disconnect-and-auth.ts'
import { headerRules } from './header.ts'
import { propertyRules } from './properties.ts'
import { stringRules } from './strings.ts'

/** Every rule, in the order of the standards. */
export const allRules: readonly Rule[] = [
  ...headerRules,
  ...contentRules,
  ...propertyRules,
  ...stringRules,
  ...disconnectAndAuthRules,
]
