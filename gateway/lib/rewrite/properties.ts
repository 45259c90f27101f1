import { type Property, PropertyId, property, v5 } from 'mqtt-connect-packet'

/** @throws Error if there is no such property, or its value is not possible */
export function makeProperty(name: string, value: string | number): Property {
  if (name === 'userProperty' || !Object.hasOwn(property, name))
    throw new Error('there is no such property to add')
  return (property as unknown as Record<string, (value: string | number) => Property>)[name]!(value)
}

/** @throws Error if no CONNECT may contain the property: with it, every client of 5.0 would be refused */
export function checkInConnect(added: Property): void {
  // Authentication data needs a method.
  const method = added.id === PropertyId.authenticationMethod ? [] : [property.authenticationMethod('m')]
  new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c', props: [...method, added] })
}
