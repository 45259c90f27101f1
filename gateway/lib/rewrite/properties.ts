import { type Property, PropertyId, property, v5 } from 'mqtt-connect-packet'

/** @throws Error if the property doesn't exist, or the value is invalid */
export function makeProperty(name: string, value: string | number): Property {
  if (name === 'userProperty' || !Object.hasOwn(property, name))
    throw new Error('there is no such property to add')
  return (property as unknown as Record<string, (value: string | number) => Property>)[name]!(value)
}

/** True if the values of the property are numbers. */
export function takesNumber(name: string): boolean {
  try {
    makeProperty(name, 1)
    return true
  } catch {
    return false
  }
}

/** A property with this name. @throws Error if the property doesn't exist */
export function anyProperty(name: string): Property {
  return makeProperty(name, takesNumber(name) ? 1 : '')
}

/** @throws Error if no CONNECT may contain the property, because every 5.0 client would then be refused */
export function checkInConnect(added: Property): void {
  // Authentication data needs a method.
  const method = added.id === PropertyId.authenticationMethod ? [] : [property.authenticationMethod('m')]
  new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c', props: [...method, added] })
}

/** @throws Error if no string of MQTT may contain the text. MQTT 5.0 section 1.5.4. */
export function checkText(text: string): void {
  if (text.includes('\0')) throw new Error('must not contain U+0000')
  if (!text.isWellFormed()) throw new Error('must not contain half a surrogate pair')
  if (Buffer.byteLength(text) > 65_535) throw new Error('must not be longer than 65,535 bytes')
}
