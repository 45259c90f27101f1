import { type Property, property } from 'mqtt-connect-packet'

/** @throws Error if there is no such property, or its value is not possible */
export function makeProperty(name: string, value: string | number): Property {
  if (name === 'userProperty' || !Object.hasOwn(property, name))
    throw new Error('there is no such property to add')
  return (property as unknown as Record<string, (value: string | number) => Property>)[name]!(value)
}
