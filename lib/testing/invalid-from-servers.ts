/** Invalid packets that servers send: version, code, clause, bytes, answer, name, options. `npm run docs` writes this file. */
export const invalidFromServers: string = `
3.1|fixed-header-flags|2.1|21020000||a CONNACK whose fixed header flags are not 0000
3.1.1|fixed-header-flags|MQTT-2.2.2-2|21020000||a CONNACK whose fixed header flags are not 0000
5.0|fixed-header-flags|MQTT-2.1.3-1|2103000000||a CONNACK whose fixed header flags are not 0000
3.1|body-not-allowed|2.1|d0020000||a PINGRESP with a body
3.1.1|body-not-allowed|2.2.3|d0020000||a PINGRESP with a body
5.0|body-not-allowed|2.1.4|d0020000||a PINGRESP with a body
3.1|field-past-end|3.2|2000||a CONNACK that ends before its last field: acknowledgeFlags
3.1.1|field-past-end|3.2.1|2000||a CONNACK that ends before its last field: acknowledgeFlags
5.0|field-past-end|3.2.1|2000||a CONNACK that ends before its last field: acknowledgeFlags
3.1|field-past-end|3.2|200100||a CONNACK that ends before its last field: returnCode
3.1.1|field-past-end|3.2.1|200100||a CONNACK that ends before its last field: returnCode
5.0|field-past-end|3.2.1|200100||a CONNACK that ends before its last field: reasonCode
5.0|field-past-end|3.2.1|20020000||a CONNACK that ends before its last field: propertyLength
5.0|field-past-end|3.2.1|2006000004210001||a property list that continues after the packet in a CONNACK
3.1|bytes-left-over|3.2|2003000000||a CONNACK with bytes after its last field
3.1.1|bytes-left-over|3.2.1|2003000000||a CONNACK with bytes after its last field
5.0|bytes-left-over|3.2.1|200400000000||a CONNACK with bytes after its last field
3.1.1|acknowledge-flags-reserved|3.2.2.1|20020200||one of bits 7 to 1 of the acknowledge flags in a CONNACK
5.0|acknowledge-flags-reserved|MQTT-3.2.2-1|2003020000||one of bits 7 to 1 of the acknowledge flags in a CONNACK
3.1|connack-code|3.2|20020006||a return code above 5 in a CONNACK
3.1.1|connack-code|3.2.2.3|20020006||a return code above 5 in a CONNACK
5.0|connack-code|MQTT-3.2.2-8|2003000100||a reason code that CONNACK does not have
3.1.1|session-present-with-error|MQTT-3.2.2-4|20020101||session present with an error in a CONNACK
5.0|session-present-with-error|MQTT-3.2.2-6|2003018000||session present with an error in a CONNACK
5.0|property-not-allowed-here|3.2.2.3|20050000020101||a property that a CONNACK does not have: props.payloadFormatIndicator
5.0|property-not-allowed-here|3.2.2.3|200800000502ffffffff||a property that a CONNACK does not have: props.messageExpiryInterval
5.0|property-not-allowed-here|3.2.2.3|200700000403000161||a property that a CONNACK does not have: props.contentType
5.0|property-not-allowed-here|3.2.2.3|200700000408000161||a property that a CONNACK does not have: props.responseTopic
5.0|property-not-allowed-here|3.2.2.3|200700000409000161||a property that a CONNACK does not have: props.correlationData
5.0|property-not-allowed-here|3.2.2.3|20050000020b01||a property that a CONNACK does not have: props.subscriptionIdentifier
5.0|property-past-end|3.2.2.3|200400000111||a property of a CONNACK that continues after its list: props.sessionExpiryInterval
5.0|property-twice|3.2.2.3|200d00000a11ffffffff11ffffffff||a property twice in a CONNACK: props.sessionExpiryInterval
5.0|property-past-end|3.2.2.3|200400000112||a property of a CONNACK that continues after its list: props.assignedClientIdentifier
5.0|property-twice|3.2.2.3|200b0000081200016112000161||a property twice in a CONNACK: props.assignedClientIdentifier
5.0|property-past-end|3.2.2.3|200400000113||a property of a CONNACK that continues after its list: props.serverKeepAlive
5.0|property-twice|3.2.2.3|200900000613ffff13ffff||a property twice in a CONNACK: props.serverKeepAlive
5.0|property-past-end|3.2.2.3|200400000115||a property of a CONNACK that continues after its list: props.authenticationMethod
5.0|property-twice|3.2.2.3|200b0000081500016115000161||a property twice in a CONNACK: props.authenticationMethod
5.0|property-past-end|3.2.2.3|200400000116||a property of a CONNACK that continues after its list: props.authenticationData
5.0|property-twice|3.2.2.3|200b0000081600016116000161||a property twice in a CONNACK: props.authenticationData
5.0|property-not-allowed-here|3.2.2.3|20050000021701||a property that a CONNACK does not have: props.requestProblemInformation
5.0|property-not-allowed-here|3.2.2.3|200800000518ffffffff||a property that a CONNACK does not have: props.willDelayInterval
5.0|property-not-allowed-here|3.2.2.3|20050000021901||a property that a CONNACK does not have: props.requestResponseInformation
5.0|property-past-end|3.2.2.3|20040000011a||a property of a CONNACK that continues after its list: props.responseInformation
5.0|property-twice|3.2.2.3|200b0000081a0001611a000161||a property twice in a CONNACK: props.responseInformation
5.0|property-past-end|3.2.2.3|20040000011c||a property of a CONNACK that continues after its list: props.serverReference
5.0|property-twice|3.2.2.3|200b0000081c0001611c000161||a property twice in a CONNACK: props.serverReference
5.0|property-past-end|3.2.2.3|20040000011f||a property of a CONNACK that continues after its list: props.reasonString
5.0|property-twice|3.2.2.3|200b0000081f0001611f000161||a property twice in a CONNACK: props.reasonString
5.0|property-past-end|3.2.2.3|200400000121||a property of a CONNACK that continues after its list: props.receiveMaximum
5.0|property-twice|3.2.2.3|200900000621ffff21ffff||a property twice in a CONNACK: props.receiveMaximum
5.0|property-past-end|3.2.2.3|200400000122||a property of a CONNACK that continues after its list: props.topicAliasMaximum
5.0|property-twice|3.2.2.3|200900000622ffff22ffff||a property twice in a CONNACK: props.topicAliasMaximum
5.0|property-not-allowed-here|3.2.2.3|200600000323ffff||a property that a CONNACK does not have: props.topicAlias
5.0|property-past-end|3.2.2.3|200400000124||a property of a CONNACK that continues after its list: props.maximumQos
5.0|property-twice|3.2.2.3|200700000424012401||a property twice in a CONNACK: props.maximumQos
5.0|property-past-end|3.2.2.3|200400000125||a property of a CONNACK that continues after its list: props.retainAvailable
5.0|property-twice|3.2.2.3|200700000425012501||a property twice in a CONNACK: props.retainAvailable
5.0|property-past-end|3.2.2.3|200400000126||a property of a CONNACK that continues after its list: props.userProperty
5.0|property-past-end|3.2.2.3|200400000127||a property of a CONNACK that continues after its list: props.maximumPacketSize
5.0|property-twice|3.2.2.3|200d00000a27ffffffff27ffffffff||a property twice in a CONNACK: props.maximumPacketSize
5.0|property-past-end|3.2.2.3|200400000128||a property of a CONNACK that continues after its list: props.wildcardSubscriptionAvailable
5.0|property-twice|3.2.2.3|200700000428012801||a property twice in a CONNACK: props.wildcardSubscriptionAvailable
5.0|property-past-end|3.2.2.3|200400000129||a property of a CONNACK that continues after its list: props.subscriptionIdentifierAvailable
5.0|property-twice|3.2.2.3|200700000429012901||a property twice in a CONNACK: props.subscriptionIdentifierAvailable
5.0|property-past-end|3.2.2.3|20040000012a||a property of a CONNACK that continues after its list: props.sharedSubscriptionAvailable
5.0|property-twice|3.2.2.3|20070000042a012a01||a property twice in a CONNACK: props.sharedSubscriptionAvailable
5.0|receive-maximum-zero|3.2.2.3.3|2006000003210000||receive maximum 0 in a CONNACK
5.0|maximum-packet-size-zero|3.2.2.3.6|20080000052700000000||maximum packet size 0 in a CONNACK
5.0|maximum-qos|3.2.2.3.4|20050000022402||maximum qos other than 0 and 1 in a CONNACK
5.0|retain-available|3.2.2.3.5|20050000022502||retain available other than 0 and 1 in a CONNACK
5.0|wildcard-subscription-available|3.2.2.3.11|20050000022802||wildcard subscription available other than 0 and 1 in a CONNACK
5.0|subscription-identifier-available|3.2.2.3.12|20050000022902||subscription identifier available other than 0 and 1 in a CONNACK
5.0|shared-subscription-available|3.2.2.3.13|20050000022a02||shared subscription available other than 0 and 1 in a CONNACK
5.0|authentication-data-without-method|3.2.2.3.18|200700000416000161||authentication data without a method in a CONNACK
5.0|property-unknown|3.2.2.3|20050000020000||an unknown property identifier in a CONNACK
5.0|property-past-end|3.2.2.3|200400000191||a property of a CONNACK that continues after its list: props
5.0|variable-byte-integer-not-shortest|MQTT-1.5.5-1|2006000003a40001||a property identifier or length of more bytes than needed in a CONNACK
5.0|property-not-utf8|MQTT-1.5.4-1|2009000006120003eda080||a property that is not well-formed UTF-8 in a CONNACK: props.assignedClientIdentifier
5.0|property-nul|MQTT-1.5.4-2|200700000412000100||a property with U+0000 in a CONNACK: props.assignedClientIdentifier
5.0|property-not-utf8|MQTT-1.5.4-1|20090000061f0003eda080||a property that is not well-formed UTF-8 in a CONNACK: props.reasonString
5.0|property-nul|MQTT-1.5.4-2|20070000041f000100||a property with U+0000 in a CONNACK: props.reasonString
5.0|property-not-utf8|MQTT-1.5.4-1|20090000061a0003eda080||a property that is not well-formed UTF-8 in a CONNACK: props.responseInformation
5.0|property-nul|MQTT-1.5.4-2|20070000041a000100||a property with U+0000 in a CONNACK: props.responseInformation
5.0|property-not-utf8|MQTT-1.5.4-1|20090000061c0003eda080||a property that is not well-formed UTF-8 in a CONNACK: props.serverReference
5.0|property-nul|MQTT-1.5.4-2|20070000041c000100||a property with U+0000 in a CONNACK: props.serverReference
`
