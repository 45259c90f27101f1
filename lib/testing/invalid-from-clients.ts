/** Invalid packets that clients send: version, code, clause, bytes, answer, name, options. `npm run docs` writes this file. */
export const invalidFromClients: string = `
3.1|reserved-packet-type|2.1|0000||control packet type 0
3.1.1|reserved-packet-type|2.2.1|0000||control packet type 0
5.0|reserved-packet-type|2.1.2|0000||control packet type 0
3.1|reserved-packet-type|2.1|f000||control packet type 15, which is AUTH in 5.0
3.1.1|reserved-packet-type|2.2.1|f000||control packet type 15, which is AUTH in 5.0
3.1|fixed-header-flags|2.1|110f00064d51497364700302003c000161||a CONNECT whose fixed header flags are not 0000
3.1.1|fixed-header-flags|MQTT-2.2.2-1|110d00044d5154540402003c000161||a CONNECT whose fixed header flags are not 0000
5.0|fixed-header-flags|MQTT-2.1.3-1|110e00044d5154540502003c00000161||a CONNECT whose fixed header flags are not 0000
3.1|fixed-header-flags|2.1|60020001||a PUBREL, SUBSCRIBE or UNSUBSCRIBE whose fixed header flags are not 0010
3.1.1|fixed-header-flags|MQTT-2.2.2-1|60020001||a PUBREL, SUBSCRIBE or UNSUBSCRIBE whose fixed header flags are not 0010
5.0|fixed-header-flags|MQTT-2.1.3-1|60020001||a PUBREL, SUBSCRIBE or UNSUBSCRIBE whose fixed header flags are not 0010
3.1|fixed-header-flags|2.1|42020001||another packet whose fixed header flags are not 0000
3.1.1|fixed-header-flags|MQTT-2.2.2-1|42020001||another packet whose fixed header flags are not 0000
5.0|fixed-header-flags|MQTT-2.1.3-1|42020001||another packet whose fixed header flags are not 0000
3.1|variable-byte-integer-too-long|2.1|10808080800100064d51497364700302003c000161||a Remaining Length of five bytes
3.1.1|variable-byte-integer-too-long|2.2.3|10808080800100044d5154540402003c000161||a Remaining Length of five bytes
5.0|variable-byte-integer-too-long|1.5.5|10808080800100044d5154540502003c00000161||a Remaining Length of five bytes
3.1|packet-too-large|2.1|100f00064d51497364700302003c00016100||a packet larger than the maximum|{"maximumPacketSize":16}
3.1.1|packet-too-large|4.8|100f00044d5154540402003c00016100||a packet larger than the maximum|{"maximumPacketSize":16}
5.0|packet-too-large|3.2.2.2|100f00044d5154540502003c0000016100||a packet larger than the maximum|{"maximumPacketSize":16}
3.1|packet-incomplete|3.1|100f00064d51497364700302003c||a packet that ends before its Remaining Length says
3.1|packet-incomplete|3.1|10ff||a packet that ends within its Remaining Length
3.1|packet-incomplete|3.1|||no bytes at all
3.1.1|packet-incomplete|MQTT-3.1.4-1|100f00044d5154540402003c||a packet that ends before its Remaining Length says
3.1.1|packet-incomplete|MQTT-3.1.4-1|10ff||a packet that ends within its Remaining Length
3.1.1|packet-incomplete|MQTT-3.1.4-1|||no bytes at all
5.0|packet-incomplete|MQTT-3.1.4-1|100f00044d5154540502003c||a packet that ends before its Remaining Length says
5.0|packet-incomplete|MQTT-3.1.4-1|10ff||a packet that ends within its Remaining Length
5.0|packet-incomplete|MQTT-3.1.4-1|||no bytes at all
3.1|more-than-one-packet|3.1|10020000c000||more than one packet where one is decoded
3.1.1|more-than-one-packet|MQTT-3.1.4-1|10020000c000||more than one packet where one is decoded
5.0|more-than-one-packet|MQTT-3.1.4-1|10020000c000||more than one packet where one is decoded
5.0|variable-byte-integer-not-shortest|MQTT-1.5.5-1|108e0000044d5154540502003c00000161|2003008100|a Remaining Length of more bytes than needed
3.1|publish-qos|2.1|36050001610001||a PUBLISH with QoS 3
3.1.1|publish-qos|MQTT-3.3.1-4|36050001610001||a PUBLISH with QoS 3
5.0|publish-qos|MQTT-3.3.1-4|36050001610001||a PUBLISH with QoS 3
3.1|publish-dup|2.1|3803000161||a PUBLISH with DUP and QoS 0
3.1.1|publish-dup|MQTT-3.3.1-2|3803000161||a PUBLISH with DUP and QoS 0
5.0|publish-dup|MQTT-3.3.1-2|3803000161||a PUBLISH with DUP and QoS 0
3.1|packet-id-zero|2.4|32050001610000||packet identifier 0
3.1.1|packet-id-zero|MQTT-2.3.1-1|32050001610000||packet identifier 0
5.0|packet-id-zero|MQTT-2.2.1-3|32050001610000||packet identifier 0
3.1|body-not-allowed|2.1|c00100||a PINGREQ with a body
3.1.1|body-not-allowed|2.2.3|c00100||a PINGREQ with a body
5.0|body-not-allowed|2.1.4|c00100||a PINGREQ with a body
3.1|body-not-allowed|2.1|e00100||a DISCONNECT with a body
3.1.1|body-not-allowed|2.2.3|e00100||a DISCONNECT with a body
3.1|field-past-end|3.1|400100||a packet identifier that continues after the packet
3.1.1|field-past-end|MQTT-3.1.4-1|400100||a packet identifier that continues after the packet
5.0|field-past-end|MQTT-3.1.4-1|400100||a packet identifier that continues after the packet
3.1|field-past-end|3.1|3203000261||a topic name that continues after the packet
3.1.1|field-past-end|MQTT-3.1.4-1|3203000261||a topic name that continues after the packet
5.0|field-past-end|MQTT-3.1.4-1|3203000261||a topic name that continues after the packet
3.1|protocol-name|3.1|100d00044d5154580302003c000161||another protocol name
3.1.1|protocol-name|MQTT-3.1.2-1|100d00044d5154580302003c000161||another protocol name
5.0|protocol-name|MQTT-3.1.2-1|100e00044d5154580302003c00000161||another protocol name
3.1.1|protocol-mqtt-3-1|MQTT-3.1.2-1|100f00064d51497364700302003c000161|20020001|protocol name MQIsdp, which is MQTT 3.1
5.0|protocol-mqtt-3-1|MQTT-3.1.2-1|101000064d51497364700302003c00000161|20020001|protocol name MQIsdp, which is MQTT 3.1
3.1|protocol-bridge-level|3.1|100d00044d5154548402003c000161|2003008400|the protocol level of a bridge, 0x83 or 0x84
3.1.1|protocol-bridge-level|MQTT-3.1.2-2|100d00044d5154548402003c000161|2003008400|the protocol level of a bridge, 0x83 or 0x84
5.0|protocol-bridge-level|MQTT-3.1.2-2|100e00044d5154548402003c00000161|2003008400|the protocol level of a bridge, 0x83 or 0x84
3.1|protocol-level|3.1|100d00044d5154540002003c000161|20020001|a protocol level that does not exist
3.1.1|protocol-level|MQTT-3.1.2-2|100d00044d5154540002003c000161|20020001|a protocol level that does not exist
5.0|protocol-level|MQTT-3.1.2-2|100e00044d5154540002003c00000161|20020001|a protocol level that does not exist
3.1|protocol-level|3.1|100f00064d51497364700002003c000161|20020001|a protocol level that MQIsdp does not have
3.1|field-past-end|3.1|100400044d51||a field that continues after the packet: protocolName
3.1.1|field-past-end|MQTT-3.1.4-1|100400044d51||a field that continues after the packet: protocolName
5.0|field-past-end|MQTT-3.1.4-1|100400044d51||a field that continues after the packet: protocolName
3.1.1|field-past-end|MQTT-3.1.4-1|100600044d515454||a field that continues after the packet: protocolLevel
5.0|field-past-end|MQTT-3.1.4-1|100600044d515454||a field that continues after the packet: protocolLevel
3.1|field-past-end|3.1|100800064d5149736470||a field that continues after the packet: protocolLevel
3.1|field-past-end|3.1|100900064d514973647003||a field that continues after the packet: connectFlags
3.1.1|field-past-end|MQTT-3.1.4-1|100700044d51545404||a field that continues after the packet: connectFlags
5.0|field-past-end|MQTT-3.1.4-1|100700044d51545405|2003008100|a field that continues after the packet: connectFlags
3.1|field-past-end|3.1|100a00064d51497364700302||a field that continues after the packet: keepAlive
3.1.1|field-past-end|MQTT-3.1.4-1|100800044d5154540402||a field that continues after the packet: keepAlive
5.0|field-past-end|MQTT-3.1.4-1|100800044d5154540502|2003008100|a field that continues after the packet: keepAlive
5.0|field-past-end|MQTT-3.1.4-1|100a00044d5154540502003c|2003008100|a field that continues after the packet: propertyLength
3.1|field-past-end|3.1|100c00064d51497364700302003c||a field that continues after the packet: clientId
3.1.1|field-past-end|MQTT-3.1.4-1|100a00044d5154540402003c||a field that continues after the packet: clientId
5.0|field-past-end|MQTT-3.1.4-1|100b00044d5154540502003c00|2003008100|a field that continues after the packet: clientId
5.0|field-past-end|MQTT-3.1.4-1|100e00044d5154540506003c00000161|2003008100|a field that continues after the packet: will.propertyLength
5.0|field-past-end|MQTT-3.1.4-1|100e00044d5154540502003c04000161|2003008100|a property list that continues after the packet: propertyLength
5.0|field-past-end|MQTT-3.1.4-1|100f00044d5154540506003c0000016101|2003008100|a property list that continues after the packet: will.propertyLength
3.1|field-past-end|3.1|100f00064d51497364700306003c000161||a field that continues after the packet: will.topic
3.1.1|field-past-end|MQTT-3.1.4-1|100d00044d5154540406003c000161||a field that continues after the packet: will.topic
5.0|field-past-end|MQTT-3.1.4-1|100f00044d5154540506003c0000016100|2003008100|a field that continues after the packet: will.topic
3.1|field-past-end|3.1|101200064d51497364700306003c000161000161||a field that continues after the packet: will.message
3.1.1|field-past-end|MQTT-3.1.4-1|101000044d5154540406003c000161000161||a field that continues after the packet: will.message
5.0|field-past-end|MQTT-3.1.4-1|101200044d5154540506003c0000016100000161|2003008100|a field that continues after the packet: will.message
3.1|field-past-end|3.1|101100064d51497364700382003c0001610001||a field that continues after the packet: userName
3.1.1|field-past-end|MQTT-3.1.4-1|100f00044d5154540482003c0001610001||a field that continues after the packet: userName
5.0|field-past-end|MQTT-3.1.4-1|101000044d5154540582003c000001610001|2003008100|a field that continues after the packet: userName
3.1|field-past-end|3.1|101500064d514973647003c2003c000161000161000270||a field that continues after the packet: password
3.1.1|field-past-end|MQTT-3.1.4-1|101300044d51545404c2003c000161000161000270||a field that continues after the packet: password
5.0|field-past-end|MQTT-3.1.4-1|101400044d51545405c2003c00000161000161000270|2003008100|a field that continues after the packet: password
3.1|bytes-left-over|3.1|101000064d51497364700302003c00016100||bytes after the last field
3.1.1|bytes-left-over|MQTT-3.1.4-1|100e00044d5154540402003c00016100||bytes after the last field
5.0|bytes-left-over|MQTT-3.1.4-1|100f00044d5154540502003c0000016100|2003008100|bytes after the last field
3.1.1|connect-flags-reserved|MQTT-3.1.2-3|100d00044d5154540403003c000161||bit 0 of the connect flags
5.0|connect-flags-reserved|MQTT-3.1.2-3|100e00044d5154540503003c00000161|2003008100|bit 0 of the connect flags
3.1.1|will-qos-without-will|MQTT-3.1.2-13|100d00044d515454040a003c000161||will QoS 1, 2 or 3 without a will
5.0|will-qos-without-will|MQTT-3.1.2-11|100e00044d515454050a003c00000161|2003008100|will QoS 1, 2 or 3 without a will
3.1.1|will-retain-without-will|MQTT-3.1.2-15|100d00044d5154540422003c000161||will retain without a will
5.0|will-retain-without-will|MQTT-3.1.2-13|100e00044d5154540522003c00000161|2003008100|will retain without a will
3.1|will-qos|3.1|101500064d5149736470031e003c000161000161000161||will QoS 3
3.1.1|will-qos|MQTT-3.1.2-14|101300044d515454041e003c000161000161000161||will QoS 3
5.0|will-qos|MQTT-3.1.2-12|101500044d515454051e003c0000016100000161000161|2003008100|will QoS 3
3.1|password-without-user-name|3.1|101200064d51497364700342003c000161000161||a password without a user name
3.1.1|password-without-user-name|MQTT-3.1.2-22|101000044d5154540442003c000161000161||a password without a user name
3.1|client-id-empty|3.1|100e00064d51497364700300003c0000|20020002|an empty client id without clean session
3.1.1|client-id-empty|MQTT-3.1.3-8|100c00044d5154540400003c0000|20020002|an empty client id without clean session
3.1|client-id-empty|3.1|100e00064d51497364700302003c0000|20020002|an empty client id
3.1|client-id-too-long|3.1|102600064d51497364700302003c001861*24;|20020002|a client id of 24 characters
3.1|will-topic-empty|3.1|101400064d51497364700306003c0001610000000161||an empty will topic
3.1.1|will-topic-empty|MQTT-4.7.3-1|101200044d5154540406003c0001610000000161||an empty will topic
5.0|will-topic-empty|MQTT-4.7.3-1|101400044d5154540506003c00000161000000000161|2003009000|an empty will topic
3.1|will-topic-wildcard|3.1|101500064d51497364700306003c00016100012b000161||a will topic with a wildcard
3.1.1|will-topic-wildcard|MQTT-4.7.1-1|101300044d5154540406003c00016100012b000161||a will topic with a wildcard
5.0|will-topic-wildcard|MQTT-4.7.0-1|101500044d5154540506003c000001610000012b000161|2003009000|a will topic with a wildcard
5.0|property-not-allowed-here|2.2.2.2|101000044d5154540502003c020101000161|2003008100|a property that a CONNECT does not have: props.payloadFormatIndicator
5.0|property-not-allowed-here|2.2.2.2|101300044d5154540502003c0502ffffffff000161|2003008100|a property that a CONNECT does not have: props.messageExpiryInterval
5.0|property-not-allowed-here|2.2.2.2|101200044d5154540502003c0403000161000161|2003008100|a property that a CONNECT does not have: props.contentType
5.0|property-not-allowed-here|2.2.2.2|101200044d5154540502003c0408000161000161|2003008100|a property that a CONNECT does not have: props.responseTopic
5.0|property-not-allowed-here|2.2.2.2|101200044d5154540502003c0409000161000161|2003008100|a property that a CONNECT does not have: props.correlationData
5.0|property-not-allowed-here|2.2.2.2|101000044d5154540502003c020b01000161|2003008100|a property that a CONNECT does not have: props.subscriptionIdentifier
5.0|property-past-end|2.2.2.2|100f00044d5154540502003c0111000161|2003008100|a property of a CONNECT that continues after its list: props.sessionExpiryInterval
5.0|property-twice|3.1.2.11|101800044d5154540502003c0a11ffffffff11ffffffff000161|2003008200|a property twice in a CONNECT: props.sessionExpiryInterval
5.0|property-not-allowed-here|2.2.2.2|101200044d5154540502003c0412000161000161|2003008100|a property that a CONNECT does not have: props.assignedClientIdentifier
5.0|property-not-allowed-here|2.2.2.2|101100044d5154540502003c0313ffff000161|2003008100|a property that a CONNECT does not have: props.serverKeepAlive
5.0|property-past-end|2.2.2.2|100f00044d5154540502003c0115000161|2003008100|a property of a CONNECT that continues after its list: props.authenticationMethod
5.0|property-twice|3.1.2.11|101600044d5154540502003c081500016115000161000161|2003008200|a property twice in a CONNECT: props.authenticationMethod
5.0|property-past-end|2.2.2.2|100f00044d5154540502003c0116000161|2003008100|a property of a CONNECT that continues after its list: props.authenticationData
5.0|property-twice|3.1.2.11|101600044d5154540502003c081600016116000161000161|2003008200|a property twice in a CONNECT: props.authenticationData
5.0|property-past-end|2.2.2.2|100f00044d5154540502003c0117000161|2003008100|a property of a CONNECT that continues after its list: props.requestProblemInformation
5.0|property-twice|3.1.2.11|101200044d5154540502003c0417011701000161|2003008200|a property twice in a CONNECT: props.requestProblemInformation
5.0|property-not-allowed-here|2.2.2.2|101300044d5154540502003c0518ffffffff000161|2003008100|a property that a CONNECT does not have: props.willDelayInterval
5.0|property-past-end|2.2.2.2|100f00044d5154540502003c0119000161|2003008100|a property of a CONNECT that continues after its list: props.requestResponseInformation
5.0|property-twice|3.1.2.11|101200044d5154540502003c0419011901000161|2003008200|a property twice in a CONNECT: props.requestResponseInformation
5.0|property-not-allowed-here|2.2.2.2|101200044d5154540502003c041a000161000161|2003008100|a property that a CONNECT does not have: props.responseInformation
5.0|property-not-allowed-here|2.2.2.2|101200044d5154540502003c041c000161000161|2003008100|a property that a CONNECT does not have: props.serverReference
5.0|property-not-allowed-here|2.2.2.2|101200044d5154540502003c041f000161000161|2003008100|a property that a CONNECT does not have: props.reasonString
5.0|property-past-end|2.2.2.2|100f00044d5154540502003c0121000161|2003008100|a property of a CONNECT that continues after its list: props.receiveMaximum
5.0|property-twice|3.1.2.11|101400044d5154540502003c0621ffff21ffff000161|2003008200|a property twice in a CONNECT: props.receiveMaximum
5.0|property-past-end|2.2.2.2|100f00044d5154540502003c0122000161|2003008100|a property of a CONNECT that continues after its list: props.topicAliasMaximum
5.0|property-twice|3.1.2.11|101400044d5154540502003c0622ffff22ffff000161|2003008200|a property twice in a CONNECT: props.topicAliasMaximum
5.0|property-not-allowed-here|2.2.2.2|101100044d5154540502003c0323ffff000161|2003008100|a property that a CONNECT does not have: props.topicAlias
5.0|property-not-allowed-here|2.2.2.2|101000044d5154540502003c022401000161|2003008100|a property that a CONNECT does not have: props.maximumQos
5.0|property-not-allowed-here|2.2.2.2|101000044d5154540502003c022501000161|2003008100|a property that a CONNECT does not have: props.retainAvailable
5.0|property-past-end|2.2.2.2|100f00044d5154540502003c0126000161|2003008100|a property of a CONNECT that continues after its list: props.userProperty
5.0|property-past-end|2.2.2.2|100f00044d5154540502003c0127000161|2003008100|a property of a CONNECT that continues after its list: props.maximumPacketSize
5.0|property-twice|3.1.2.11|101800044d5154540502003c0a27ffffffff27ffffffff000161|2003008200|a property twice in a CONNECT: props.maximumPacketSize
5.0|property-not-allowed-here|2.2.2.2|101000044d5154540502003c022801000161|2003008100|a property that a CONNECT does not have: props.wildcardSubscriptionAvailable
5.0|property-not-allowed-here|2.2.2.2|101000044d5154540502003c022901000161|2003008100|a property that a CONNECT does not have: props.subscriptionIdentifierAvailable
5.0|property-not-allowed-here|2.2.2.2|101000044d5154540502003c022a01000161|2003008100|a property that a CONNECT does not have: props.sharedSubscriptionAvailable
5.0|property-past-end|2.2.2.2|101600044d5154540506003c000001610101000161000161|2003008100|a property of a will that continues after its list: will.props.payloadFormatIndicator
5.0|will-property-twice|3.1.3.2|101900044d5154540506003c000001610401010101000161000161|2003008200|a property twice in a will: will.props.payloadFormatIndicator
5.0|property-past-end|2.2.2.2|101600044d5154540506003c000001610102000161000161|2003008100|a property of a will that continues after its list: will.props.messageExpiryInterval
5.0|will-property-twice|3.1.3.2|101f00044d5154540506003c000001610a02ffffffff02ffffffff000161000161|2003008200|a property twice in a will: will.props.messageExpiryInterval
5.0|property-past-end|2.2.2.2|101600044d5154540506003c000001610103000161000161|2003008100|a property of a will that continues after its list: will.props.contentType
5.0|will-property-twice|3.1.3.2|101d00044d5154540506003c00000161080300016103000161000161000161|2003008200|a property twice in a will: will.props.contentType
5.0|property-past-end|2.2.2.2|101600044d5154540506003c000001610108000161000161|2003008100|a property of a will that continues after its list: will.props.responseTopic
5.0|will-property-twice|3.1.3.2|101d00044d5154540506003c00000161080800016108000161000161000161|2003008200|a property twice in a will: will.props.responseTopic
5.0|property-past-end|2.2.2.2|101600044d5154540506003c000001610109000161000161|2003008100|a property of a will that continues after its list: will.props.correlationData
5.0|will-property-twice|3.1.3.2|101d00044d5154540506003c00000161080900016109000161000161000161|2003008200|a property twice in a will: will.props.correlationData
5.0|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161020b01000161000161|2003008100|a property that a will does not have: will.props.subscriptionIdentifier
5.0|property-not-allowed-here|2.2.2.2|101a00044d5154540506003c000001610511ffffffff000161000161|2003008100|a property that a will does not have: will.props.sessionExpiryInterval
5.0|property-not-allowed-here|2.2.2.2|101900044d5154540506003c000001610412000161000161000161|2003008100|a property that a will does not have: will.props.assignedClientIdentifier
5.0|property-not-allowed-here|2.2.2.2|101800044d5154540506003c000001610313ffff000161000161|2003008100|a property that a will does not have: will.props.serverKeepAlive
5.0|property-not-allowed-here|2.2.2.2|101900044d5154540506003c000001610415000161000161000161|2003008100|a property that a will does not have: will.props.authenticationMethod
5.0|property-not-allowed-here|2.2.2.2|101900044d5154540506003c000001610416000161000161000161|2003008100|a property that a will does not have: will.props.authenticationData
5.0|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161021701000161000161|2003008100|a property that a will does not have: will.props.requestProblemInformation
5.0|property-past-end|2.2.2.2|101600044d5154540506003c000001610118000161000161|2003008100|a property of a will that continues after its list: will.props.willDelayInterval
5.0|will-property-twice|3.1.3.2|101f00044d5154540506003c000001610a18ffffffff18ffffffff000161000161|2003008200|a property twice in a will: will.props.willDelayInterval
5.0|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161021901000161000161|2003008100|a property that a will does not have: will.props.requestResponseInformation
5.0|property-not-allowed-here|2.2.2.2|101900044d5154540506003c00000161041a000161000161000161|2003008100|a property that a will does not have: will.props.responseInformation
5.0|property-not-allowed-here|2.2.2.2|101900044d5154540506003c00000161041c000161000161000161|2003008100|a property that a will does not have: will.props.serverReference
5.0|property-not-allowed-here|2.2.2.2|101900044d5154540506003c00000161041f000161000161000161|2003008100|a property that a will does not have: will.props.reasonString
5.0|property-not-allowed-here|2.2.2.2|101800044d5154540506003c000001610321ffff000161000161|2003008100|a property that a will does not have: will.props.receiveMaximum
5.0|property-not-allowed-here|2.2.2.2|101800044d5154540506003c000001610322ffff000161000161|2003008100|a property that a will does not have: will.props.topicAliasMaximum
5.0|property-not-allowed-here|2.2.2.2|101800044d5154540506003c000001610323ffff000161000161|2003008100|a property that a will does not have: will.props.topicAlias
5.0|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161022401000161000161|2003008100|a property that a will does not have: will.props.maximumQos
5.0|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161022501000161000161|2003008100|a property that a will does not have: will.props.retainAvailable
5.0|property-past-end|2.2.2.2|101600044d5154540506003c000001610126000161000161|2003008100|a property of a will that continues after its list: will.props.userProperty
5.0|property-not-allowed-here|2.2.2.2|101a00044d5154540506003c000001610527ffffffff000161000161|2003008100|a property that a will does not have: will.props.maximumPacketSize
5.0|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161022801000161000161|2003008100|a property that a will does not have: will.props.wildcardSubscriptionAvailable
5.0|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161022901000161000161|2003008100|a property that a will does not have: will.props.subscriptionIdentifierAvailable
5.0|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161022a01000161000161|2003008100|a property that a will does not have: will.props.sharedSubscriptionAvailable
5.0|receive-maximum-zero|3.1.2.11.3|101100044d5154540502003c03210000000161|2003008200|receive maximum 0
5.0|maximum-packet-size-zero|3.1.2.11.4|101300044d5154540502003c052700000000000161|2003008200|maximum packet size 0
5.0|request-response-information|3.1.2.11.6|101000044d5154540502003c021902000161|2003008200|request response information other than 0 and 1
5.0|request-problem-information|3.1.2.11.7|101000044d5154540502003c021702000161|2003008200|request problem information other than 0 and 1
5.0|payload-format-indicator|3.1.3.2.3|101700044d5154540506003c00000161020102000161000161|2003008100|payload format indicator other than 0 and 1
5.0|authentication-data-without-method|3.1.2.11.10|101200044d5154540502003c0416000161000161|2003008200|authentication data without a method
5.0|response-topic-empty|MQTT-3.3.2-14|101800044d5154540506003c0000016103080000000161000161|2003008200|an empty response topic
5.0|response-topic-wildcard|MQTT-3.3.2-14|101900044d5154540506003c00000161040800012b000161000161|2003008200|a response topic with a wildcard
5.0|property-unknown|2.2.2.2|101000044d5154540502003c020000000161|2003008100|an unknown property identifier: props
5.0|property-past-end|2.2.2.2|100f00044d5154540502003c0191000161|2003008100|a property of a CONNECT that continues after its list: props
5.0|variable-byte-integer-too-long|1.5.5|101400044d5154540502003c06ffffffff7f00000161|2003008100|a property identifier of five bytes: props
5.0|property-unknown|2.2.2.2|101700044d5154540506003c00000161020000000161000161|2003008100|an unknown property identifier: will.props
5.0|property-past-end|2.2.2.2|101600044d5154540506003c000001610191000161000161|2003008100|a property of a will that continues after its list: will.props
5.0|variable-byte-integer-too-long|1.5.5|101b00044d5154540506003c0000016106ffffffff7f00000161000161|2003008100|a property identifier of five bytes: will.props
5.0|variable-byte-integer-not-shortest|MQTT-1.5.5-1|101400044d5154540502003c06910000000001000161|2003008100|a property identifier or length of more bytes than needed: props.sessionExpiryInterval
5.0|variable-byte-integer-not-shortest|MQTT-1.5.5-1|101800044d5154540506003c0000016103810001000161000161|2003008100|a property identifier or length of more bytes than needed: will.props.payloadFormatIndicator
5.0|variable-byte-integer-not-shortest|MQTT-1.5.5-1|100f00044d5154540502003c8000000161|2003008100|a property identifier or length of more bytes than needed: propertyLength
5.0|variable-byte-integer-not-shortest|MQTT-1.5.5-1|101700044d5154540506003c00000161808000000161000161|2003008100|a property identifier or length of more bytes than needed: will.propertyLength
5.0|variable-byte-integer-too-long|1.5.5|101200044d5154540502003c8080808001000161|2003008100|a property length of five bytes: propertyLength
5.0|variable-byte-integer-too-long|1.5.5|101900044d5154540506003c00000161ffffffff7f000161000161|2003008100|a property length of five bytes: will.propertyLength
3.1|client-id-not-utf8|3.1|101100064d51497364700302003c0003eda080||a client id that is not well-formed UTF-8
3.1.1|client-id-not-utf8|MQTT-1.5.3-1|100f00044d5154540402003c0003eda080||a client id that is not well-formed UTF-8
5.0|client-id-not-utf8|MQTT-1.5.4-1|101000044d5154540502003c000003eda080|2003008500|a client id that is not well-formed UTF-8
3.1|client-id-nul|3.1|100f00064d51497364700302003c000100||a client id with U+0000
3.1.1|client-id-nul|MQTT-1.5.3-2|100d00044d5154540402003c000100||a client id with U+0000
5.0|client-id-nul|MQTT-1.5.4-2|100e00044d5154540502003c00000100|2003008500|a client id with U+0000
3.1|will-topic-not-utf8|3.1|101700064d51497364700306003c0001610003eda080000161||a will topic that is not well-formed UTF-8
3.1.1|will-topic-not-utf8|MQTT-3.1.3-10|101500044d5154540406003c0001610003eda080000161||a will topic that is not well-formed UTF-8
5.0|will-topic-not-utf8|MQTT-3.1.3-11|101700044d5154540506003c00000161000003eda080000161|2003009000|a will topic that is not well-formed UTF-8
3.1|will-topic-nul|3.1|101500064d51497364700306003c000161000100000161||a will topic with U+0000
3.1.1|will-topic-nul|MQTT-3.1.3-10|101300044d5154540406003c000161000100000161||a will topic with U+0000
5.0|will-topic-nul|MQTT-3.1.3-11|101500044d5154540506003c0000016100000100000161|2003009000|a will topic with U+0000
3.1|user-name-not-utf8|3.1|101400064d51497364700382003c0001610003eda080||a user name that is not well-formed UTF-8
3.1.1|user-name-not-utf8|MQTT-3.1.3-11|101200044d5154540482003c0001610003eda080||a user name that is not well-formed UTF-8
5.0|user-name-not-utf8|MQTT-3.1.3-12|101300044d5154540582003c000001610003eda080|2003008600|a user name that is not well-formed UTF-8
3.1|user-name-nul|3.1|101200064d51497364700382003c000161000100||a user name with U+0000
3.1.1|user-name-nul|MQTT-3.1.3-11|101000044d5154540482003c000161000100||a user name with U+0000
5.0|user-name-nul|MQTT-3.1.3-12|101100044d5154540582003c00000161000100|2003008600|a user name with U+0000
5.0|property-not-utf8|MQTT-1.5.4-1|101400044d5154540502003c06150003eda080000161|2003008100|a property that is not well-formed UTF-8: props.authenticationMethod
5.0|property-nul|MQTT-1.5.4-2|101200044d5154540502003c0415000100000161|2003008100|a property with U+0000: props.authenticationMethod
5.0|property-not-utf8|MQTT-1.5.4-1|101b00044d5154540506003c0000016106030003eda080000161000161|2003008100|a property that is not well-formed UTF-8: will.props.contentType
5.0|property-nul|MQTT-1.5.4-2|101900044d5154540506003c000001610403000100000161000161|2003008100|a property with U+0000: will.props.contentType
5.0|property-not-utf8|MQTT-1.5.4-1|101b00044d5154540506003c0000016106080003eda080000161000161|2003008100|a property that is not well-formed UTF-8: will.props.responseTopic
5.0|property-nul|MQTT-1.5.4-2|101900044d5154540506003c000001610408000100000161000161|2003008100|a property with U+0000: will.props.responseTopic
5.0|user-property-not-utf8|MQTT-1.5.7-1|101700044d5154540502003c09260003eda080000161000161|2003008100|a user property that is not well-formed UTF-8: props.userProperty
5.0|user-property-nul|MQTT-1.5.7-1|101500044d5154540502003c0726000100000161000161|2003008100|a user property with U+0000: props.userProperty
5.0|user-property-not-utf8|MQTT-1.5.7-1|101e00044d5154540506003c0000016109260003eda080000161000161000161|2003008100|a user property that is not well-formed UTF-8: will.props.userProperty
5.0|user-property-nul|MQTT-1.5.7-1|101c00044d5154540506003c000001610726000100000161000161000161|2003008100|a user property with U+0000: will.props.userProperty
`
