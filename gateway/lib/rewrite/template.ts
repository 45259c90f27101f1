import { ClientFault } from '../settings/causes.ts'

/*
 * Templates of the rewrite stage: text with variables, such as `{listener}-{clientId}`.
 */

export const variableNames: ReadonlySet<string> = new Set([
  'clientId',
  'userName',
  'address',
  'listener',
  'serverName',
  'certificateName',
])

export type Variables = Readonly<Record<string, string | undefined>>

/** A template can't be filled in for a client, so the client is refused. */
export class TemplateError extends ClientFault {}

const VARIABLE = /\{(.*?)\}/

/** True if two variables aren't separated by text, so different values may give the same result. */
export function isAmbiguous(template: string): boolean {
  return /\}\{/.test(template)
}

/** A parsed template. */
export class Template {
  /** Literal, variable, literal, variable, …, literal. */
  readonly #parts: readonly string[]

  constructor(template: string) {
    this.#parts = template.split(VARIABLE)
  }

  /**
   * Fills in the values. A value must not contain the literal that follows its variable. Otherwise, with `{userName}:{clientId}`, the user `a`
   * could take over a session of the user `a:b`.
   *
   * @throws TemplateError if a variable has no value or an empty one, or a value contains the literal
   */
  fill(values: Variables): string {
    const parts = this.#parts
    let text = parts[0]!
    for (let i = 1; i < parts.length; i += 2) {
      const value = values[parts[i]!]
      const literal = parts[i + 1]!
      // An empty user name would get a client to the broker as `tenant/`.
      if (value === undefined || value === '')
        throw new TemplateError(`the client has no ${parts[i]}, which a template needs`)
      if (!this.#endsAt(i, value)) {
        throw new TemplateError(`the client's ${parts[i]} contains the separator of a template`)
      }
      text += value + literal
    }
    return text
  }

  uses(name: string): boolean {
    return this.#parts.some((part, i) => i % 2 === 1 && part === name)
  }

  /** True if the value can be filled in wherever the template has the variable. */
  accepts(name: string, value: string): boolean {
    return this.#parts.every((part, i) => i % 2 === 0 || part !== name || this.#endsAt(i, value))
  }

  /**
   * True if the literal after a variable first occurs at the end of the value. The literal after the last variable separates
   * nothing.
   */
  #endsAt(i: number, value: string): boolean {
    const literal = this.#parts[i + 1]!
    return i + 2 >= this.#parts.length || `${value}${literal}`.indexOf(literal) === value.length
  }

  /** Reverses the template: the value of its variable `name` in a text. `undefined` if the text wasn't made by this template. */
  extract(name: string, text: string, values: Variables): string | undefined {
    const at = this.#parts.indexOf(name)
    if (at % 2 !== 1) return undefined
    const marker = '\0'
    let filled: string
    try {
      filled = this.fill({ ...values, [name]: marker })
    } catch {
      return undefined
    }
    const [before = '', after = ''] = filled.split(marker)
    if (text.length < before.length + after.length || !text.startsWith(before) || !text.endsWith(after)) {
      return undefined
    }
    return text.slice(before.length, text.length - after.length)
  }
}
