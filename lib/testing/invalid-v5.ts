/** Who sends it, code, clause, bytes, answer, name, options. `npm run docs` writes this file. */
export const invalid_v5: string = `
client|reserved-packet-type|2.1.2|0000||control packet type 0
client|reserved-packet-type|2.1.2|0f00||control packet type 0 (2)
client|fixed-header-flags|MQTT-2.1.3-1|110e00044d5154540502003c00000161||a CONNECT whose fixed header flags are not 0000
client|fixed-header-flags|MQTT-2.1.3-1|120e00044d5154540502003c00000161||a CONNECT whose fixed header flags are not 0000 (2)
client|fixed-header-flags|MQTT-2.1.3-1|140e00044d5154540502003c00000161||a CONNECT whose fixed header flags are not 0000 (3)
client|fixed-header-flags|MQTT-2.1.3-1|180e00044d5154540502003c00000161||a CONNECT whose fixed header flags are not 0000 (4)
client|fixed-header-flags|MQTT-2.1.3-1|1f0e00044d5154540502003c00000161||a CONNECT whose fixed header flags are not 0000 (5)
server|fixed-header-flags|MQTT-2.1.3-1|2103000000||a CONNACK whose fixed header flags are not 0000
server|fixed-header-flags|MQTT-2.1.3-1|2203000000||a CONNACK whose fixed header flags are not 0000 (2)
server|fixed-header-flags|MQTT-2.1.3-1|2403000000||a CONNACK whose fixed header flags are not 0000 (3)
server|fixed-header-flags|MQTT-2.1.3-1|2803000000||a CONNACK whose fixed header flags are not 0000 (4)
server|fixed-header-flags|MQTT-2.1.3-1|2f03000000||a CONNACK whose fixed header flags are not 0000 (5)
client|fixed-header-flags|MQTT-2.1.3-1|60020001||a PUBREL, SUBSCRIBE or UNSUBSCRIBE whose fixed header flags are not 0010
client|fixed-header-flags|MQTT-2.1.3-1|80020001||a PUBREL, SUBSCRIBE or UNSUBSCRIBE whose fixed header flags are not 0010 (2)
client|fixed-header-flags|MQTT-2.1.3-1|a3020001||a PUBREL, SUBSCRIBE or UNSUBSCRIBE whose fixed header flags are not 0010 (3)
client|fixed-header-flags|MQTT-2.1.3-1|42020001||another packet whose fixed header flags are not 0000
client|fixed-header-flags|MQTT-2.1.3-1|58020001||another packet whose fixed header flags are not 0000 (2)
client|fixed-header-flags|MQTT-2.1.3-1|71020001||another packet whose fixed header flags are not 0000 (3)
server|fixed-header-flags|MQTT-2.1.3-1|91020001||another packet whose fixed header flags are not 0000 (4)
server|fixed-header-flags|MQTT-2.1.3-1|b2020001||another packet whose fixed header flags are not 0000 (5)
client|fixed-header-flags|MQTT-2.1.3-1|c100||another packet whose fixed header flags are not 0000 (6)
server|fixed-header-flags|MQTT-2.1.3-1|d400||another packet whose fixed header flags are not 0000 (7)
client|fixed-header-flags|MQTT-3.14.1-1|e100||a DISCONNECT whose fixed header flags are not 0000
client|fixed-header-flags|MQTT-3.14.1-1|e200||a DISCONNECT whose fixed header flags are not 0000 (2)
client|fixed-header-flags|MQTT-3.14.1-1|e400||a DISCONNECT whose fixed header flags are not 0000 (3)
client|fixed-header-flags|MQTT-3.14.1-1|e800||a DISCONNECT whose fixed header flags are not 0000 (4)
client|fixed-header-flags|MQTT-3.14.1-1|ef00||a DISCONNECT whose fixed header flags are not 0000 (5)
client|fixed-header-flags|MQTT-3.15.1-1|f106180415000161||an AUTH whose fixed header flags are not 0000
client|fixed-header-flags|MQTT-3.15.1-1|f206180415000161||an AUTH whose fixed header flags are not 0000 (2)
client|fixed-header-flags|MQTT-3.15.1-1|f406180415000161||an AUTH whose fixed header flags are not 0000 (3)
client|fixed-header-flags|MQTT-3.15.1-1|f806180415000161||an AUTH whose fixed header flags are not 0000 (4)
client|fixed-header-flags|MQTT-3.15.1-1|ff06180415000161||an AUTH whose fixed header flags are not 0000 (5)
client|variable-byte-integer-too-long|1.5.5|10808080800100044d5154540502003c00000161||a Remaining Length of five bytes
server|variable-byte-integer-too-long|1.5.5|208080808001000000||a Remaining Length of five bytes in a CONNACK
client|variable-byte-integer-too-long|1.5.5|e08080808001||a Remaining Length of five bytes in a DISCONNECT
client|variable-byte-integer-too-long|1.5.5|10ffffffff7f00044d5154540502003c00000161||a Remaining Length of five bytes (2)
server|variable-byte-integer-too-long|1.5.5|20ffffffff7f000000||a Remaining Length of five bytes in a CONNACK (2)
client|variable-byte-integer-too-long|1.5.5|e0ffffffff7f||a Remaining Length of five bytes in a DISCONNECT (2)
client|variable-byte-integer-too-long|1.5.5|10808080800000044d5154540502003c00000161||a Remaining Length of five bytes (3)
server|variable-byte-integer-too-long|1.5.5|208080808000000000||a Remaining Length of five bytes in a CONNACK (3)
client|variable-byte-integer-too-long|1.5.5|e08080808000||a Remaining Length of five bytes in a DISCONNECT (3)
client|variable-byte-integer-too-long|1.5.5|10ffffffff00044d5154540502003c00000161||a Remaining Length of five bytes (4)
server|variable-byte-integer-too-long|1.5.5|20ffffffff000000||a Remaining Length of five bytes in a CONNACK (4)
client|variable-byte-integer-too-long|1.5.5|e0ffffffff||a Remaining Length of five bytes in a DISCONNECT (4)
client|variable-byte-integer-too-long|1.5.5|10ffffffffff00044d5154540502003c00000161||a Remaining Length of five bytes (5)
server|variable-byte-integer-too-long|1.5.5|20ffffffffff000000||a Remaining Length of five bytes in a CONNACK (5)
client|variable-byte-integer-too-long|1.5.5|e0ffffffffff||a Remaining Length of five bytes in a DISCONNECT (5)
client|packet-too-large|3.2.2.2|100f00044d5154540502003c0000016100||a packet larger than the maximum|{"maximumPacketSize":16}
client|packet-too-large|3.2.2.2|101000044d5154540502003c0000016100||a packet larger than the maximum (2)|{"maximumPacketSize":16}
client|packet-too-large|3.2.2.2|107f00044d5154540502003c00000161||a packet larger than the maximum (3)|{"maximumPacketSize":16}
client|packet-incomplete|MQTT-3.1.4-1|100f00044d5154540502003c||a packet that ends before its Remaining Length says
client|packet-incomplete|MQTT-3.1.4-1|100200||a packet that ends before its Remaining Length says (2)
client|packet-incomplete|MQTT-3.1.4-1|10ff||a packet that ends within its Remaining Length
client|packet-incomplete|MQTT-3.1.4-1|10||a packet that ends within its Remaining Length (2)
client|packet-incomplete|MQTT-3.1.4-1|||no bytes at all
client|more-than-one-packet|MQTT-3.1.4-1|10020000c000||more than one packet where one is decoded
client|more-than-one-packet|MQTT-3.1.4-1|c00000||more than one packet where one is decoded (2)
server|more-than-one-packet|MQTT-3.1.4-1|2002000020020000||more than one packet where a CONNACK is decoded
client|more-than-one-packet|MQTT-3.1.4-1|e000e000||more than one packet where a DISCONNECT is decoded
client|more-than-one-packet|MQTT-3.1.4-1|f00618041500016100||more than one packet where an AUTH is decoded
server|packet-incomplete|MQTT-3.1.4-1|200200||a CONNACK that ends before its Remaining Length says
client|packet-incomplete|MQTT-3.1.4-1|e0||a DISCONNECT that ends within its Remaining Length
client|packet-incomplete|MQTT-3.1.4-1|f005180415||an AUTH that ends before its Remaining Length says
client|variable-byte-integer-not-shortest|MQTT-1.5.5-1|108e0000044d5154540502003c00000161|2003008100|a Remaining Length of more bytes than needed
client|variable-byte-integer-not-shortest|MQTT-1.5.5-1|108e80800000044d5154540502003c00000161|2003008100|a Remaining Length of more bytes than needed (2)
server|variable-byte-integer-not-shortest|MQTT-1.5.5-1|208300000000||a Remaining Length of more bytes than needed in a CONNACK
client|variable-byte-integer-not-shortest|MQTT-1.5.5-1|e08000||a Remaining Length of more bytes than needed in a DISCONNECT
client|variable-byte-integer-not-shortest|MQTT-1.5.5-1|f08600180415000161||a Remaining Length of more bytes than needed in an AUTH
client|publish-qos|MQTT-3.3.1-4|36050001610001||a PUBLISH with QoS 3
client|publish-qos|MQTT-3.3.1-4|3f050001610001||a PUBLISH with QoS 3 (2)
client|publish-dup|MQTT-3.3.1-2|3803000161||a PUBLISH with DUP and QoS 0
client|publish-dup|MQTT-3.3.1-2|3903000161||a PUBLISH with DUP and QoS 0 (2)
client|packet-id-zero|MQTT-2.2.1-3|32050001610000||packet identifier 0
client|packet-id-zero|MQTT-2.2.1-3|40020000||packet identifier 0 (2)
client|packet-id-zero|MQTT-2.2.1-3|62020000||packet identifier 0 (3)
client|packet-id-zero|MQTT-2.2.1-3|8206000000016100||packet identifier 0 (4)
server|packet-id-zero|MQTT-2.2.1-3|9003000000||packet identifier 0 (5)
client|packet-id-zero|MQTT-2.2.1-3|a2050000000161||packet identifier 0 (6)
server|packet-id-zero|MQTT-2.2.1-3|b0020000||packet identifier 0 (7)
client|body-not-allowed|2.1.4|c00100||a PINGREQ with a body
server|body-not-allowed|2.1.4|d0020000||a PINGRESP with a body
client|field-past-end|MQTT-3.1.4-1|400100||a packet identifier that continues after the packet
client|field-past-end|MQTT-3.1.4-1|3203000161||a packet identifier that continues after the packet (2)
client|field-past-end|MQTT-3.1.4-1|3203000261||a topic name that continues after the packet
client|protocol-name|MQTT-3.1.2-1|100e00044d5154580502003c00000161||another protocol name
client|protocol-name|MQTT-3.1.2-1|100e00046d7174740502003c00000161||another protocol name (2)
client|protocol-name|MQTT-3.1.2-1|100c00024d510502003c00000161||another protocol name (3)
client|protocol-name|MQTT-3.1.2-1|100f00054d515454580502003c00000161||another protocol name (4)
client|protocol-name|MQTT-3.1.2-1|101000064d51495344500502003c00000161||another protocol name (5)
client|protocol-name|MQTT-3.1.2-1|100a00000502003c00000161||another protocol name (6)
client|protocol-name|MQTT-3.1.2-1|102a002078*32;0502003c00000161||another protocol name (7)
client|protocol-name|MQTT-3.1.2-1|102b002178*33;0502003c00000161||another protocol name (8)
client|protocol-mqtt-3-1|MQTT-3.1.2-1|101000064d51497364700302003c00000161|20020001|protocol name MQIsdp, which is MQTT 3.1
client|protocol-mqtt-3-1|MQTT-3.1.2-1|101000064d51497364700402003c00000161|20020001|protocol name MQIsdp, which is MQTT 3.1 (2)
client|protocol-mqtt-3-1|MQTT-3.1.2-1|101000064d51497364700502003c00000161|20020001|protocol name MQIsdp, which is MQTT 3.1 (3)
client|protocol-mqtt-3-1|MQTT-3.1.2-1|101000064d51497364708402003c00000161|20020001|protocol name MQIsdp, which is MQTT 3.1 (4)
client|protocol-bridge-level|MQTT-3.1.2-2|100e00044d5154548402003c00000161|2003008400|the protocol level of a bridge, 0x83 or 0x84
client|protocol-bridge-level|MQTT-3.1.2-2|100e00044d5154548302003c00000161|2003008400|the protocol level of a bridge, 0x83 or 0x84 (2)
client|protocol-bridge-level|MQTT-3.1.2-2|101000064d51497364708302003c00000161|20020001|the protocol level of a bridge, 0x83 or 0x84 (3)
client|protocol-level|MQTT-3.1.2-2|100e00044d5154540002003c00000161|20020001|a protocol level that does not exist
client|protocol-level|MQTT-3.1.2-2|100e00044d5154540102003c00000161|20020001|a protocol level that does not exist (2)
client|protocol-level|MQTT-3.1.2-2|100e00044d5154540202003c00000161|20020001|a protocol level that does not exist (3)
client|protocol-level|MQTT-3.1.2-2|100e00044d5154540302003c00000161|20020001|a protocol level that does not exist (4)
client|protocol-level|MQTT-3.1.2-2|100e00044d5154540602003c00000161|2003008400|a protocol level that does not exist (5)
client|protocol-level|MQTT-3.1.2-2|100e00044d5154540702003c00000161|2003008400|a protocol level that does not exist (6)
client|protocol-level|MQTT-3.1.2-2|100e00044d5154547f02003c00000161|2003008400|a protocol level that does not exist (7)
client|protocol-level|MQTT-3.1.2-2|100e00044d5154548002003c00000161|2003008400|a protocol level that does not exist (8)
client|protocol-level|MQTT-3.1.2-2|100e00044d5154548202003c00000161|2003008400|a protocol level that does not exist (9)
client|protocol-level|MQTT-3.1.2-2|100e00044d5154548502003c00000161|2003008400|a protocol level that does not exist (10)
client|protocol-level|MQTT-3.1.2-2|100e00044d515454ff02003c00000161|2003008400|a protocol level that does not exist (11)
client|field-past-end|MQTT-3.1.4-1|100400044d51||a field that continues after the packet: protocolName
client|field-past-end|MQTT-3.1.4-1|100100||a field that continues after the packet: protocolName (2)
client|field-past-end|MQTT-3.1.4-1|1000||a field that continues after the packet: protocolName (3)
client|field-past-end|MQTT-3.1.4-1|100600044d515454||a field that continues after the packet: protocolLevel
client|field-past-end|MQTT-3.1.4-1|100700044d51545405|2003008100|a field that continues after the packet: connectFlags
client|field-past-end|MQTT-3.1.4-1|100800044d5154540502|2003008100|a field that continues after the packet: keepAlive
client|field-past-end|MQTT-3.1.4-1|100900044d515454050200|2003008100|a field that continues after the packet: keepAlive (2)
client|field-past-end|MQTT-3.1.4-1|100a00044d5154540502003c|2003008100|a field that continues after the packet: propertyLength
client|field-past-end|MQTT-3.1.4-1|100b00044d5154540502003c80|2003008100|a field that continues after the packet: propertyLength (2)
client|field-past-end|MQTT-3.1.4-1|100b00044d5154540502003c00|2003008100|a field that continues after the packet: clientId
client|field-past-end|MQTT-3.1.4-1|100c00044d5154540502003c0000|2003008100|a field that continues after the packet: clientId (2)
client|field-past-end|MQTT-3.1.4-1|100e00044d5154540502003c00000261|2003008100|a field that continues after the packet: clientId (3)
client|field-past-end|MQTT-3.1.4-1|100e00044d5154540506003c00000161|2003008100|a field that continues after the packet: will.propertyLength
client|field-past-end|MQTT-3.1.4-1|100f00044d5154540506003c00000161ff|2003008100|a field that continues after the packet: will.propertyLength (2)
client|field-past-end|MQTT-3.1.4-1|100e00044d5154540502003c04000161|2003008100|a property list that continues after the packet: propertyLength
client|field-past-end|MQTT-3.1.4-1|101100044d5154540502003c07210001000161|2003008100|a property list that continues after the packet: propertyLength (2)
client|field-past-end|MQTT-3.1.4-1|101100044d5154540502003cffffff7f000161|2003008100|a property list that continues after the packet: propertyLength (3)
client|field-past-end|MQTT-3.1.4-1|100f00044d5154540506003c0000016101|2003008100|a property list that continues after the packet: will.propertyLength
client|field-past-end|MQTT-3.1.4-1|101700044d5154540506003c00000161090101000161000161|2003008100|a property list that continues after the packet: will.propertyLength (2)
client|field-past-end|MQTT-3.1.4-1|101700044d5154540506003c00000161808001000161000161|2003008100|a property list that continues after the packet: will.propertyLength (3)
client|field-past-end|MQTT-3.1.4-1|100f00044d5154540506003c0000016100|2003008100|a field that continues after the packet: will.topic
client|field-past-end|MQTT-3.1.4-1|101200044d5154540506003c0000016100000274|2003008100|a field that continues after the packet: will.topic (2)
client|field-past-end|MQTT-3.1.4-1|101200044d5154540506003c0000016100000161|2003008100|a field that continues after the packet: will.message
client|field-past-end|MQTT-3.1.4-1|101400044d5154540506003c00000161000001610001|2003008100|a field that continues after the packet: will.message (2)
client|field-past-end|MQTT-3.1.4-1|101000044d5154540582003c000001610001|2003008100|a field that continues after the packet: userName
client|field-past-end|MQTT-3.1.4-1|101100044d5154540582003c00000161ffff61|2003008100|a field that continues after the packet: userName (2)
client|field-past-end|MQTT-3.1.4-1|100f00044d51545405c2003c0000016100|2003008100|a field that continues after the packet: userName (3)
client|field-past-end|MQTT-3.1.4-1|100e00044d5154540582003c00000161|2003008100|a field that continues after the packet: userName (4)
client|field-past-end|MQTT-3.1.4-1|100e00044d51545405c2003c00000161|2003008100|a field that continues after the packet: userName (5)
client|field-past-end|MQTT-3.1.4-1|101400044d51545405c2003c00000161000161000270|2003008100|a field that continues after the packet: password
client|field-past-end|MQTT-3.1.4-1|101200044d51545405c2003c0000016100016100|2003008100|a field that continues after the packet: password (2)
client|field-past-end|MQTT-3.1.4-1|101100044d51545405c2003c00000161000161|2003008100|a field that continues after the packet: password (3)
client|field-past-end|MQTT-3.1.4-1|100e00044d5154540542003c00000161|2003008100|a field that continues after the packet: password (4)
client|field-past-end|MQTT-3.1.4-1|101000044d5154540542003c000001610001|2003008100|a field that continues after the packet: password (5)
client|bytes-left-over|MQTT-3.1.4-1|100f00044d5154540502003c0000016100|2003008100|bytes after the last field
client|bytes-left-over|MQTT-3.1.4-1|101100044d5154540502003c00000161000161|2003008100|bytes after the last field (2)
client|bytes-left-over|MQTT-3.1.4-1|101500044d51545405c2003c0000016100016100016100|2003008100|bytes after the last field (3)
client|bytes-left-over|MQTT-3.1.4-1|101400044d5154540582003c00000161000161000161|2003008100|bytes after the last field (4)
server|field-past-end|3.2.1|2000||a CONNACK that ends before its last field: acknowledgeFlags
server|field-past-end|3.2.1|200100||a CONNACK that ends before its last field: reasonCode
server|field-past-end|3.2.1|20020000||a CONNACK that ends before its last field: propertyLength
server|field-past-end|3.2.1|2006000004210001||a property list that continues after the packet in a CONNACK
server|field-past-end|3.2.1|2003000080||a CONNACK that ends before its last field: propertyLength (2)
server|bytes-left-over|3.2.1|200400000000||a CONNACK with bytes after its last field
server|bytes-left-over|3.2.1|2006000000000161||a CONNACK with bytes after its last field (2)
client|connect-flags-reserved|MQTT-3.1.2-3|100e00044d5154540503003c00000161|2003008100|bit 0 of the connect flags
client|will-qos-without-will|MQTT-3.1.2-11|100e00044d515454050a003c00000161|2003008100|will QoS 1, 2 or 3 without a will
client|will-qos-without-will|MQTT-3.1.2-11|100e00044d5154540512003c00000161|2003008100|will QoS 1, 2 or 3 without a will (2)
client|will-qos-without-will|MQTT-3.1.2-11|100e00044d515454051a003c00000161|2003008100|will QoS 1, 2 or 3 without a will (3)
client|will-retain-without-will|MQTT-3.1.2-13|100e00044d5154540522003c00000161|2003008100|will retain without a will
client|will-qos|MQTT-3.1.2-12|101500044d515454051e003c0000016100000161000161|2003008100|will QoS 3
client|will-qos|MQTT-3.1.2-12|101500044d515454053e003c0000016100000161000161|2003008100|will QoS 3 (2)
client|will-topic-empty|MQTT-4.7.3-1|101400044d5154540506003c00000161000000000161|2003009000|an empty will topic
client|will-topic-wildcard|MQTT-4.7.0-1|101500044d5154540506003c000001610000012b000161|2003009000|a will topic with a wildcard
client|will-topic-wildcard|MQTT-4.7.0-1|101500044d5154540506003c0000016100000123000161|2003009000|a will topic with a wildcard (2)
client|will-topic-wildcard|MQTT-4.7.0-1|101900044d5154540506003c00000161000005612f2b2f62000161|2003009000|a will topic with a wildcard (3)
client|will-topic-wildcard|MQTT-4.7.0-1|101700044d5154540506003c00000161000003612f23000161|2003009000|a will topic with a wildcard (4)
client|will-topic-wildcard|MQTT-4.7.0-1|101700044d5154540506003c00000161000003c3a92b000161|2003009000|a will topic with a wildcard (5)
server|acknowledge-flags-reserved|MQTT-3.2.2-1|2003020000||one of bits 7 to 1 of the acknowledge flags in a CONNACK
server|acknowledge-flags-reserved|MQTT-3.2.2-1|2003040000||one of bits 7 to 1 of the acknowledge flags in a CONNACK (2)
server|acknowledge-flags-reserved|MQTT-3.2.2-1|2003400000||one of bits 7 to 1 of the acknowledge flags in a CONNACK (3)
server|acknowledge-flags-reserved|MQTT-3.2.2-1|2003800000||one of bits 7 to 1 of the acknowledge flags in a CONNACK (4)
server|acknowledge-flags-reserved|MQTT-3.2.2-1|2003fe0000||one of bits 7 to 1 of the acknowledge flags in a CONNACK (5)
server|acknowledge-flags-reserved|MQTT-3.2.2-1|2003ff0000||one of bits 7 to 1 of the acknowledge flags in a CONNACK (6)
server|connack-code|MQTT-3.2.2-8|2003000100||a reason code that CONNACK does not have
server|connack-code|MQTT-3.2.2-8|2003000500||a reason code that CONNACK does not have (2)
server|connack-code|MQTT-3.2.2-8|2003001800||a reason code that CONNACK does not have (3)
server|connack-code|MQTT-3.2.2-8|2003007f00||a reason code that CONNACK does not have (4)
server|connack-code|MQTT-3.2.2-8|2003008b00||a reason code that CONNACK does not have (5)
server|connack-code|MQTT-3.2.2-8|2003008d00||a reason code that CONNACK does not have (6)
server|connack-code|MQTT-3.2.2-8|2003008e00||a reason code that CONNACK does not have (7)
server|connack-code|MQTT-3.2.2-8|2003008f00||a reason code that CONNACK does not have (8)
server|connack-code|MQTT-3.2.2-8|2003009100||a reason code that CONNACK does not have (9)
server|connack-code|MQTT-3.2.2-8|2003009400||a reason code that CONNACK does not have (10)
server|connack-code|MQTT-3.2.2-8|2003009600||a reason code that CONNACK does not have (11)
server|connack-code|MQTT-3.2.2-8|2003009800||a reason code that CONNACK does not have (12)
server|connack-code|MQTT-3.2.2-8|2003009e00||a reason code that CONNACK does not have (13)
server|connack-code|MQTT-3.2.2-8|200300a000||a reason code that CONNACK does not have (14)
server|connack-code|MQTT-3.2.2-8|200300a200||a reason code that CONNACK does not have (15)
server|connack-code|MQTT-3.2.2-8|200300ff00||a reason code that CONNACK does not have (16)
server|session-present-with-error|MQTT-3.2.2-6|2003018000||session present with an error in a CONNACK
server|session-present-with-error|MQTT-3.2.2-6|2003019f00||session present with an error in a CONNACK (2)
client|property-not-allowed-here|2.2.2.2|101000044d5154540502003c020101000161|2003008100|a property that a CONNECT does not have: props.payloadFormatIndicator
client|property-not-allowed-here|2.2.2.2|101300044d5154540502003c0502ffffffff000161|2003008100|a property that a CONNECT does not have: props.messageExpiryInterval
client|property-not-allowed-here|2.2.2.2|101200044d5154540502003c0403000161000161|2003008100|a property that a CONNECT does not have: props.contentType
client|property-not-allowed-here|2.2.2.2|101200044d5154540502003c0408000161000161|2003008100|a property that a CONNECT does not have: props.responseTopic
client|property-not-allowed-here|2.2.2.2|101200044d5154540502003c0409000161000161|2003008100|a property that a CONNECT does not have: props.correlationData
client|property-not-allowed-here|2.2.2.2|101000044d5154540502003c020b01000161|2003008100|a property that a CONNECT does not have: props.subscriptionIdentifier
client|property-past-end|2.2.2.2|100f00044d5154540502003c0111000161|2003008100|a property of a CONNECT that continues after its list: props.sessionExpiryInterval
client|property-twice|3.1.2.11|101800044d5154540502003c0a11ffffffff11ffffffff000161|2003008200|a property twice in a CONNECT: props.sessionExpiryInterval
client|property-not-allowed-here|2.2.2.2|101200044d5154540502003c0412000161000161|2003008100|a property that a CONNECT does not have: props.assignedClientIdentifier
client|property-not-allowed-here|2.2.2.2|101100044d5154540502003c0313ffff000161|2003008100|a property that a CONNECT does not have: props.serverKeepAlive
client|property-past-end|2.2.2.2|100f00044d5154540502003c0115000161|2003008100|a property of a CONNECT that continues after its list: props.authenticationMethod
client|property-twice|3.1.2.11|101600044d5154540502003c081500016115000161000161|2003008200|a property twice in a CONNECT: props.authenticationMethod
client|property-past-end|2.2.2.2|100f00044d5154540502003c0116000161|2003008100|a property of a CONNECT that continues after its list: props.authenticationData
client|property-twice|3.1.2.11|101600044d5154540502003c081600016116000161000161|2003008200|a property twice in a CONNECT: props.authenticationData
client|property-past-end|2.2.2.2|100f00044d5154540502003c0117000161|2003008100|a property of a CONNECT that continues after its list: props.requestProblemInformation
client|property-twice|3.1.2.11|101200044d5154540502003c0417011701000161|2003008200|a property twice in a CONNECT: props.requestProblemInformation
client|property-not-allowed-here|2.2.2.2|101300044d5154540502003c0518ffffffff000161|2003008100|a property that a CONNECT does not have: props.willDelayInterval
client|property-past-end|2.2.2.2|100f00044d5154540502003c0119000161|2003008100|a property of a CONNECT that continues after its list: props.requestResponseInformation
client|property-twice|3.1.2.11|101200044d5154540502003c0419011901000161|2003008200|a property twice in a CONNECT: props.requestResponseInformation
client|property-not-allowed-here|2.2.2.2|101200044d5154540502003c041a000161000161|2003008100|a property that a CONNECT does not have: props.responseInformation
client|property-not-allowed-here|2.2.2.2|101200044d5154540502003c041c000161000161|2003008100|a property that a CONNECT does not have: props.serverReference
client|property-not-allowed-here|2.2.2.2|101200044d5154540502003c041f000161000161|2003008100|a property that a CONNECT does not have: props.reasonString
client|property-past-end|2.2.2.2|100f00044d5154540502003c0121000161|2003008100|a property of a CONNECT that continues after its list: props.receiveMaximum
client|property-twice|3.1.2.11|101400044d5154540502003c0621ffff21ffff000161|2003008200|a property twice in a CONNECT: props.receiveMaximum
client|property-past-end|2.2.2.2|100f00044d5154540502003c0122000161|2003008100|a property of a CONNECT that continues after its list: props.topicAliasMaximum
client|property-twice|3.1.2.11|101400044d5154540502003c0622ffff22ffff000161|2003008200|a property twice in a CONNECT: props.topicAliasMaximum
client|property-not-allowed-here|2.2.2.2|101100044d5154540502003c0323ffff000161|2003008100|a property that a CONNECT does not have: props.topicAlias
client|property-not-allowed-here|2.2.2.2|101000044d5154540502003c022401000161|2003008100|a property that a CONNECT does not have: props.maximumQos
client|property-not-allowed-here|2.2.2.2|101000044d5154540502003c022501000161|2003008100|a property that a CONNECT does not have: props.retainAvailable
client|property-past-end|2.2.2.2|100f00044d5154540502003c0126000161|2003008100|a property of a CONNECT that continues after its list: props.userProperty
client|property-past-end|2.2.2.2|100f00044d5154540502003c0127000161|2003008100|a property of a CONNECT that continues after its list: props.maximumPacketSize
client|property-twice|3.1.2.11|101800044d5154540502003c0a27ffffffff27ffffffff000161|2003008200|a property twice in a CONNECT: props.maximumPacketSize
client|property-not-allowed-here|2.2.2.2|101000044d5154540502003c022801000161|2003008100|a property that a CONNECT does not have: props.wildcardSubscriptionAvailable
client|property-not-allowed-here|2.2.2.2|101000044d5154540502003c022901000161|2003008100|a property that a CONNECT does not have: props.subscriptionIdentifierAvailable
client|property-not-allowed-here|2.2.2.2|101000044d5154540502003c022a01000161|2003008100|a property that a CONNECT does not have: props.sharedSubscriptionAvailable
client|property-past-end|2.2.2.2|101600044d5154540506003c000001610101000161000161|2003008100|a property of a will that continues after its list: will.props.payloadFormatIndicator
client|will-property-twice|3.1.3.2|101900044d5154540506003c000001610401010101000161000161|2003008200|a property twice in a will: will.props.payloadFormatIndicator
client|property-past-end|2.2.2.2|101600044d5154540506003c000001610102000161000161|2003008100|a property of a will that continues after its list: will.props.messageExpiryInterval
client|will-property-twice|3.1.3.2|101f00044d5154540506003c000001610a02ffffffff02ffffffff000161000161|2003008200|a property twice in a will: will.props.messageExpiryInterval
client|property-past-end|2.2.2.2|101600044d5154540506003c000001610103000161000161|2003008100|a property of a will that continues after its list: will.props.contentType
client|will-property-twice|3.1.3.2|101d00044d5154540506003c00000161080300016103000161000161000161|2003008200|a property twice in a will: will.props.contentType
client|property-past-end|2.2.2.2|101600044d5154540506003c000001610108000161000161|2003008100|a property of a will that continues after its list: will.props.responseTopic
client|will-property-twice|3.1.3.2|101d00044d5154540506003c00000161080800016108000161000161000161|2003008200|a property twice in a will: will.props.responseTopic
client|property-past-end|2.2.2.2|101600044d5154540506003c000001610109000161000161|2003008100|a property of a will that continues after its list: will.props.correlationData
client|will-property-twice|3.1.3.2|101d00044d5154540506003c00000161080900016109000161000161000161|2003008200|a property twice in a will: will.props.correlationData
client|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161020b01000161000161|2003008100|a property that a will does not have: will.props.subscriptionIdentifier
client|property-not-allowed-here|2.2.2.2|101a00044d5154540506003c000001610511ffffffff000161000161|2003008100|a property that a will does not have: will.props.sessionExpiryInterval
client|property-not-allowed-here|2.2.2.2|101900044d5154540506003c000001610412000161000161000161|2003008100|a property that a will does not have: will.props.assignedClientIdentifier
client|property-not-allowed-here|2.2.2.2|101800044d5154540506003c000001610313ffff000161000161|2003008100|a property that a will does not have: will.props.serverKeepAlive
client|property-not-allowed-here|2.2.2.2|101900044d5154540506003c000001610415000161000161000161|2003008100|a property that a will does not have: will.props.authenticationMethod
client|property-not-allowed-here|2.2.2.2|101900044d5154540506003c000001610416000161000161000161|2003008100|a property that a will does not have: will.props.authenticationData
client|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161021701000161000161|2003008100|a property that a will does not have: will.props.requestProblemInformation
client|property-past-end|2.2.2.2|101600044d5154540506003c000001610118000161000161|2003008100|a property of a will that continues after its list: will.props.willDelayInterval
client|will-property-twice|3.1.3.2|101f00044d5154540506003c000001610a18ffffffff18ffffffff000161000161|2003008200|a property twice in a will: will.props.willDelayInterval
client|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161021901000161000161|2003008100|a property that a will does not have: will.props.requestResponseInformation
client|property-not-allowed-here|2.2.2.2|101900044d5154540506003c00000161041a000161000161000161|2003008100|a property that a will does not have: will.props.responseInformation
client|property-not-allowed-here|2.2.2.2|101900044d5154540506003c00000161041c000161000161000161|2003008100|a property that a will does not have: will.props.serverReference
client|property-not-allowed-here|2.2.2.2|101900044d5154540506003c00000161041f000161000161000161|2003008100|a property that a will does not have: will.props.reasonString
client|property-not-allowed-here|2.2.2.2|101800044d5154540506003c000001610321ffff000161000161|2003008100|a property that a will does not have: will.props.receiveMaximum
client|property-not-allowed-here|2.2.2.2|101800044d5154540506003c000001610322ffff000161000161|2003008100|a property that a will does not have: will.props.topicAliasMaximum
client|property-not-allowed-here|2.2.2.2|101800044d5154540506003c000001610323ffff000161000161|2003008100|a property that a will does not have: will.props.topicAlias
client|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161022401000161000161|2003008100|a property that a will does not have: will.props.maximumQos
client|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161022501000161000161|2003008100|a property that a will does not have: will.props.retainAvailable
client|property-past-end|2.2.2.2|101600044d5154540506003c000001610126000161000161|2003008100|a property of a will that continues after its list: will.props.userProperty
client|property-not-allowed-here|2.2.2.2|101a00044d5154540506003c000001610527ffffffff000161000161|2003008100|a property that a will does not have: will.props.maximumPacketSize
client|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161022801000161000161|2003008100|a property that a will does not have: will.props.wildcardSubscriptionAvailable
client|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161022901000161000161|2003008100|a property that a will does not have: will.props.subscriptionIdentifierAvailable
client|property-not-allowed-here|2.2.2.2|101700044d5154540506003c00000161022a01000161000161|2003008100|a property that a will does not have: will.props.sharedSubscriptionAvailable
server|property-not-allowed-here|3.2.2.3|20050000020101||a property that a CONNACK does not have: props.payloadFormatIndicator
server|property-not-allowed-here|3.2.2.3|200800000502ffffffff||a property that a CONNACK does not have: props.messageExpiryInterval
server|property-not-allowed-here|3.2.2.3|200700000403000161||a property that a CONNACK does not have: props.contentType
server|property-not-allowed-here|3.2.2.3|200700000408000161||a property that a CONNACK does not have: props.responseTopic
server|property-not-allowed-here|3.2.2.3|200700000409000161||a property that a CONNACK does not have: props.correlationData
server|property-not-allowed-here|3.2.2.3|20050000020b01||a property that a CONNACK does not have: props.subscriptionIdentifier
server|property-past-end|3.2.2.3|200400000111||a property of a CONNACK that continues after its list: props.sessionExpiryInterval
server|property-twice|3.2.2.3|200d00000a11ffffffff11ffffffff||a property twice in a CONNACK: props.sessionExpiryInterval
server|property-past-end|3.2.2.3|200400000112||a property of a CONNACK that continues after its list: props.assignedClientIdentifier
server|property-twice|3.2.2.3|200b0000081200016112000161||a property twice in a CONNACK: props.assignedClientIdentifier
server|property-past-end|3.2.2.3|200400000113||a property of a CONNACK that continues after its list: props.serverKeepAlive
server|property-twice|3.2.2.3|200900000613ffff13ffff||a property twice in a CONNACK: props.serverKeepAlive
server|property-past-end|3.2.2.3|200400000115||a property of a CONNACK that continues after its list: props.authenticationMethod
server|property-twice|3.2.2.3|200b0000081500016115000161||a property twice in a CONNACK: props.authenticationMethod
server|property-past-end|3.2.2.3|200400000116||a property of a CONNACK that continues after its list: props.authenticationData
server|property-twice|3.2.2.3|200b0000081600016116000161||a property twice in a CONNACK: props.authenticationData
server|property-not-allowed-here|3.2.2.3|20050000021701||a property that a CONNACK does not have: props.requestProblemInformation
server|property-not-allowed-here|3.2.2.3|200800000518ffffffff||a property that a CONNACK does not have: props.willDelayInterval
server|property-not-allowed-here|3.2.2.3|20050000021901||a property that a CONNACK does not have: props.requestResponseInformation
server|property-past-end|3.2.2.3|20040000011a||a property of a CONNACK that continues after its list: props.responseInformation
server|property-twice|3.2.2.3|200b0000081a0001611a000161||a property twice in a CONNACK: props.responseInformation
server|property-past-end|3.2.2.3|20040000011c||a property of a CONNACK that continues after its list: props.serverReference
server|property-twice|3.2.2.3|200b0000081c0001611c000161||a property twice in a CONNACK: props.serverReference
server|property-past-end|3.2.2.3|20040000011f||a property of a CONNACK that continues after its list: props.reasonString
server|property-twice|3.2.2.3|200b0000081f0001611f000161||a property twice in a CONNACK: props.reasonString
server|property-past-end|3.2.2.3|200400000121||a property of a CONNACK that continues after its list: props.receiveMaximum
server|property-twice|3.2.2.3|200900000621ffff21ffff||a property twice in a CONNACK: props.receiveMaximum
server|property-past-end|3.2.2.3|200400000122||a property of a CONNACK that continues after its list: props.topicAliasMaximum
server|property-twice|3.2.2.3|200900000622ffff22ffff||a property twice in a CONNACK: props.topicAliasMaximum
server|property-not-allowed-here|3.2.2.3|200600000323ffff||a property that a CONNACK does not have: props.topicAlias
server|property-past-end|3.2.2.3|200400000124||a property of a CONNACK that continues after its list: props.maximumQos
server|property-twice|3.2.2.3|200700000424012401||a property twice in a CONNACK: props.maximumQos
server|property-past-end|3.2.2.3|200400000125||a property of a CONNACK that continues after its list: props.retainAvailable
server|property-twice|3.2.2.3|200700000425012501||a property twice in a CONNACK: props.retainAvailable
server|property-past-end|3.2.2.3|200400000126||a property of a CONNACK that continues after its list: props.userProperty
server|property-past-end|3.2.2.3|200400000127||a property of a CONNACK that continues after its list: props.maximumPacketSize
server|property-twice|3.2.2.3|200d00000a27ffffffff27ffffffff||a property twice in a CONNACK: props.maximumPacketSize
server|property-past-end|3.2.2.3|200400000128||a property of a CONNACK that continues after its list: props.wildcardSubscriptionAvailable
server|property-twice|3.2.2.3|200700000428012801||a property twice in a CONNACK: props.wildcardSubscriptionAvailable
server|property-past-end|3.2.2.3|200400000129||a property of a CONNACK that continues after its list: props.subscriptionIdentifierAvailable
server|property-twice|3.2.2.3|200700000429012901||a property twice in a CONNACK: props.subscriptionIdentifierAvailable
server|property-past-end|3.2.2.3|20040000012a||a property of a CONNACK that continues after its list: props.sharedSubscriptionAvailable
server|property-twice|3.2.2.3|20070000042a012a01||a property twice in a CONNACK: props.sharedSubscriptionAvailable
client|property-not-allowed-here|3.14.2.2|e00400020101||a property that a DISCONNECT does not have: props.payloadFormatIndicator
client|property-not-allowed-here|3.14.2.2|e007000502ffffffff||a property that a DISCONNECT does not have: props.messageExpiryInterval
client|property-not-allowed-here|3.14.2.2|e006000403000161||a property that a DISCONNECT does not have: props.contentType
client|property-not-allowed-here|3.14.2.2|e006000408000161||a property that a DISCONNECT does not have: props.responseTopic
client|property-not-allowed-here|3.14.2.2|e006000409000161||a property that a DISCONNECT does not have: props.correlationData
client|property-not-allowed-here|3.14.2.2|e00400020b01||a property that a DISCONNECT does not have: props.subscriptionIdentifier
client|property-past-end|3.14.2.2|e003000111||a property of a DISCONNECT that continues after its list: props.sessionExpiryInterval
client|property-twice|3.14.2.2|e00c000a11ffffffff11ffffffff||a property twice in a DISCONNECT: props.sessionExpiryInterval
client|property-not-allowed-here|3.14.2.2|e006000412000161||a property that a DISCONNECT does not have: props.assignedClientIdentifier
client|property-not-allowed-here|3.14.2.2|e005000313ffff||a property that a DISCONNECT does not have: props.serverKeepAlive
client|property-not-allowed-here|3.14.2.2|e006000415000161||a property that a DISCONNECT does not have: props.authenticationMethod
client|property-not-allowed-here|3.14.2.2|e006000416000161||a property that a DISCONNECT does not have: props.authenticationData
client|property-not-allowed-here|3.14.2.2|e00400021701||a property that a DISCONNECT does not have: props.requestProblemInformation
client|property-not-allowed-here|3.14.2.2|e007000518ffffffff||a property that a DISCONNECT does not have: props.willDelayInterval
client|property-not-allowed-here|3.14.2.2|e00400021901||a property that a DISCONNECT does not have: props.requestResponseInformation
client|property-not-allowed-here|3.14.2.2|e00600041a000161||a property that a DISCONNECT does not have: props.responseInformation
server|property-past-end|3.14.2.2|e00300011c||a property of a DISCONNECT that continues after its list: props.serverReference
server|property-twice|3.14.2.2|e00a00081c0001611c000161||a property twice in a DISCONNECT: props.serverReference
client|property-past-end|3.14.2.2|e00300011f||a property of a DISCONNECT that continues after its list: props.reasonString
client|property-twice|3.14.2.2|e00a00081f0001611f000161||a property twice in a DISCONNECT: props.reasonString
client|property-not-allowed-here|3.14.2.2|e005000321ffff||a property that a DISCONNECT does not have: props.receiveMaximum
client|property-not-allowed-here|3.14.2.2|e005000322ffff||a property that a DISCONNECT does not have: props.topicAliasMaximum
client|property-not-allowed-here|3.14.2.2|e005000323ffff||a property that a DISCONNECT does not have: props.topicAlias
client|property-not-allowed-here|3.14.2.2|e00400022401||a property that a DISCONNECT does not have: props.maximumQos
client|property-not-allowed-here|3.14.2.2|e00400022501||a property that a DISCONNECT does not have: props.retainAvailable
client|property-past-end|3.14.2.2|e003000126||a property of a DISCONNECT that continues after its list: props.userProperty
client|property-not-allowed-here|3.14.2.2|e007000527ffffffff||a property that a DISCONNECT does not have: props.maximumPacketSize
client|property-not-allowed-here|3.14.2.2|e00400022801||a property that a DISCONNECT does not have: props.wildcardSubscriptionAvailable
client|property-not-allowed-here|3.14.2.2|e00400022901||a property that a DISCONNECT does not have: props.subscriptionIdentifierAvailable
client|property-not-allowed-here|3.14.2.2|e00400022a01||a property that a DISCONNECT does not have: props.sharedSubscriptionAvailable
client|property-not-allowed-here|3.15.2.2|f00418020101||a property that an AUTH does not have: props.payloadFormatIndicator
client|property-not-allowed-here|3.15.2.2|f007180502ffffffff||a property that an AUTH does not have: props.messageExpiryInterval
client|property-not-allowed-here|3.15.2.2|f006180403000161||a property that an AUTH does not have: props.contentType
client|property-not-allowed-here|3.15.2.2|f006180408000161||a property that an AUTH does not have: props.responseTopic
client|property-not-allowed-here|3.15.2.2|f006180409000161||a property that an AUTH does not have: props.correlationData
client|property-not-allowed-here|3.15.2.2|f00418020b01||a property that an AUTH does not have: props.subscriptionIdentifier
client|property-not-allowed-here|3.15.2.2|f007180511ffffffff||a property that an AUTH does not have: props.sessionExpiryInterval
client|property-not-allowed-here|3.15.2.2|f006180412000161||a property that an AUTH does not have: props.assignedClientIdentifier
client|property-not-allowed-here|3.15.2.2|f005180313ffff||a property that an AUTH does not have: props.serverKeepAlive
client|property-past-end|3.15.2.2|f003180115||a property of an AUTH that continues after its list: props.authenticationMethod
client|property-twice|3.15.2.2|f00a18081500016115000161||a property twice in an AUTH: props.authenticationMethod
client|property-past-end|3.15.2.2|f003180116||a property of an AUTH that continues after its list: props.authenticationData
client|property-twice|3.15.2.2|f00a18081600016116000161||a property twice in an AUTH: props.authenticationData
client|property-not-allowed-here|3.15.2.2|f00418021701||a property that an AUTH does not have: props.requestProblemInformation
client|property-not-allowed-here|3.15.2.2|f007180518ffffffff||a property that an AUTH does not have: props.willDelayInterval
client|property-not-allowed-here|3.15.2.2|f00418021901||a property that an AUTH does not have: props.requestResponseInformation
client|property-not-allowed-here|3.15.2.2|f00618041a000161||a property that an AUTH does not have: props.responseInformation
client|property-not-allowed-here|3.15.2.2|f00618041c000161||a property that an AUTH does not have: props.serverReference
client|property-past-end|3.15.2.2|f00318011f||a property of an AUTH that continues after its list: props.reasonString
client|property-twice|3.15.2.2|f00a18081f0001611f000161||a property twice in an AUTH: props.reasonString
client|property-not-allowed-here|3.15.2.2|f005180321ffff||a property that an AUTH does not have: props.receiveMaximum
client|property-not-allowed-here|3.15.2.2|f005180322ffff||a property that an AUTH does not have: props.topicAliasMaximum
client|property-not-allowed-here|3.15.2.2|f005180323ffff||a property that an AUTH does not have: props.topicAlias
client|property-not-allowed-here|3.15.2.2|f00418022401||a property that an AUTH does not have: props.maximumQos
client|property-not-allowed-here|3.15.2.2|f00418022501||a property that an AUTH does not have: props.retainAvailable
client|property-past-end|3.15.2.2|f003180126||a property of an AUTH that continues after its list: props.userProperty
client|property-not-allowed-here|3.15.2.2|f007180527ffffffff||a property that an AUTH does not have: props.maximumPacketSize
client|property-not-allowed-here|3.15.2.2|f00418022801||a property that an AUTH does not have: props.wildcardSubscriptionAvailable
client|property-not-allowed-here|3.15.2.2|f00418022901||a property that an AUTH does not have: props.subscriptionIdentifierAvailable
client|property-not-allowed-here|3.15.2.2|f00418022a01||a property that an AUTH does not have: props.sharedSubscriptionAvailable
client|receive-maximum-zero|3.1.2.11.3|101100044d5154540502003c03210000000161|2003008200|receive maximum 0
server|receive-maximum-zero|3.2.2.3.3|2006000003210000||receive maximum 0 in a CONNACK
client|maximum-packet-size-zero|3.1.2.11.4|101300044d5154540502003c052700000000000161|2003008200|maximum packet size 0
server|maximum-packet-size-zero|3.2.2.3.6|20080000052700000000||maximum packet size 0 in a CONNACK
client|request-response-information|3.1.2.11.6|101000044d5154540502003c021902000161|2003008200|request response information other than 0 and 1
client|request-response-information|3.1.2.11.6|101000044d5154540502003c021980000161|2003008200|request response information other than 0 and 1 (2)
client|request-response-information|3.1.2.11.6|101000044d5154540502003c0219ff000161|2003008200|request response information other than 0 and 1 (3)
client|request-problem-information|3.1.2.11.7|101000044d5154540502003c021702000161|2003008200|request problem information other than 0 and 1
client|request-problem-information|3.1.2.11.7|101000044d5154540502003c021780000161|2003008200|request problem information other than 0 and 1 (2)
client|request-problem-information|3.1.2.11.7|101000044d5154540502003c0217ff000161|2003008200|request problem information other than 0 and 1 (3)
client|payload-format-indicator|3.1.3.2.3|101700044d5154540506003c00000161020102000161000161|2003008100|payload format indicator other than 0 and 1
client|payload-format-indicator|3.1.3.2.3|101700044d5154540506003c00000161020180000161000161|2003008100|payload format indicator other than 0 and 1 (2)
client|payload-format-indicator|3.1.3.2.3|101700044d5154540506003c000001610201ff000161000161|2003008100|payload format indicator other than 0 and 1 (3)
server|maximum-qos|3.2.2.3.4|20050000022402||maximum qos other than 0 and 1 in a CONNACK
server|maximum-qos|3.2.2.3.4|20050000022480||maximum qos other than 0 and 1 in a CONNACK (2)
server|maximum-qos|3.2.2.3.4|200500000224ff||maximum qos other than 0 and 1 in a CONNACK (3)
server|retain-available|3.2.2.3.5|20050000022502||retain available other than 0 and 1 in a CONNACK
server|retain-available|3.2.2.3.5|20050000022580||retain available other than 0 and 1 in a CONNACK (2)
server|retain-available|3.2.2.3.5|200500000225ff||retain available other than 0 and 1 in a CONNACK (3)
server|wildcard-subscription-available|3.2.2.3.11|20050000022802||wildcard subscription available other than 0 and 1 in a CONNACK
server|wildcard-subscription-available|3.2.2.3.11|20050000022880||wildcard subscription available other than 0 and 1 in a CONNACK (2)
server|wildcard-subscription-available|3.2.2.3.11|200500000228ff||wildcard subscription available other than 0 and 1 in a CONNACK (3)
server|subscription-identifier-available|3.2.2.3.12|20050000022902||subscription identifier available other than 0 and 1 in a CONNACK
server|subscription-identifier-available|3.2.2.3.12|20050000022980||subscription identifier available other than 0 and 1 in a CONNACK (2)
server|subscription-identifier-available|3.2.2.3.12|200500000229ff||subscription identifier available other than 0 and 1 in a CONNACK (3)
server|shared-subscription-available|3.2.2.3.13|20050000022a02||shared subscription available other than 0 and 1 in a CONNACK
server|shared-subscription-available|3.2.2.3.13|20050000022a80||shared subscription available other than 0 and 1 in a CONNACK (2)
server|shared-subscription-available|3.2.2.3.13|20050000022aff||shared subscription available other than 0 and 1 in a CONNACK (3)
client|authentication-data-without-method|3.1.2.11.10|101200044d5154540502003c0416000161000161|2003008200|authentication data without a method
client|authentication-data-without-method|3.1.2.11.10|101700044d5154540502003c09210001160000220001000161|2003008200|authentication data without a method (2)
server|authentication-data-without-method|4.12|200700000416000161||authentication data without a method in a CONNACK
server|authentication-data-without-method|4.12|200c000009210001160000220001||authentication data without a method in a CONNACK (2)
client|response-topic-empty|MQTT-3.3.2-14|101800044d5154540506003c0000016103080000000161000161|2003008200|an empty response topic
client|response-topic-wildcard|MQTT-3.3.2-14|101900044d5154540506003c00000161040800012b000161000161|2003008200|a response topic with a wildcard
client|response-topic-wildcard|MQTT-3.3.2-14|101b00044d5154540506003c0000016106080003612f23000161000161|2003008200|a response topic with a wildcard (2)
client|property-unknown|2.2.2.2|101000044d5154540502003c020000000161|2003008100|an unknown property identifier: props
client|property-past-end|2.2.2.2|100f00044d5154540502003c0191000161|2003008100|a property of a CONNECT that continues after its list: props
client|variable-byte-integer-too-long|1.5.5|101400044d5154540502003c06ffffffff7f00000161|2003008100|a property identifier of five bytes: props
client|variable-byte-integer-too-long|1.5.5|101300044d5154540502003c059180808000000161|2003008100|a property identifier of five bytes: props (2)
client|property-unknown|2.2.2.2|101700044d5154540506003c00000161020000000161000161|2003008100|an unknown property identifier: will.props
client|property-past-end|2.2.2.2|101600044d5154540506003c000001610191000161000161|2003008100|a property of a will that continues after its list: will.props
client|variable-byte-integer-too-long|1.5.5|101b00044d5154540506003c0000016106ffffffff7f00000161000161|2003008100|a property identifier of five bytes: will.props
client|variable-byte-integer-too-long|1.5.5|101a00044d5154540506003c00000161059180808000000161000161|2003008100|a property identifier of five bytes: will.props (2)
server|property-unknown|3.2.2.3|20050000020000||an unknown property identifier in a CONNACK
server|property-past-end|3.2.2.3|200400000191||a property of a CONNACK that continues after its list: props
server|variable-byte-integer-too-long|1.5.5|2009000006ffffffff7f00||a property identifier of five bytes in a CONNACK
server|variable-byte-integer-too-long|1.5.5|20080000059180808000||a property identifier of five bytes in a CONNACK (2)
client|property-unknown|3.14.2.2|e00400020000||an unknown property identifier in a DISCONNECT
client|property-past-end|3.14.2.2|e003000191||a property of a DISCONNECT that continues after its list: props
client|variable-byte-integer-too-long|1.5.5|e0080006ffffffff7f00||a property identifier of five bytes in a DISCONNECT
client|variable-byte-integer-too-long|1.5.5|e00700059180808000||a property identifier of five bytes in a DISCONNECT (2)
client|property-unknown|3.15.2.2|f00418020000||an unknown property identifier in an AUTH
client|property-past-end|3.15.2.2|f003180191||a property of an AUTH that continues after its list: props
client|variable-byte-integer-too-long|1.5.5|f0081806ffffffff7f00||a property identifier of five bytes in an AUTH
client|variable-byte-integer-too-long|1.5.5|f00718059180808000||a property identifier of five bytes in an AUTH (2)
client|variable-byte-integer-not-shortest|MQTT-1.5.5-1|101400044d5154540502003c06910000000001000161|2003008100|a property identifier or length of more bytes than needed: props.sessionExpiryInterval
client|variable-byte-integer-not-shortest|MQTT-1.5.5-1|101600044d5154540502003c089180800000000001000161|2003008100|a property identifier or length of more bytes than needed: props.sessionExpiryInterval (2)
client|variable-byte-integer-not-shortest|MQTT-1.5.5-1|101800044d5154540506003c0000016103810001000161000161|2003008100|a property identifier or length of more bytes than needed: will.props.payloadFormatIndicator
server|variable-byte-integer-not-shortest|MQTT-1.5.5-1|2006000003a40001||a property identifier or length of more bytes than needed in a CONNACK: props.maximumQos
client|variable-byte-integer-not-shortest|MQTT-1.5.5-1|e00700059f00000161||a property identifier or length of more bytes than needed in a DISCONNECT: props.reasonString
client|variable-byte-integer-not-shortest|MQTT-1.5.5-1|f00b1809150001619f00000161||a property identifier or length of more bytes than needed in an AUTH: props.reasonString
client|variable-byte-integer-not-shortest|MQTT-1.5.5-1|100f00044d5154540502003c8000000161|2003008100|a property identifier or length of more bytes than needed: propertyLength
server|variable-byte-integer-not-shortest|MQTT-1.5.5-1|20050000808000||a property identifier or length of more bytes than needed in a CONNACK: propertyLength
server|variable-byte-integer-not-shortest|MQTT-1.5.5-1|2006000082002401||a property identifier or length of more bytes than needed in a CONNACK: propertyLength (2)
client|variable-byte-integer-not-shortest|MQTT-1.5.5-1|e003008000||a property identifier or length of more bytes than needed in a DISCONNECT: propertyLength
client|variable-byte-integer-not-shortest|MQTT-1.5.5-1|f00718840015000161||a property identifier or length of more bytes than needed in an AUTH: propertyLength
client|variable-byte-integer-not-shortest|MQTT-1.5.5-1|101700044d5154540506003c00000161808000000161000161|2003008100|a property identifier or length of more bytes than needed: will.propertyLength
client|variable-byte-integer-too-long|1.5.5|101200044d5154540502003c8080808001000161|2003008100|a property length of five bytes: propertyLength
server|variable-byte-integer-too-long|1.5.5|20070000ffffffff7f||a property length of five bytes in a CONNACK
client|variable-byte-integer-too-long|1.5.5|e00600ffffffff7f||a property length of five bytes in a DISCONNECT
client|variable-byte-integer-too-long|1.5.5|f006188080808001||a property length of five bytes in an AUTH
client|variable-byte-integer-too-long|1.5.5|101900044d5154540506003c00000161ffffffff7f000161000161|2003008100|a property length of five bytes: will.propertyLength
client|client-id-not-utf8|MQTT-1.5.4-1|101000044d5154540502003c000003eda080|2003008500|a client id that is not well-formed UTF-8
client|client-id-not-utf8|MQTT-1.5.4-1|101200044d5154540502003c0000056f6bedbfbf|2003008500|a client id that is not well-formed UTF-8 (2)
client|client-id-not-utf8|MQTT-1.5.4-1|101500044d5154540502003c000008c3a9edb080eda080|2003008500|a client id that is not well-formed UTF-8 (3)
client|client-id-not-utf8|MQTT-1.5.4-1|101600044d5154540502003c000009e282aceda0bdedb880|2003008500|a client id that is not well-formed UTF-8 (4)
client|client-id-not-utf8|MQTT-1.5.4-1|100f00044d5154540502003c000002c080|2003008500|a client id that is not well-formed UTF-8 (5)
client|client-id-not-utf8|MQTT-1.5.4-1|101100044d5154540502003c0000046f6bc1bf|2003008500|a client id that is not well-formed UTF-8 (6)
client|client-id-not-utf8|MQTT-1.5.4-1|101200044d5154540502003c000005c3a9e080af|2003008500|a client id that is not well-formed UTF-8 (7)
client|client-id-not-utf8|MQTT-1.5.4-1|101300044d5154540502003c000006e282ace09fbf|2003008500|a client id that is not well-formed UTF-8 (8)
client|client-id-not-utf8|MQTT-1.5.4-1|101100044d5154540502003c000004f08fbfbf|2003008500|a client id that is not well-formed UTF-8 (9)
client|client-id-not-utf8|MQTT-1.5.4-1|101300044d5154540502003c0000066f6bf4908080|2003008500|a client id that is not well-formed UTF-8 (10)
client|client-id-not-utf8|MQTT-1.5.4-1|101300044d5154540502003c000006c3a9f5808080|2003008500|a client id that is not well-formed UTF-8 (11)
client|client-id-not-utf8|MQTT-1.5.4-1|101100044d5154540502003c000004e282ac80|2003008500|a client id that is not well-formed UTF-8 (12)
client|client-id-not-utf8|MQTT-1.5.4-1|100e00044d5154540502003c000001bf|2003008500|a client id that is not well-formed UTF-8 (13)
client|client-id-not-utf8|MQTT-1.5.4-1|101100044d5154540502003c0000046f6bfffe|2003008500|a client id that is not well-formed UTF-8 (14)
client|client-id-not-utf8|MQTT-1.5.4-1|101000044d5154540502003c000003c3a9e9|2003008500|a client id that is not well-formed UTF-8 (15)
client|client-id-not-utf8|MQTT-1.5.4-1|101100044d5154540502003c000004e282acc3|2003008500|a client id that is not well-formed UTF-8 (16)
client|client-id-not-utf8|MQTT-1.5.4-1|100f00044d5154540502003c000002e282|2003008500|a client id that is not well-formed UTF-8 (17)
client|client-id-not-utf8|MQTT-1.5.4-1|101200044d5154540502003c0000056f6bf09f98|2003008500|a client id that is not well-formed UTF-8 (18)
client|client-id-not-utf8|MQTT-1.5.4-1|101100044d5154540502003c000004c3a9c328|2003008500|a client id that is not well-formed UTF-8 (19)
client|client-id-not-utf8|MQTT-1.5.4-1|101300044d5154540502003c000006e282ace228a1|2003008500|a client id that is not well-formed UTF-8 (20)
client|client-id-not-utf8|MQTT-1.5.4-1|101000044d5154540502003c000003e28228|2003008500|a client id that is not well-formed UTF-8 (21)
client|client-id-not-utf8|MQTT-1.5.4-1|101300044d5154540502003c0000066f6bf0289f98|2003008500|a client id that is not well-formed UTF-8 (22)
client|client-id-not-utf8|MQTT-1.5.4-1|101300044d5154540502003c000006c3a9f09f2898|2003008500|a client id that is not well-formed UTF-8 (23)
client|client-id-not-utf8|MQTT-1.5.4-1|101400044d5154540502003c000007e282acf09f9828|2003008500|a client id that is not well-formed UTF-8 (24)
client|client-id-nul|MQTT-1.5.4-2|100e00044d5154540502003c00000100|2003008500|a client id with U+0000
client|client-id-nul|MQTT-1.5.4-2|100f00044d5154540502003c0000020061|2003008500|a client id with U+0000 (2)
client|client-id-nul|MQTT-1.5.4-2|100f00044d5154540502003c0000026100|2003008500|a client id with U+0000 (3)
client|client-id-nul|MQTT-1.5.4-2|101100044d5154540502003c000004c3a90062|2003008500|a client id with U+0000 (4)
client|will-topic-not-utf8|MQTT-3.1.3-11|101700044d5154540506003c00000161000003eda080000161|2003009000|a will topic that is not well-formed UTF-8
client|will-topic-not-utf8|MQTT-3.1.3-11|101900044d5154540506003c000001610000056f6bedbfbf000161|2003009000|a will topic that is not well-formed UTF-8 (2)
client|will-topic-not-utf8|MQTT-3.1.3-11|101c00044d5154540506003c00000161000008c3a9edb080eda080000161|2003009000|a will topic that is not well-formed UTF-8 (3)
client|will-topic-not-utf8|MQTT-3.1.3-11|101d00044d5154540506003c00000161000009e282aceda0bdedb880000161|2003009000|a will topic that is not well-formed UTF-8 (4)
client|will-topic-not-utf8|MQTT-3.1.3-11|101600044d5154540506003c00000161000002c080000161|2003009000|a will topic that is not well-formed UTF-8 (5)
client|will-topic-not-utf8|MQTT-3.1.3-11|101800044d5154540506003c000001610000046f6bc1bf000161|2003009000|a will topic that is not well-formed UTF-8 (6)
client|will-topic-not-utf8|MQTT-3.1.3-11|101900044d5154540506003c00000161000005c3a9e080af000161|2003009000|a will topic that is not well-formed UTF-8 (7)
client|will-topic-not-utf8|MQTT-3.1.3-11|101a00044d5154540506003c00000161000006e282ace09fbf000161|2003009000|a will topic that is not well-formed UTF-8 (8)
client|will-topic-not-utf8|MQTT-3.1.3-11|101800044d5154540506003c00000161000004f08fbfbf000161|2003009000|a will topic that is not well-formed UTF-8 (9)
client|will-topic-not-utf8|MQTT-3.1.3-11|101a00044d5154540506003c000001610000066f6bf4908080000161|2003009000|a will topic that is not well-formed UTF-8 (10)
client|will-topic-not-utf8|MQTT-3.1.3-11|101a00044d5154540506003c00000161000006c3a9f5808080000161|2003009000|a will topic that is not well-formed UTF-8 (11)
client|will-topic-not-utf8|MQTT-3.1.3-11|101800044d5154540506003c00000161000004e282ac80000161|2003009000|a will topic that is not well-formed UTF-8 (12)
client|will-topic-not-utf8|MQTT-3.1.3-11|101500044d5154540506003c00000161000001bf000161|2003009000|a will topic that is not well-formed UTF-8 (13)
client|will-topic-not-utf8|MQTT-3.1.3-11|101800044d5154540506003c000001610000046f6bfffe000161|2003009000|a will topic that is not well-formed UTF-8 (14)
client|will-topic-not-utf8|MQTT-3.1.3-11|101700044d5154540506003c00000161000003c3a9e9000161|2003009000|a will topic that is not well-formed UTF-8 (15)
client|will-topic-not-utf8|MQTT-3.1.3-11|101800044d5154540506003c00000161000004e282acc3000161|2003009000|a will topic that is not well-formed UTF-8 (16)
client|will-topic-not-utf8|MQTT-3.1.3-11|101600044d5154540506003c00000161000002e282000161|2003009000|a will topic that is not well-formed UTF-8 (17)
client|will-topic-not-utf8|MQTT-3.1.3-11|101900044d5154540506003c000001610000056f6bf09f98000161|2003009000|a will topic that is not well-formed UTF-8 (18)
client|will-topic-not-utf8|MQTT-3.1.3-11|101800044d5154540506003c00000161000004c3a9c328000161|2003009000|a will topic that is not well-formed UTF-8 (19)
client|will-topic-not-utf8|MQTT-3.1.3-11|101a00044d5154540506003c00000161000006e282ace228a1000161|2003009000|a will topic that is not well-formed UTF-8 (20)
client|will-topic-not-utf8|MQTT-3.1.3-11|101700044d5154540506003c00000161000003e28228000161|2003009000|a will topic that is not well-formed UTF-8 (21)
client|will-topic-not-utf8|MQTT-3.1.3-11|101a00044d5154540506003c000001610000066f6bf0289f98000161|2003009000|a will topic that is not well-formed UTF-8 (22)
client|will-topic-not-utf8|MQTT-3.1.3-11|101a00044d5154540506003c00000161000006c3a9f09f2898000161|2003009000|a will topic that is not well-formed UTF-8 (23)
client|will-topic-not-utf8|MQTT-3.1.3-11|101b00044d5154540506003c00000161000007e282acf09f9828000161|2003009000|a will topic that is not well-formed UTF-8 (24)
client|will-topic-nul|MQTT-3.1.3-11|101500044d5154540506003c0000016100000100000161|2003009000|a will topic with U+0000
client|will-topic-nul|MQTT-3.1.3-11|101600044d5154540506003c000001610000020061000161|2003009000|a will topic with U+0000 (2)
client|will-topic-nul|MQTT-3.1.3-11|101600044d5154540506003c000001610000026100000161|2003009000|a will topic with U+0000 (3)
client|will-topic-nul|MQTT-3.1.3-11|101800044d5154540506003c00000161000004c3a90062000161|2003009000|a will topic with U+0000 (4)
client|user-name-not-utf8|MQTT-3.1.3-12|101300044d5154540582003c000001610003eda080|2003008600|a user name that is not well-formed UTF-8
client|user-name-not-utf8|MQTT-3.1.3-12|101500044d5154540582003c0000016100056f6bedbfbf|2003008600|a user name that is not well-formed UTF-8 (2)
client|user-name-not-utf8|MQTT-3.1.3-12|101800044d5154540582003c000001610008c3a9edb080eda080|2003008600|a user name that is not well-formed UTF-8 (3)
client|user-name-not-utf8|MQTT-3.1.3-12|101900044d5154540582003c000001610009e282aceda0bdedb880|2003008600|a user name that is not well-formed UTF-8 (4)
client|user-name-not-utf8|MQTT-3.1.3-12|101200044d5154540582003c000001610002c080|2003008600|a user name that is not well-formed UTF-8 (5)
client|user-name-not-utf8|MQTT-3.1.3-12|101400044d5154540582003c0000016100046f6bc1bf|2003008600|a user name that is not well-formed UTF-8 (6)
client|user-name-not-utf8|MQTT-3.1.3-12|101500044d5154540582003c000001610005c3a9e080af|2003008600|a user name that is not well-formed UTF-8 (7)
client|user-name-not-utf8|MQTT-3.1.3-12|101600044d5154540582003c000001610006e282ace09fbf|2003008600|a user name that is not well-formed UTF-8 (8)
client|user-name-not-utf8|MQTT-3.1.3-12|101400044d5154540582003c000001610004f08fbfbf|2003008600|a user name that is not well-formed UTF-8 (9)
client|user-name-not-utf8|MQTT-3.1.3-12|101600044d5154540582003c0000016100066f6bf4908080|2003008600|a user name that is not well-formed UTF-8 (10)
client|user-name-not-utf8|MQTT-3.1.3-12|101600044d5154540582003c000001610006c3a9f5808080|2003008600|a user name that is not well-formed UTF-8 (11)
client|user-name-not-utf8|MQTT-3.1.3-12|101400044d5154540582003c000001610004e282ac80|2003008600|a user name that is not well-formed UTF-8 (12)
client|user-name-not-utf8|MQTT-3.1.3-12|101100044d5154540582003c000001610001bf|2003008600|a user name that is not well-formed UTF-8 (13)
client|user-name-not-utf8|MQTT-3.1.3-12|101400044d5154540582003c0000016100046f6bfffe|2003008600|a user name that is not well-formed UTF-8 (14)
client|user-name-not-utf8|MQTT-3.1.3-12|101300044d5154540582003c000001610003c3a9e9|2003008600|a user name that is not well-formed UTF-8 (15)
client|user-name-not-utf8|MQTT-3.1.3-12|101400044d5154540582003c000001610004e282acc3|2003008600|a user name that is not well-formed UTF-8 (16)
client|user-name-not-utf8|MQTT-3.1.3-12|101200044d5154540582003c000001610002e282|2003008600|a user name that is not well-formed UTF-8 (17)
client|user-name-not-utf8|MQTT-3.1.3-12|101500044d5154540582003c0000016100056f6bf09f98|2003008600|a user name that is not well-formed UTF-8 (18)
client|user-name-not-utf8|MQTT-3.1.3-12|101400044d5154540582003c000001610004c3a9c328|2003008600|a user name that is not well-formed UTF-8 (19)
client|user-name-not-utf8|MQTT-3.1.3-12|101600044d5154540582003c000001610006e282ace228a1|2003008600|a user name that is not well-formed UTF-8 (20)
client|user-name-not-utf8|MQTT-3.1.3-12|101300044d5154540582003c000001610003e28228|2003008600|a user name that is not well-formed UTF-8 (21)
client|user-name-not-utf8|MQTT-3.1.3-12|101600044d5154540582003c0000016100066f6bf0289f98|2003008600|a user name that is not well-formed UTF-8 (22)
client|user-name-not-utf8|MQTT-3.1.3-12|101600044d5154540582003c000001610006c3a9f09f2898|2003008600|a user name that is not well-formed UTF-8 (23)
client|user-name-not-utf8|MQTT-3.1.3-12|101700044d5154540582003c000001610007e282acf09f9828|2003008600|a user name that is not well-formed UTF-8 (24)
client|user-name-nul|MQTT-3.1.3-12|101100044d5154540582003c00000161000100|2003008600|a user name with U+0000
client|user-name-nul|MQTT-3.1.3-12|101200044d5154540582003c0000016100020061|2003008600|a user name with U+0000 (2)
client|user-name-nul|MQTT-3.1.3-12|101200044d5154540582003c0000016100026100|2003008600|a user name with U+0000 (3)
client|user-name-nul|MQTT-3.1.3-12|101400044d5154540582003c000001610004c3a90062|2003008600|a user name with U+0000 (4)
client|property-not-utf8|MQTT-1.5.4-1|101400044d5154540502003c06150003eda080000161|2003008100|a property that is not well-formed UTF-8: props.authenticationMethod
client|property-nul|MQTT-1.5.4-2|101200044d5154540502003c0415000100000161|2003008100|a property with U+0000: props.authenticationMethod
client|property-not-utf8|MQTT-1.5.4-1|101b00044d5154540506003c0000016106030003eda080000161000161|2003008100|a property that is not well-formed UTF-8: will.props.contentType
client|property-nul|MQTT-1.5.4-2|101900044d5154540506003c000001610403000100000161000161|2003008100|a property with U+0000: will.props.contentType
client|property-not-utf8|MQTT-1.5.4-1|101b00044d5154540506003c0000016106080003eda080000161000161|2003008100|a property that is not well-formed UTF-8: will.props.responseTopic
client|property-nul|MQTT-1.5.4-2|101900044d5154540506003c000001610408000100000161000161|2003008100|a property with U+0000: will.props.responseTopic
server|property-not-utf8|MQTT-1.5.4-1|2009000006120003eda080||a property that is not well-formed UTF-8 in a CONNACK: props.assignedClientIdentifier
server|property-nul|MQTT-1.5.4-2|200700000412000100||a property with U+0000 in a CONNACK: props.assignedClientIdentifier
server|property-not-utf8|MQTT-1.5.4-1|20090000061f0003eda080||a property that is not well-formed UTF-8 in a CONNACK: props.reasonString
server|property-nul|MQTT-1.5.4-2|20070000041f000100||a property with U+0000 in a CONNACK: props.reasonString
server|property-not-utf8|MQTT-1.5.4-1|20090000061a0003eda080||a property that is not well-formed UTF-8 in a CONNACK: props.responseInformation
server|property-nul|MQTT-1.5.4-2|20070000041a000100||a property with U+0000 in a CONNACK: props.responseInformation
server|property-not-utf8|MQTT-1.5.4-1|20090000061c0003eda080||a property that is not well-formed UTF-8 in a CONNACK: props.serverReference
server|property-nul|MQTT-1.5.4-2|20070000041c000100||a property with U+0000 in a CONNACK: props.serverReference
client|user-property-not-utf8|MQTT-1.5.7-1|101700044d5154540502003c09260003eda080000161000161|2003008100|a user property that is not well-formed UTF-8: props.userProperty
client|user-property-nul|MQTT-1.5.7-1|101500044d5154540502003c0726000100000161000161|2003008100|a user property with U+0000: props.userProperty
client|user-property-not-utf8|MQTT-1.5.7-1|101e00044d5154540506003c0000016109260003eda080000161000161000161|2003008100|a user property that is not well-formed UTF-8: will.props.userProperty
client|user-property-nul|MQTT-1.5.7-1|101c00044d5154540506003c000001610726000100000161000161000161|2003008100|a user property with U+0000: will.props.userProperty
client|field-past-end|3.14.2|e0020080||a DISCONNECT that ends within its property length
client|field-past-end|3.14.2|e00500041f0001||a property list that continues after a DISCONNECT
server|field-past-end|3.14.2|e0088bffffff7f1f0000||a property list that continues after a DISCONNECT (2)
client|bytes-left-over|3.14.2|e003000000||a DISCONNECT with bytes after its properties
client|bytes-left-over|3.14.2|e0058000000161||a DISCONNECT with bytes after its properties (2)
client|bytes-left-over|3.14.2|e00a00041f0001611f000161||a DISCONNECT with bytes after its properties (3)
client|field-past-end|3.15.2|f00118||an AUTH that ends before its property length
client|field-past-end|3.15.2|f0021880||an AUTH that ends within its property length
client|field-past-end|3.15.2|f006180515000161||a property list that continues after an AUTH
client|bytes-left-over|3.15.2|f00718041500016100||an AUTH with bytes after its properties
client|bytes-left-over|3.15.2|f00a18041500016116000161||an AUTH with bytes after its properties (2)
client|disconnect-code|MQTT-3.14.2-1|e00101||a reason code that DISCONNECT does not have
client|disconnect-code|MQTT-3.14.2-1|e0020100||a reason code that DISCONNECT does not have (2)
client|disconnect-code|MQTT-3.14.2-1|e00102||a reason code that DISCONNECT does not have (3)
client|disconnect-code|MQTT-3.14.2-1|e0020200||a reason code that DISCONNECT does not have (4)
client|disconnect-code|MQTT-3.14.2-1|e00103||a reason code that DISCONNECT does not have (5)
client|disconnect-code|MQTT-3.14.2-1|e0020300||a reason code that DISCONNECT does not have (6)
client|disconnect-code|MQTT-3.14.2-1|e00105||a reason code that DISCONNECT does not have (7)
client|disconnect-code|MQTT-3.14.2-1|e0020500||a reason code that DISCONNECT does not have (8)
client|disconnect-code|MQTT-3.14.2-1|e00118||a reason code that DISCONNECT does not have (9)
client|disconnect-code|MQTT-3.14.2-1|e0021800||a reason code that DISCONNECT does not have (10)
client|disconnect-code|MQTT-3.14.2-1|e00119||a reason code that DISCONNECT does not have (11)
client|disconnect-code|MQTT-3.14.2-1|e0021900||a reason code that DISCONNECT does not have (12)
client|disconnect-code|MQTT-3.14.2-1|e0017f||a reason code that DISCONNECT does not have (13)
client|disconnect-code|MQTT-3.14.2-1|e0027f00||a reason code that DISCONNECT does not have (14)
client|disconnect-code|MQTT-3.14.2-1|e00184||a reason code that DISCONNECT does not have (15)
client|disconnect-code|MQTT-3.14.2-1|e0028400||a reason code that DISCONNECT does not have (16)
client|disconnect-code|MQTT-3.14.2-1|e00185||a reason code that DISCONNECT does not have (17)
client|disconnect-code|MQTT-3.14.2-1|e0028500||a reason code that DISCONNECT does not have (18)
client|disconnect-code|MQTT-3.14.2-1|e00186||a reason code that DISCONNECT does not have (19)
client|disconnect-code|MQTT-3.14.2-1|e0028600||a reason code that DISCONNECT does not have (20)
client|disconnect-code|MQTT-3.14.2-1|e00188||a reason code that DISCONNECT does not have (21)
client|disconnect-code|MQTT-3.14.2-1|e0028800||a reason code that DISCONNECT does not have (22)
client|disconnect-code|MQTT-3.14.2-1|e0018a||a reason code that DISCONNECT does not have (23)
client|disconnect-code|MQTT-3.14.2-1|e0028a00||a reason code that DISCONNECT does not have (24)
client|disconnect-code|MQTT-3.14.2-1|e00191||a reason code that DISCONNECT does not have (25)
client|disconnect-code|MQTT-3.14.2-1|e0029100||a reason code that DISCONNECT does not have (26)
client|disconnect-code|MQTT-3.14.2-1|e00192||a reason code that DISCONNECT does not have (27)
client|disconnect-code|MQTT-3.14.2-1|e0029200||a reason code that DISCONNECT does not have (28)
client|disconnect-code|MQTT-3.14.2-1|e001a3||a reason code that DISCONNECT does not have (29)
client|disconnect-code|MQTT-3.14.2-1|e002a300||a reason code that DISCONNECT does not have (30)
client|disconnect-code|MQTT-3.14.2-1|e001fe||a reason code that DISCONNECT does not have (31)
client|disconnect-code|MQTT-3.14.2-1|e002fe00||a reason code that DISCONNECT does not have (32)
client|disconnect-code|MQTT-3.14.2-1|e001ff||a reason code that DISCONNECT does not have (33)
client|disconnect-code|MQTT-3.14.2-1|e002ff00||a reason code that DISCONNECT does not have (34)
client|disconnect-bad-authentication-method|MQTT-3.14.2-1|e0018c||reason code 0x8C in a DISCONNECT
client|disconnect-bad-authentication-method|MQTT-3.14.2-1|e0068c041f000161||reason code 0x8C in a DISCONNECT (2)
client|auth-code|MQTT-3.15.2-1|f006010415000161||a reason code that AUTH does not have
client|auth-code|MQTT-3.15.2-1|f006040415000161||a reason code that AUTH does not have (2)
client|auth-code|MQTT-3.15.2-1|f006170415000161||a reason code that AUTH does not have (3)
client|auth-code|MQTT-3.15.2-1|f0061a0415000161||a reason code that AUTH does not have (4)
client|auth-code|MQTT-3.15.2-1|f0067f0415000161||a reason code that AUTH does not have (5)
client|auth-code|MQTT-3.15.2-1|f006800415000161||a reason code that AUTH does not have (6)
client|auth-code|MQTT-3.15.2-1|f0068c0415000161||a reason code that AUTH does not have (7)
client|auth-code|MQTT-3.15.2-1|f006980415000161||a reason code that AUTH does not have (8)
client|auth-code|MQTT-3.15.2-1|f006ff0415000161||a reason code that AUTH does not have (9)
client|authentication-method-missing|MQTT-4.12.0-5|f0021800||an AUTH without an authentication method
server|authentication-method-missing|MQTT-4.12.0-5|f006000416000161||an AUTH without an authentication method (2)
client|authentication-method-missing|MQTT-4.12.0-5|f00d190b1f00016126000161000161||an AUTH without an authentication method (3)
client|authentication-method-missing|MQTT-4.12.0-5|f000||an AUTH without a body
server|wrong-sender|3.1|100e00044d5154540502003c00000161||a CONNECT from a server
client|wrong-sender|MQTT-3.14.2-1|e00187||a reason code of DISCONNECT that only a server sends, from a client
client|wrong-sender|MQTT-3.14.2-1|e00189||a reason code of DISCONNECT that only a server sends, from a client (2)
client|wrong-sender|MQTT-3.14.2-1|e0018b||a reason code of DISCONNECT that only a server sends, from a client (3)
client|wrong-sender|MQTT-3.14.2-1|e0018d||a reason code of DISCONNECT that only a server sends, from a client (4)
client|wrong-sender|MQTT-3.14.2-1|e0018e||a reason code of DISCONNECT that only a server sends, from a client (5)
client|wrong-sender|MQTT-3.14.2-1|e0018f||a reason code of DISCONNECT that only a server sends, from a client (6)
client|wrong-sender|MQTT-3.14.2-1|e0019a||a reason code of DISCONNECT that only a server sends, from a client (7)
client|wrong-sender|MQTT-3.14.2-1|e0019b||a reason code of DISCONNECT that only a server sends, from a client (8)
client|wrong-sender|MQTT-3.14.2-1|e0019c||a reason code of DISCONNECT that only a server sends, from a client (9)
client|wrong-sender|MQTT-3.14.2-1|e0019d||a reason code of DISCONNECT that only a server sends, from a client (10)
client|wrong-sender|MQTT-3.14.2-1|e0019e||a reason code of DISCONNECT that only a server sends, from a client (11)
client|wrong-sender|MQTT-3.14.2-1|e0019f||a reason code of DISCONNECT that only a server sends, from a client (12)
client|wrong-sender|MQTT-3.14.2-1|e001a0||a reason code of DISCONNECT that only a server sends, from a client (13)
client|wrong-sender|MQTT-3.14.2-1|e001a1||a reason code of DISCONNECT that only a server sends, from a client (14)
client|wrong-sender|MQTT-3.14.2-1|e001a2||a reason code of DISCONNECT that only a server sends, from a client (15)
server|wrong-sender|MQTT-3.14.2-1|e00104||disconnect with will message (0x04) from a server in a DISCONNECT
server|wrong-sender|MQTT-3.14.2-2|e00e000c26000161000161110000003c||a session expiry interval in a DISCONNECT from a server
client|wrong-sender|3.14.2.2.5|e00600041c000161||a server reference in a DISCONNECT from a client
client|wrong-sender|MQTT-3.15.2-1|f006000415000161||success (0x00) in an AUTH from a client
server|wrong-sender|MQTT-3.15.2-1|f006190415000161||re-authenticate (0x19) in an AUTH from a server
`
