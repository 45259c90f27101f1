import { z } from 'zod'
import { takesNumber } from './properties.ts'
import { isAmbiguous, variableNames } from './template.ts'

const template = z
  .string()
  .refine((text) => [...text.matchAll(/\{(.*?)\}/g)].every(([, name]) => variableNames.has(name!)), {
    error: `has a variable other than {${[...variableNames].join('}, {')}}`,
  })
  .refine(
    (text) => !isAmbiguous(text),
    'has two variables with nothing between them: different clients could get the same text',
  )
const clientIdTemplate = template
  .refine((text) => /\{.*?\}/.test(text), 'has no variable: all clients would get the same client id')
  .refine((text) => !/[{}]/.test(text.replace(/\{.*?\}/g, '')), 'has a brace that belongs to no variable')

const propertyValue = z.union([z.string(), z.int()])
export const rewrite = z
  .strictObject({
    clientId: clientIdTemplate.default('{clientId}').describe('A template for the client id.'),
    userName: template
      .nullable()
      .optional()
      .describe(
        'A template for the user name. null removes the user name, and before MQTT 5.0 the password too, because a password needs a user name there.',
      ),
    password: template
      .nullable()
      .optional()
      .describe('A template for the password. null removes the password.'),
    assignClientId: z
      .boolean()
      .default(true)
      .describe(
        'Assigns client ids to clients without one. If false, the broker does that, and these clients go to the brokers in turn.',
      ),
    removeProperties: z
      .array(z.string())
      .default([])
      .describe('Names of properties to remove, such as requestProblemInformation. Those of a will stay.'),
    addProperties: z
      .record(z.string(), propertyValue)
      .check(({ value, issues }) => {
        // A reference is a string until an issue of this kind says that a number belongs there.
        for (const [name, input] of Object.entries(value)) {
          if (typeof input === 'string' && takesNumber(name))
            issues.push({ code: 'invalid_type', expected: 'number', input, path: [name] })
        }
      })
      .default({})
      .describe("Properties to add, by name. They replace the client's properties of the same name."),
    addUserProperties: z
      .array(z.tuple([z.string(), template]))
      .default([])
      .describe(
        "User properties to add: pairs of a key and a template for the value. They replace the client's user properties of the same key.",
      ),
    serverKeepAlive: z
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .describe('The keep alive for MQTT 5.0 clients, in seconds.'),
  })
  .prefault({})

export type RewriteConfig = z.infer<typeof rewrite>
