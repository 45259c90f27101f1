import { writeFileSync } from 'node:fs'
import { apiDocument } from './api-document.ts'
import { conformanceDocument, conformanceTests } from './conformance-document.ts'
import { errorsDocument } from './errors-document.ts'
import { explainPicture } from './picture.ts'

/*
 * Writes the documents that are made of tables in the code: `npm run docs`.
 */

const docs = new URL('../docs/', import.meta.url)
writeFileSync(new URL('errors.md', docs), errorsDocument())
writeFileSync(new URL('conformance.md', docs), conformanceDocument(conformanceTests()))
writeFileSync(new URL('explain.svg', docs), explainPicture())
writeFileSync(new URL('api.md', docs), await apiDocument())
