import { type Property, PropertyId, property, v5 } from 'mqtt-connect-packet'

/** @throws Error if the property doesn't exist, or the value is invalid */
export function makeProperty(name: string, value: string | number): Property {
  if (name === 'userProperty' || !Object.hasOwn(property, name))
    throw new Error('there is no such property to add')
  return (property as unknown as Record<string, (value: string | number) => Property>)[name]!(value)
}

/** @throws Error if no CONNECT may contain the property, because every 5.0 client would then be refused */
export function checkInConnect(added: Property): void {
  // Authentication data needs a method.
  const method = added.id === PropertyId.authenticationMethod ? [] : [property.authenticationMethod('m')]
  new v5.ConnectPacket({ cleanStart: true, keepAlive: 0, clientId: 'c', props: [...method, added] })
}
