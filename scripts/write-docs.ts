import { writeFileSync } from 'node:fs'
import { jsonSchema } from '../gateway/lib/operate/schema.ts'
import { apiDocument } from './api-document.ts'
import { clausesDocument } from './clauses-document.ts'
import { conformanceDocument, conformanceTests } from './conformance-document.ts'
import { errorsDocument } from './errors-document.ts'
import { gatewayDocument } from './gateway-document.ts'
import { explainPicture } from './picture.ts'
import { vectorTable } from './vectors.ts'

/* `npm run docs`: writes the documents that are generated from tables in the code. */

const docs = new URL('../docs/', import.meta.url)
writeFileSync(new URL('errors.md', docs), errorsDocument())
writeFileSync(new URL('conformance.md', docs), conformanceDocument(conformanceTests()))
writeFileSync(new URL('explain.svg', docs), explainPicture())
writeFileSync(new URL('api.md', docs), await apiDocument())
writeFileSync(new URL('../lib/testing/table.ts', docs), vectorTable())
const gateway = new URL('../gateway/', docs)
writeFileSync(new URL('CONFIGURATION.md', gateway), gatewayDocument())
writeFileSync(new URL('gateway.schema.json', gateway), `${JSON.stringify(jsonSchema(), null, 2)}\n`)
writeFileSync(new URL('../probe/CLAUSES.md', docs), clausesDocument())
