/** Who sends it, code, clause, bytes, answer, name, options. `npm run docs` writes this file. */
export const invalid_v3_1_1: string = `
client|reserved-packet-type|2.2.1|0000||control packet type 0
client|reserved-packet-type|2.2.1|0f00||control packet type 0 (2)
client|reserved-packet-type|2.2.1|f000||control packet type 15, which is AUTH in 5.0
client|fixed-header-flags|MQTT-2.2.2-1|110d00044d5154540402003c000161||a CONNECT whose fixed header flags are not 0000
client|fixed-header-flags|MQTT-2.2.2-1|120d00044d5154540402003c000161||a CONNECT whose fixed header flags are not 0000 (2)
client|fixed-header-flags|MQTT-2.2.2-1|140d00044d5154540402003c000161||a CONNECT whose fixed header flags are not 0000 (3)
client|fixed-header-flags|MQTT-2.2.2-1|180d00044d5154540402003c000161||a CONNECT whose fixed header flags are not 0000 (4)
client|fixed-header-flags|MQTT-2.2.2-1|1f0d00044d5154540402003c000161||a CONNECT whose fixed header flags are not 0000 (5)
server|fixed-header-flags|MQTT-2.2.2-2|21020000||a CONNACK whose fixed header flags are not 0000
server|fixed-header-flags|MQTT-2.2.2-2|22020000||a CONNACK whose fixed header flags are not 0000 (2)
server|fixed-header-flags|MQTT-2.2.2-2|24020000||a CONNACK whose fixed header flags are not 0000 (3)
server|fixed-header-flags|MQTT-2.2.2-2|28020000||a CONNACK whose fixed header flags are not 0000 (4)
server|fixed-header-flags|MQTT-2.2.2-2|2f020000||a CONNACK whose fixed header flags are not 0000 (5)
client|fixed-header-flags|MQTT-2.2.2-1|60020001||a PUBREL, SUBSCRIBE or UNSUBSCRIBE whose fixed header flags are not 0010
client|fixed-header-flags|MQTT-2.2.2-1|80020001||a PUBREL, SUBSCRIBE or UNSUBSCRIBE whose fixed header flags are not 0010 (2)
client|fixed-header-flags|MQTT-2.2.2-1|a3020001||a PUBREL, SUBSCRIBE or UNSUBSCRIBE whose fixed header flags are not 0010 (3)
client|fixed-header-flags|MQTT-2.2.2-1|42020001||another packet whose fixed header flags are not 0000
client|fixed-header-flags|MQTT-2.2.2-1|58020001||another packet whose fixed header flags are not 0000 (2)
client|fixed-header-flags|MQTT-2.2.2-1|71020001||another packet whose fixed header flags are not 0000 (3)
server|fixed-header-flags|MQTT-2.2.2-1|91020001||another packet whose fixed header flags are not 0000 (4)
server|fixed-header-flags|MQTT-2.2.2-1|b2020001||another packet whose fixed header flags are not 0000 (5)
client|fixed-header-flags|MQTT-2.2.2-1|c100||another packet whose fixed header flags are not 0000 (6)
server|fixed-header-flags|MQTT-2.2.2-1|d400||another packet whose fixed header flags are not 0000 (7)
client|fixed-header-flags|MQTT-3.14.1-1|e100||a DISCONNECT whose fixed header flags are not 0000
client|fixed-header-flags|MQTT-3.14.1-1|e200||a DISCONNECT whose fixed header flags are not 0000 (2)
client|fixed-header-flags|MQTT-3.14.1-1|e400||a DISCONNECT whose fixed header flags are not 0000 (3)
client|fixed-header-flags|MQTT-3.14.1-1|e800||a DISCONNECT whose fixed header flags are not 0000 (4)
client|fixed-header-flags|MQTT-3.14.1-1|ef00||a DISCONNECT whose fixed header flags are not 0000 (5)
client|variable-byte-integer-too-long|2.2.3|10808080800100044d5154540402003c000161||a Remaining Length of five bytes
server|variable-byte-integer-too-long|2.2.3|2080808080010000||a Remaining Length of five bytes in a CONNACK
client|variable-byte-integer-too-long|2.2.3|e08080808001||a Remaining Length of five bytes in a DISCONNECT
client|variable-byte-integer-too-long|2.2.3|10ffffffff7f00044d5154540402003c000161||a Remaining Length of five bytes (2)
server|variable-byte-integer-too-long|2.2.3|20ffffffff7f0000||a Remaining Length of five bytes in a CONNACK (2)
client|variable-byte-integer-too-long|2.2.3|e0ffffffff7f||a Remaining Length of five bytes in a DISCONNECT (2)
client|variable-byte-integer-too-long|2.2.3|10808080800000044d5154540402003c000161||a Remaining Length of five bytes (3)
server|variable-byte-integer-too-long|2.2.3|2080808080000000||a Remaining Length of five bytes in a CONNACK (3)
client|variable-byte-integer-too-long|2.2.3|e08080808000||a Remaining Length of five bytes in a DISCONNECT (3)
client|variable-byte-integer-too-long|2.2.3|10ffffffff00044d5154540402003c000161||a Remaining Length of five bytes (4)
server|variable-byte-integer-too-long|2.2.3|20ffffffff0000||a Remaining Length of five bytes in a CONNACK (4)
client|variable-byte-integer-too-long|2.2.3|e0ffffffff||a Remaining Length of five bytes in a DISCONNECT (4)
client|variable-byte-integer-too-long|2.2.3|10ffffffffff00044d5154540402003c000161||a Remaining Length of five bytes (5)
server|variable-byte-integer-too-long|2.2.3|20ffffffffff0000||a Remaining Length of five bytes in a CONNACK (5)
client|variable-byte-integer-too-long|2.2.3|e0ffffffffff||a Remaining Length of five bytes in a DISCONNECT (5)
client|packet-too-large|4.8|100f00044d5154540402003c00016100||a packet larger than the maximum|{"maximumPacketSize":16}
client|packet-too-large|4.8|101000044d5154540402003c00016100||a packet larger than the maximum (2)|{"maximumPacketSize":16}
client|packet-too-large|4.8|107f00044d5154540402003c000161||a packet larger than the maximum (3)|{"maximumPacketSize":16}
client|packet-incomplete|MQTT-3.1.4-1|100f00044d5154540402003c||a packet that ends before its Remaining Length says
client|packet-incomplete|MQTT-3.1.4-1|100200||a packet that ends before its Remaining Length says (2)
client|packet-incomplete|MQTT-3.1.4-1|10ff||a packet that ends within its Remaining Length
client|packet-incomplete|MQTT-3.1.4-1|10||a packet that ends within its Remaining Length (2)
client|packet-incomplete|MQTT-3.1.4-1|||no bytes at all
client|more-than-one-packet|MQTT-3.1.4-1|10020000c000||more than one packet where one is decoded
client|more-than-one-packet|MQTT-3.1.4-1|c00000||more than one packet where one is decoded (2)
server|more-than-one-packet|MQTT-3.1.4-1|2002000020020000||more than one packet where a CONNACK is decoded
client|more-than-one-packet|MQTT-3.1.4-1|e000e000||more than one packet where a DISCONNECT is decoded
server|packet-incomplete|MQTT-3.1.4-1|200200||a CONNACK that ends before its Remaining Length says
client|packet-incomplete|MQTT-3.1.4-1|e0||a DISCONNECT that ends within its Remaining Length
client|publish-qos|MQTT-3.3.1-4|36050001610001||a PUBLISH with QoS 3
client|publish-qos|MQTT-3.3.1-4|3f050001610001||a PUBLISH with QoS 3 (2)
client|publish-dup|MQTT-3.3.1-2|3803000161||a PUBLISH with DUP and QoS 0
client|publish-dup|MQTT-3.3.1-2|3903000161||a PUBLISH with DUP and QoS 0 (2)
client|packet-id-zero|MQTT-2.3.1-1|32050001610000||packet identifier 0
client|packet-id-zero|MQTT-2.3.1-1|40020000||packet identifier 0 (2)
client|packet-id-zero|MQTT-2.3.1-1|62020000||packet identifier 0 (3)
client|packet-id-zero|MQTT-2.3.1-1|8206000000016100||packet identifier 0 (4)
server|packet-id-zero|MQTT-2.3.1-1|9003000000||packet identifier 0 (5)
client|packet-id-zero|MQTT-2.3.1-1|a2050000000161||packet identifier 0 (6)
server|packet-id-zero|MQTT-2.3.1-1|b0020000||packet identifier 0 (7)
client|body-not-allowed|2.2.3|c00100||a PINGREQ with a body
server|body-not-allowed|2.2.3|d0020000||a PINGRESP with a body
client|body-not-allowed|2.2.3|e00100||a DISCONNECT with a body
client|field-past-end|MQTT-3.1.4-1|400100||a packet identifier that continues after the packet
client|field-past-end|MQTT-3.1.4-1|3203000161||a packet identifier that continues after the packet (2)
client|field-past-end|MQTT-3.1.4-1|3203000261||a topic name that continues after the packet
client|protocol-name|MQTT-3.1.2-1|100d00044d5154580402003c000161||another protocol name
client|protocol-name|MQTT-3.1.2-1|100d00046d7174740402003c000161||another protocol name (2)
client|protocol-name|MQTT-3.1.2-1|100b00024d510402003c000161||another protocol name (3)
client|protocol-name|MQTT-3.1.2-1|100e00054d515454580402003c000161||another protocol name (4)
client|protocol-name|MQTT-3.1.2-1|100f00064d51495344500402003c000161||another protocol name (5)
client|protocol-name|MQTT-3.1.2-1|100900000402003c000161||another protocol name (6)
client|protocol-name|MQTT-3.1.2-1|1029002078*32;0402003c000161||another protocol name (7)
client|protocol-name|MQTT-3.1.2-1|102a002178*33;0402003c000161||another protocol name (8)
client|protocol-mqtt-3-1|MQTT-3.1.2-1|100f00064d51497364700302003c000161|20020001|protocol name MQIsdp, which is MQTT 3.1
client|protocol-mqtt-3-1|MQTT-3.1.2-1|100f00064d51497364700402003c000161|20020001|protocol name MQIsdp, which is MQTT 3.1 (2)
client|protocol-mqtt-3-1|MQTT-3.1.2-1|100f00064d51497364700502003c000161|20020001|protocol name MQIsdp, which is MQTT 3.1 (3)
client|protocol-mqtt-3-1|MQTT-3.1.2-1|100f00064d51497364708402003c000161|20020001|protocol name MQIsdp, which is MQTT 3.1 (4)
client|protocol-bridge-level|MQTT-3.1.2-2|100d00044d5154548402003c000161|2003008400|the protocol level of a bridge, 0x83 or 0x84
client|protocol-bridge-level|MQTT-3.1.2-2|100d00044d5154548302003c000161|2003008400|the protocol level of a bridge, 0x83 or 0x84 (2)
client|protocol-bridge-level|MQTT-3.1.2-2|100f00064d51497364708302003c000161|20020001|the protocol level of a bridge, 0x83 or 0x84 (3)
client|protocol-level|MQTT-3.1.2-2|100d00044d5154540002003c000161|20020001|a protocol level that does not exist
client|protocol-level|MQTT-3.1.2-2|100d00044d5154540102003c000161|20020001|a protocol level that does not exist (2)
client|protocol-level|MQTT-3.1.2-2|100d00044d5154540202003c000161|20020001|a protocol level that does not exist (3)
client|protocol-level|MQTT-3.1.2-2|100d00044d5154540302003c000161|20020001|a protocol level that does not exist (4)
client|protocol-level|MQTT-3.1.2-2|100d00044d5154540602003c000161|2003008400|a protocol level that does not exist (5)
client|protocol-level|MQTT-3.1.2-2|100d00044d5154540702003c000161|2003008400|a protocol level that does not exist (6)
client|protocol-level|MQTT-3.1.2-2|100d00044d5154547f02003c000161|2003008400|a protocol level that does not exist (7)
client|protocol-level|MQTT-3.1.2-2|100d00044d5154548002003c000161|2003008400|a protocol level that does not exist (8)
client|protocol-level|MQTT-3.1.2-2|100d00044d5154548202003c000161|2003008400|a protocol level that does not exist (9)
client|protocol-level|MQTT-3.1.2-2|100d00044d5154548502003c000161|2003008400|a protocol level that does not exist (10)
client|protocol-level|MQTT-3.1.2-2|100d00044d515454ff02003c000161|2003008400|a protocol level that does not exist (11)
client|field-past-end|MQTT-3.1.4-1|100400044d51||a field that continues after the packet: protocolName
client|field-past-end|MQTT-3.1.4-1|100100||a field that continues after the packet: protocolName (2)
client|field-past-end|MQTT-3.1.4-1|1000||a field that continues after the packet: protocolName (3)
client|field-past-end|MQTT-3.1.4-1|100600044d515454||a field that continues after the packet: protocolLevel
client|field-past-end|MQTT-3.1.4-1|100700044d51545404||a field that continues after the packet: connectFlags
client|field-past-end|MQTT-3.1.4-1|100800044d5154540402||a field that continues after the packet: keepAlive
client|field-past-end|MQTT-3.1.4-1|100900044d515454040200||a field that continues after the packet: keepAlive (2)
client|field-past-end|MQTT-3.1.4-1|100a00044d5154540402003c||a field that continues after the packet: clientId
client|field-past-end|MQTT-3.1.4-1|100b00044d5154540402003c00||a field that continues after the packet: clientId (2)
client|field-past-end|MQTT-3.1.4-1|100d00044d5154540402003c000261||a field that continues after the packet: clientId (3)
client|field-past-end|MQTT-3.1.4-1|100d00044d5154540406003c000161||a field that continues after the packet: will.topic
client|field-past-end|MQTT-3.1.4-1|101000044d5154540406003c000161000274||a field that continues after the packet: will.topic (2)
client|field-past-end|MQTT-3.1.4-1|101000044d5154540406003c000161000161||a field that continues after the packet: will.message
client|field-past-end|MQTT-3.1.4-1|101200044d5154540406003c0001610001610001||a field that continues after the packet: will.message (2)
client|field-past-end|MQTT-3.1.4-1|100f00044d5154540482003c0001610001||a field that continues after the packet: userName
client|field-past-end|MQTT-3.1.4-1|101000044d5154540482003c000161ffff61||a field that continues after the packet: userName (2)
client|field-past-end|MQTT-3.1.4-1|100e00044d51545404c2003c00016100||a field that continues after the packet: userName (3)
client|field-past-end|MQTT-3.1.4-1|100d00044d5154540482003c000161||a field that continues after the packet: userName (4)
client|field-past-end|MQTT-3.1.4-1|100d00044d51545404c2003c000161||a field that continues after the packet: userName (5)
client|field-past-end|MQTT-3.1.4-1|101300044d51545404c2003c000161000161000270||a field that continues after the packet: password
client|field-past-end|MQTT-3.1.4-1|101100044d51545404c2003c00016100016100||a field that continues after the packet: password (2)
client|field-past-end|MQTT-3.1.4-1|101000044d51545404c2003c000161000161||a field that continues after the packet: password (3)
client|bytes-left-over|MQTT-3.1.4-1|100e00044d5154540402003c00016100||bytes after the last field
client|bytes-left-over|MQTT-3.1.4-1|101000044d5154540402003c000161000161||bytes after the last field (2)
client|bytes-left-over|MQTT-3.1.4-1|101400044d51545404c2003c00016100016100016100||bytes after the last field (3)
client|bytes-left-over|MQTT-3.1.4-1|101300044d5154540482003c000161000161000161||bytes after the last field (4)
server|field-past-end|3.2.1|2000||a CONNACK that ends before its last field: acknowledgeFlags
server|field-past-end|3.2.1|200100||a CONNACK that ends before its last field: returnCode
server|bytes-left-over|3.2.1|2003000000||a CONNACK with bytes after its last field
server|bytes-left-over|3.2.1|20050000000161||a CONNACK with bytes after its last field (2)
client|connect-flags-reserved|MQTT-3.1.2-3|100d00044d5154540403003c000161||bit 0 of the connect flags
client|will-qos-without-will|MQTT-3.1.2-13|100d00044d515454040a003c000161||will QoS 1, 2 or 3 without a will
client|will-qos-without-will|MQTT-3.1.2-13|100d00044d5154540412003c000161||will QoS 1, 2 or 3 without a will (2)
client|will-qos-without-will|MQTT-3.1.2-13|100d00044d515454041a003c000161||will QoS 1, 2 or 3 without a will (3)
client|will-retain-without-will|MQTT-3.1.2-15|100d00044d5154540422003c000161||will retain without a will
client|will-qos|MQTT-3.1.2-14|101300044d515454041e003c000161000161000161||will QoS 3
client|will-qos|MQTT-3.1.2-14|101300044d515454043e003c000161000161000161||will QoS 3 (2)
client|password-without-user-name|MQTT-3.1.2-22|101000044d5154540442003c000161000161||a password without a user name
client|password-without-user-name|MQTT-3.1.2-22|100f00044d5154540442003c0001610000||a password without a user name (2)
client|client-id-empty|MQTT-3.1.3-8|100c00044d5154540400003c0000|20020002|an empty client id without clean session
client|will-topic-empty|MQTT-4.7.3-1|101200044d5154540406003c0001610000000161||an empty will topic
client|will-topic-wildcard|MQTT-4.7.1-1|101300044d5154540406003c00016100012b000161||a will topic with a wildcard
client|will-topic-wildcard|MQTT-4.7.1-1|101300044d5154540406003c000161000123000161||a will topic with a wildcard (2)
client|will-topic-wildcard|MQTT-4.7.1-1|101700044d5154540406003c0001610005612f2b2f62000161||a will topic with a wildcard (3)
client|will-topic-wildcard|MQTT-4.7.1-1|101500044d5154540406003c0001610003612f23000161||a will topic with a wildcard (4)
client|will-topic-wildcard|MQTT-4.7.1-1|101500044d5154540406003c0001610003c3a92b000161||a will topic with a wildcard (5)
server|acknowledge-flags-reserved|3.2.2.1|20020200||one of bits 7 to 1 of the acknowledge flags in a CONNACK
server|acknowledge-flags-reserved|3.2.2.1|20020400||one of bits 7 to 1 of the acknowledge flags in a CONNACK (2)
server|acknowledge-flags-reserved|3.2.2.1|20024000||one of bits 7 to 1 of the acknowledge flags in a CONNACK (3)
server|acknowledge-flags-reserved|3.2.2.1|20028000||one of bits 7 to 1 of the acknowledge flags in a CONNACK (4)
server|acknowledge-flags-reserved|3.2.2.1|2002fe00||one of bits 7 to 1 of the acknowledge flags in a CONNACK (5)
server|acknowledge-flags-reserved|3.2.2.1|2002ff00||one of bits 7 to 1 of the acknowledge flags in a CONNACK (6)
server|connack-code|3.2.2.3|20020006||a return code above 5 in a CONNACK
server|connack-code|3.2.2.3|2002007f||a return code above 5 in a CONNACK (2)
server|connack-code|3.2.2.3|20020080||a return code above 5 in a CONNACK (3)
server|connack-code|3.2.2.3|20020084||a return code above 5 in a CONNACK (4)
server|connack-code|3.2.2.3|200200ff||a return code above 5 in a CONNACK (5)
server|session-present-with-error|MQTT-3.2.2-4|20020101||session present with an error in a CONNACK
server|session-present-with-error|MQTT-3.2.2-4|20020105||session present with an error in a CONNACK (2)
client|client-id-not-utf8|MQTT-1.5.3-1|100f00044d5154540402003c0003eda080||a client id that is not well-formed UTF-8
client|client-id-not-utf8|MQTT-1.5.3-1|101100044d5154540402003c00056f6bedbfbf||a client id that is not well-formed UTF-8 (2)
client|client-id-not-utf8|MQTT-1.5.3-1|101400044d5154540402003c0008c3a9edb080eda080||a client id that is not well-formed UTF-8 (3)
client|client-id-not-utf8|MQTT-1.5.3-1|101500044d5154540402003c0009e282aceda0bdedb880||a client id that is not well-formed UTF-8 (4)
client|client-id-not-utf8|MQTT-1.5.3-1|100e00044d5154540402003c0002c080||a client id that is not well-formed UTF-8 (5)
client|client-id-not-utf8|MQTT-1.5.3-1|101000044d5154540402003c00046f6bc1bf||a client id that is not well-formed UTF-8 (6)
client|client-id-not-utf8|MQTT-1.5.3-1|101100044d5154540402003c0005c3a9e080af||a client id that is not well-formed UTF-8 (7)
client|client-id-not-utf8|MQTT-1.5.3-1|101200044d5154540402003c0006e282ace09fbf||a client id that is not well-formed UTF-8 (8)
client|client-id-not-utf8|MQTT-1.5.3-1|101000044d5154540402003c0004f08fbfbf||a client id that is not well-formed UTF-8 (9)
client|client-id-not-utf8|MQTT-1.5.3-1|101200044d5154540402003c00066f6bf4908080||a client id that is not well-formed UTF-8 (10)
client|client-id-not-utf8|MQTT-1.5.3-1|101200044d5154540402003c0006c3a9f5808080||a client id that is not well-formed UTF-8 (11)
client|client-id-not-utf8|MQTT-1.5.3-1|101000044d5154540402003c0004e282ac80||a client id that is not well-formed UTF-8 (12)
client|client-id-not-utf8|MQTT-1.5.3-1|100d00044d5154540402003c0001bf||a client id that is not well-formed UTF-8 (13)
client|client-id-not-utf8|MQTT-1.5.3-1|101000044d5154540402003c00046f6bfffe||a client id that is not well-formed UTF-8 (14)
client|client-id-not-utf8|MQTT-1.5.3-1|100f00044d5154540402003c0003c3a9e9||a client id that is not well-formed UTF-8 (15)
client|client-id-not-utf8|MQTT-1.5.3-1|101000044d5154540402003c0004e282acc3||a client id that is not well-formed UTF-8 (16)
client|client-id-not-utf8|MQTT-1.5.3-1|100e00044d5154540402003c0002e282||a client id that is not well-formed UTF-8 (17)
client|client-id-not-utf8|MQTT-1.5.3-1|101100044d5154540402003c00056f6bf09f98||a client id that is not well-formed UTF-8 (18)
client|client-id-not-utf8|MQTT-1.5.3-1|101000044d5154540402003c0004c3a9c328||a client id that is not well-formed UTF-8 (19)
client|client-id-not-utf8|MQTT-1.5.3-1|101200044d5154540402003c0006e282ace228a1||a client id that is not well-formed UTF-8 (20)
client|client-id-not-utf8|MQTT-1.5.3-1|100f00044d5154540402003c0003e28228||a client id that is not well-formed UTF-8 (21)
client|client-id-not-utf8|MQTT-1.5.3-1|101200044d5154540402003c00066f6bf0289f98||a client id that is not well-formed UTF-8 (22)
client|client-id-not-utf8|MQTT-1.5.3-1|101200044d5154540402003c0006c3a9f09f2898||a client id that is not well-formed UTF-8 (23)
client|client-id-not-utf8|MQTT-1.5.3-1|101300044d5154540402003c0007e282acf09f9828||a client id that is not well-formed UTF-8 (24)
client|client-id-nul|MQTT-1.5.3-2|100d00044d5154540402003c000100||a client id with U+0000
client|client-id-nul|MQTT-1.5.3-2|100e00044d5154540402003c00020061||a client id with U+0000 (2)
client|client-id-nul|MQTT-1.5.3-2|100e00044d5154540402003c00026100||a client id with U+0000 (3)
client|client-id-nul|MQTT-1.5.3-2|101000044d5154540402003c0004c3a90062||a client id with U+0000 (4)
client|will-topic-not-utf8|MQTT-3.1.3-10|101500044d5154540406003c0001610003eda080000161||a will topic that is not well-formed UTF-8
client|will-topic-not-utf8|MQTT-3.1.3-10|101700044d5154540406003c00016100056f6bedbfbf000161||a will topic that is not well-formed UTF-8 (2)
client|will-topic-not-utf8|MQTT-3.1.3-10|101a00044d5154540406003c0001610008c3a9edb080eda080000161||a will topic that is not well-formed UTF-8 (3)
client|will-topic-not-utf8|MQTT-3.1.3-10|101b00044d5154540406003c0001610009e282aceda0bdedb880000161||a will topic that is not well-formed UTF-8 (4)
client|will-topic-not-utf8|MQTT-3.1.3-10|101400044d5154540406003c0001610002c080000161||a will topic that is not well-formed UTF-8 (5)
client|will-topic-not-utf8|MQTT-3.1.3-10|101600044d5154540406003c00016100046f6bc1bf000161||a will topic that is not well-formed UTF-8 (6)
client|will-topic-not-utf8|MQTT-3.1.3-10|101700044d5154540406003c0001610005c3a9e080af000161||a will topic that is not well-formed UTF-8 (7)
client|will-topic-not-utf8|MQTT-3.1.3-10|101800044d5154540406003c0001610006e282ace09fbf000161||a will topic that is not well-formed UTF-8 (8)
client|will-topic-not-utf8|MQTT-3.1.3-10|101600044d5154540406003c0001610004f08fbfbf000161||a will topic that is not well-formed UTF-8 (9)
client|will-topic-not-utf8|MQTT-3.1.3-10|101800044d5154540406003c00016100066f6bf4908080000161||a will topic that is not well-formed UTF-8 (10)
client|will-topic-not-utf8|MQTT-3.1.3-10|101800044d5154540406003c0001610006c3a9f5808080000161||a will topic that is not well-formed UTF-8 (11)
client|will-topic-not-utf8|MQTT-3.1.3-10|101600044d5154540406003c0001610004e282ac80000161||a will topic that is not well-formed UTF-8 (12)
client|will-topic-not-utf8|MQTT-3.1.3-10|101300044d5154540406003c0001610001bf000161||a will topic that is not well-formed UTF-8 (13)
client|will-topic-not-utf8|MQTT-3.1.3-10|101600044d5154540406003c00016100046f6bfffe000161||a will topic that is not well-formed UTF-8 (14)
client|will-topic-not-utf8|MQTT-3.1.3-10|101500044d5154540406003c0001610003c3a9e9000161||a will topic that is not well-formed UTF-8 (15)
client|will-topic-not-utf8|MQTT-3.1.3-10|101600044d5154540406003c0001610004e282acc3000161||a will topic that is not well-formed UTF-8 (16)
client|will-topic-not-utf8|MQTT-3.1.3-10|101400044d5154540406003c0001610002e282000161||a will topic that is not well-formed UTF-8 (17)
client|will-topic-not-utf8|MQTT-3.1.3-10|101700044d5154540406003c00016100056f6bf09f98000161||a will topic that is not well-formed UTF-8 (18)
client|will-topic-not-utf8|MQTT-3.1.3-10|101600044d5154540406003c0001610004c3a9c328000161||a will topic that is not well-formed UTF-8 (19)
client|will-topic-not-utf8|MQTT-3.1.3-10|101800044d5154540406003c0001610006e282ace228a1000161||a will topic that is not well-formed UTF-8 (20)
client|will-topic-not-utf8|MQTT-3.1.3-10|101500044d5154540406003c0001610003e28228000161||a will topic that is not well-formed UTF-8 (21)
client|will-topic-not-utf8|MQTT-3.1.3-10|101800044d5154540406003c00016100066f6bf0289f98000161||a will topic that is not well-formed UTF-8 (22)
client|will-topic-not-utf8|MQTT-3.1.3-10|101800044d5154540406003c0001610006c3a9f09f2898000161||a will topic that is not well-formed UTF-8 (23)
client|will-topic-not-utf8|MQTT-3.1.3-10|101900044d5154540406003c0001610007e282acf09f9828000161||a will topic that is not well-formed UTF-8 (24)
client|will-topic-nul|MQTT-3.1.3-10|101300044d5154540406003c000161000100000161||a will topic with U+0000
client|will-topic-nul|MQTT-3.1.3-10|101400044d5154540406003c00016100020061000161||a will topic with U+0000 (2)
client|will-topic-nul|MQTT-3.1.3-10|101400044d5154540406003c00016100026100000161||a will topic with U+0000 (3)
client|will-topic-nul|MQTT-3.1.3-10|101600044d5154540406003c0001610004c3a90062000161||a will topic with U+0000 (4)
client|user-name-not-utf8|MQTT-3.1.3-11|101200044d5154540482003c0001610003eda080||a user name that is not well-formed UTF-8
client|user-name-not-utf8|MQTT-3.1.3-11|101400044d5154540482003c00016100056f6bedbfbf||a user name that is not well-formed UTF-8 (2)
client|user-name-not-utf8|MQTT-3.1.3-11|101700044d5154540482003c0001610008c3a9edb080eda080||a user name that is not well-formed UTF-8 (3)
client|user-name-not-utf8|MQTT-3.1.3-11|101800044d5154540482003c0001610009e282aceda0bdedb880||a user name that is not well-formed UTF-8 (4)
client|user-name-not-utf8|MQTT-3.1.3-11|101100044d5154540482003c0001610002c080||a user name that is not well-formed UTF-8 (5)
client|user-name-not-utf8|MQTT-3.1.3-11|101300044d5154540482003c00016100046f6bc1bf||a user name that is not well-formed UTF-8 (6)
client|user-name-not-utf8|MQTT-3.1.3-11|101400044d5154540482003c0001610005c3a9e080af||a user name that is not well-formed UTF-8 (7)
client|user-name-not-utf8|MQTT-3.1.3-11|101500044d5154540482003c0001610006e282ace09fbf||a user name that is not well-formed UTF-8 (8)
client|user-name-not-utf8|MQTT-3.1.3-11|101300044d5154540482003c0001610004f08fbfbf||a user name that is not well-formed UTF-8 (9)
client|user-name-not-utf8|MQTT-3.1.3-11|101500044d5154540482003c00016100066f6bf4908080||a user name that is not well-formed UTF-8 (10)
client|user-name-not-utf8|MQTT-3.1.3-11|101500044d5154540482003c0001610006c3a9f5808080||a user name that is not well-formed UTF-8 (11)
client|user-name-not-utf8|MQTT-3.1.3-11|101300044d5154540482003c0001610004e282ac80||a user name that is not well-formed UTF-8 (12)
client|user-name-not-utf8|MQTT-3.1.3-11|101000044d5154540482003c0001610001bf||a user name that is not well-formed UTF-8 (13)
client|user-name-not-utf8|MQTT-3.1.3-11|101300044d5154540482003c00016100046f6bfffe||a user name that is not well-formed UTF-8 (14)
client|user-name-not-utf8|MQTT-3.1.3-11|101200044d5154540482003c0001610003c3a9e9||a user name that is not well-formed UTF-8 (15)
client|user-name-not-utf8|MQTT-3.1.3-11|101300044d5154540482003c0001610004e282acc3||a user name that is not well-formed UTF-8 (16)
client|user-name-not-utf8|MQTT-3.1.3-11|101100044d5154540482003c0001610002e282||a user name that is not well-formed UTF-8 (17)
client|user-name-not-utf8|MQTT-3.1.3-11|101400044d5154540482003c00016100056f6bf09f98||a user name that is not well-formed UTF-8 (18)
client|user-name-not-utf8|MQTT-3.1.3-11|101300044d5154540482003c0001610004c3a9c328||a user name that is not well-formed UTF-8 (19)
client|user-name-not-utf8|MQTT-3.1.3-11|101500044d5154540482003c0001610006e282ace228a1||a user name that is not well-formed UTF-8 (20)
client|user-name-not-utf8|MQTT-3.1.3-11|101200044d5154540482003c0001610003e28228||a user name that is not well-formed UTF-8 (21)
client|user-name-not-utf8|MQTT-3.1.3-11|101500044d5154540482003c00016100066f6bf0289f98||a user name that is not well-formed UTF-8 (22)
client|user-name-not-utf8|MQTT-3.1.3-11|101500044d5154540482003c0001610006c3a9f09f2898||a user name that is not well-formed UTF-8 (23)
client|user-name-not-utf8|MQTT-3.1.3-11|101600044d5154540482003c0001610007e282acf09f9828||a user name that is not well-formed UTF-8 (24)
client|user-name-nul|MQTT-3.1.3-11|101000044d5154540482003c000161000100||a user name with U+0000
client|user-name-nul|MQTT-3.1.3-11|101100044d5154540482003c00016100020061||a user name with U+0000 (2)
client|user-name-nul|MQTT-3.1.3-11|101100044d5154540482003c00016100026100||a user name with U+0000 (3)
client|user-name-nul|MQTT-3.1.3-11|101300044d5154540482003c0001610004c3a90062||a user name with U+0000 (4)
server|wrong-sender|3.1|100d00044d5154540402003c000161||a CONNECT from a server
server|wrong-sender|3.14|e000||a DISCONNECT from a server
`
