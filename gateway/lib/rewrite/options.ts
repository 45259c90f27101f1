import { z } from 'zod'
import { isAmbiguous, variableNames } from './template.ts'

const template = z
  .string()
  .refine((text) => [...text.matchAll(/\{(.*?)\}/g)].every(([, name]) => variableNames.has(name!)), {
    error: `has a variable other than {${[...variableNames].join('}, {')}}`,
  })
const clientIdTemplate = template.refine(
  (text) => !isAmbiguous(text),
  'has two variables with nothing between them: different clients could get the same client id',
)

const propertyValue = z.union([z.string(), z.int()])
export const rewrite = z
  .strictObject({
    clientId: clientIdTemplate.default('{clientId}').describe('A template.'),
    userName: template.nullable().optional().describe('A template. null removes it.'),
    password: template.nullable().optional().describe('A template. null removes it.'),
    assignClientId: z
      .boolean()
      .default(true)
      .describe('Give clients without a client id one. Otherwise they take turns with the brokers.'),
    removeProperties: z.array(z.string()).default([]).describe('By name, such as requestProblemInformation.'),
    addProperties: z
      .record(z.string(), propertyValue)
      .default({})
      .describe('Names and values. They replace those of the client.'),
    addUserProperties: z
      .array(z.tuple([z.string(), template]))
      .default([])
      .describe('Keys, and templates for the values.'),
    serverKeepAlive: z.int().min(0).max(65_535).optional().describe('Seconds, for clients of 5.0.'),
  })
  .prefault({})

export type RewriteConfig = z.infer<typeof rewrite>
