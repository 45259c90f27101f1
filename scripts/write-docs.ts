import { writeFileSync } from 'node:fs'
import { conformanceDocument, conformanceTests } from './conformance-document.ts'
import { errorsDocument } from './errors-document.ts'

/*
 * Writes the documents that are made of tables in the code: `npm run docs`.
 */

const docs = new URL('../docs/', import.meta.url)
writeFileSync(new URL('errors.md', docs), errorsDocument())
writeFileSync(new URL('conformance.md', docs), conformanceDocument(conformanceTests()))
