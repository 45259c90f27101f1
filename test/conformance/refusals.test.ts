import { connectRules } from './connect-rules.ts'
import { headerRules } from './header-rules.ts'
import { placeRules, propertyRules } from './property-rules.ts'
import { describeRefusals, refusalsOf } from './refusal.ts'

describeRefusals(refusalsOf([...headerRules, ...connectRules, ...propertyRules, ...placeRules]))
