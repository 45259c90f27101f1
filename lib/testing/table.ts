/*
 * The packets of `vectors`. `npm run docs` writes this file.
 */

/** The replacement for H in each version: protocol name and level. */
export const headers: Readonly<Record<number, string>> = {
  3: '00064d514973647003',
  4: '00044d51545404',
  5: '00044d51545405',
}

export const table: string = `
client|reserved-packet-type|control packet type 0
 3|2.1
00_
0f_
 4|2.2.1
00_
0f_
 5|2.1.2
00_
0f_
client|reserved-packet-type|control packet type 15, which is AUTH in 5.0
 3|2.1
f0_
 4|2.2.1
f0_
client|fixed-header-flags|a CONNECT whose fixed header flags are not 0000
 3|2.1
11_H02003c000161
12_H02003c000161
14_H02003c000161
18_H02003c000161
1f_H02003c000161
 4|MQTT-2.2.2-1
11_H02003c000161
12_H02003c000161
14_H02003c000161
18_H02003c000161
1f_H02003c000161
 5|MQTT-2.1.3-1
11_H02003c00000161
12_H02003c00000161
14_H02003c00000161
18_H02003c00000161
1f_H02003c00000161
server|fixed-header-flags|a CONNACK whose fixed header flags are not 0000
 3|2.1
21_0000
22_0000
24_0000
28_0000
2f_0000
 4|MQTT-2.2.2-2
21_0000
22_0000
24_0000
28_0000
2f_0000
 5|MQTT-2.1.3-1
21_000000
22_000000
24_000000
28_000000
2f_000000
client|fixed-header-flags|a PUBREL, SUBSCRIBE or UNSUBSCRIBE whose fixed header flags are not 0010
 3|2.1
60_0001
80_0001
a3_0001
 4|MQTT-2.2.2-1
60_0001
80_0001
a3_0001
 5|MQTT-2.1.3-1
60_0001
80_0001
a3_0001
client|fixed-header-flags|another packet whose fixed header flags are not 0000
 3|2.1
42_0001
58_0001
71_0001
c1_
 4|MQTT-2.2.2-1
42_0001
58_0001
71_0001
c1_
 5|MQTT-2.1.3-1
42_0001
58_0001
71_0001
c1_
server|fixed-header-flags|another packet whose fixed header flags are not 0000
 3|2.1
91_0001
b2_0001
d4_
 4|MQTT-2.2.2-1
91_0001
b2_0001
d4_
 5|MQTT-2.1.3-1
91_0001
b2_0001
d4_
client|fixed-header-flags|a DISCONNECT whose fixed header flags are not 0000
 3|2.1
e1_
e2_
e4_
e8_
ef_
 4|MQTT-3.14.1-1
e1_
e2_
e4_
e8_
ef_
 5|MQTT-3.14.1-1
e1_
e2_
e4_
e8_
ef_
client|variable-byte-integer-too-long|a Remaining Length of five bytes
 3|2.1
10808080800100064d51497364700302003c000161
10ffffffff7f00064d51497364700302003c000161
10808080800000064d51497364700302003c000161
10ffffffff00064d51497364700302003c000161
10ffffffffff00064d51497364700302003c000161
 4|2.2.3
10808080800100044d5154540402003c000161
10ffffffff7f00044d5154540402003c000161
10808080800000044d5154540402003c000161
10ffffffff00044d5154540402003c000161
10ffffffffff00044d5154540402003c000161
 5|1.5.5
10808080800100044d5154540502003c00000161
10ffffffff7f00044d5154540502003c00000161
10808080800000044d5154540502003c00000161
10ffffffff00044d5154540502003c00000161
10ffffffffff00044d5154540502003c00000161
server|variable-byte-integer-too-long|a Remaining Length of five bytes in a CONNACK
 3|2.1
2080808080010000
20ffffffff7f0000
2080808080000000
20ffffffff0000
20ffffffffff0000
 4|2.2.3
2080808080010000
20ffffffff7f0000
2080808080000000
20ffffffff0000
20ffffffffff0000
 5|1.5.5
208080808001000000
20ffffffff7f000000
208080808000000000
20ffffffff000000
20ffffffffff000000
client|variable-byte-integer-too-long|a Remaining Length of five bytes in a DISCONNECT
 3|2.1
e08080808001
e0ffffffff7f
e08080808000
e0ffffffff
e0ffffffffff
 4|2.2.3
e08080808001
e0ffffffff7f
e08080808000
e0ffffffff
e0ffffffffff
 5|1.5.5
e08080808001
e0ffffffff7f
e08080808000
e0ffffffff
e0ffffffffff
client|packet-too-large|a packet larger than the maximum
 3|2.1||{"maximumPacketSize":16}
100f00064d51497364700302003c00016100
10_H02003c00016100
107f00064d51497364700302003c000161
 4|4.8||{"maximumPacketSize":16}
100f00044d5154540402003c00016100
101000044d5154540402003c00016100
107f00044d5154540402003c000161
 5|3.2.2.2||{"maximumPacketSize":16}
10_H02003c0000016100
101000044d5154540502003c0000016100
107f00044d5154540502003c00000161
client|packet-incomplete|a packet that ends before its Remaining Length says
 3|3.1
100f00064d51497364700302003c
100200
 4|MQTT-3.1.4-1
100f00044d5154540402003c
100200
 5|MQTT-3.1.4-1
100f00044d5154540502003c
100200
client|packet-incomplete|a packet that ends within its Remaining Length
 3|3.1
10ff
10
 4|MQTT-3.1.4-1
10ff
10
 5|MQTT-3.1.4-1
10ff
10
client|packet-incomplete|no bytes at all
 3|3.1

 4|MQTT-3.1.4-1

 5|MQTT-3.1.4-1

client|more-than-one-packet|more than one packet where one is decoded
 3|3.1
10020000c000
c00000
 4|MQTT-3.1.4-1
10020000c000
c00000
 5|MQTT-3.1.4-1
10020000c000
c00000
server|more-than-one-packet|more than one packet where a CONNACK is decoded
 3|3.2
2002000020020000
 4|MQTT-3.1.4-1
2002000020020000
 5|MQTT-3.1.4-1
2002000020020000
client|more-than-one-packet|more than one packet where a DISCONNECT is decoded
 3|3.14
e000e000
 4|MQTT-3.1.4-1
e000e000
 5|MQTT-3.1.4-1
e000e000
server|packet-incomplete|a CONNACK that ends before its Remaining Length says
 3|3.2
200200
 4|MQTT-3.1.4-1
200200
 5|MQTT-3.1.4-1
200200
server|packet-incomplete|a CONNACK that ends within its Remaining Length
 3|3.2
20ff
client|packet-incomplete|a DISCONNECT that ends within its Remaining Length
 3|3.14
e0
 4|MQTT-3.1.4-1
e0
 5|MQTT-3.1.4-1
e0
client|publish-qos|a PUBLISH with QoS 3
 3|2.1
36_0001610001
3f_0001610001
 4|MQTT-3.3.1-4
36_0001610001
3f_0001610001
 5|MQTT-3.3.1-4
36_0001610001
3f_0001610001
client|publish-dup|a PUBLISH with DUP and QoS 0
 3|2.1
38_000161
39_000161
 4|MQTT-3.3.1-2
38_000161
39_000161
 5|MQTT-3.3.1-2
38_000161
39_000161
client|packet-id-zero|packet identifier 0
 3|2.4
32_0001610000
40_0000
62_0000
82_000000016100
a2_0000000161
 4|MQTT-2.3.1-1
32_0001610000
40_0000
62_0000
82_000000016100
a2_0000000161
 5|MQTT-2.2.1-3
32_0001610000
40_0000
62_0000
82_000000016100
a2_0000000161
server|packet-id-zero|packet identifier 0
 3|2.4
90_000000
b0_0000
 4|MQTT-2.3.1-1
90_000000
b0_0000
 5|MQTT-2.2.1-3
90_000000
b0_0000
client|body-not-allowed|a PINGREQ with a body
 3|2.1
c0_00
 4|2.2.3
c0_00
 5|2.1.4
c0_00
server|body-not-allowed|a PINGRESP with a body
 3|2.1
d0_0000
 4|2.2.3
d0_0000
 5|2.1.4
d0_0000
client|body-not-allowed|a DISCONNECT with a body
 3|2.1
e0_00
 4|2.2.3
e0_00
client|field-past-end|a packet identifier that continues after the packet
 3|3.1
40_00
32_000161
 4|MQTT-3.1.4-1
40_00
32_000161
 5|MQTT-3.1.4-1
40_00
32_000161
client|field-past-end|a topic name that continues after the packet
 3|3.1
32_000261
 4|MQTT-3.1.4-1
32_000261
 5|MQTT-3.1.4-1
32_000261
client|protocol-name|another protocol name
 3|3.1
10_00044d5154580302003c000161
10_00046d7174740302003c000161
10_00024d510302003c000161
10_00054d515454580302003c000161
10_00064d51495344500302003c000161
10_00000302003c000161
10_002078*32;0302003c000161
10_002178*33;0302003c000161
 4|MQTT-3.1.2-1
10_00044d5154580402003c000161
10_00046d7174740402003c000161
10_00024d510402003c000161
10_00054d515454580402003c000161
10_00064d51495344500402003c000161
10_00000402003c000161
10_002078*32;0402003c000161
10_002178*33;0402003c000161
 5|MQTT-3.1.2-1
10_00044d5154580502003c00000161
10_00046d7174740502003c00000161
10_00024d510502003c00000161
10_00054d515454580502003c00000161
10_00064d51495344500502003c00000161
10_00000502003c00000161
10_002078*32;0502003c00000161
10_002178*33;0502003c00000161
client|protocol-bridge-level|the protocol level of a bridge, 0x83 or 0x84
 3|3.1|2003008400
10_00044d5154548402003c000161
10_00044d5154548302003c000161
 3|3.1|20020001
10_00064d51497364708302003c000161
 4|MQTT-3.1.2-2|2003008400
10_00044d5154548402003c000161
10_00044d5154548302003c000161
 4|MQTT-3.1.2-2|20020001
10_00064d51497364708302003c000161
 5|MQTT-3.1.2-2|2003008400
10_00044d5154548402003c00000161
10_00044d5154548302003c00000161
 5|MQTT-3.1.2-2|20020001
10_00064d51497364708302003c00000161
client|protocol-level|a protocol level that does not exist
 3|3.1|20020001
10_00044d5154540002003c000161
10_00044d5154540102003c000161
10_00044d5154540202003c000161
10_00044d5154540302003c000161
 3|3.1|2003008400
10_00044d5154540602003c000161
10_00044d5154540702003c000161
10_00044d5154547f02003c000161
10_00044d5154548002003c000161
10_00044d5154548202003c000161
10_00044d5154548502003c000161
10_00044d515454ff02003c000161
 4|MQTT-3.1.2-2|20020001
10_00044d5154540002003c000161
10_00044d5154540102003c000161
10_00044d5154540202003c000161
10_00044d5154540302003c000161
 4|MQTT-3.1.2-2|2003008400
10_00044d5154540602003c000161
10_00044d5154540702003c000161
10_00044d5154547f02003c000161
10_00044d5154548002003c000161
10_00044d5154548202003c000161
10_00044d5154548502003c000161
10_00044d515454ff02003c000161
 5|MQTT-3.1.2-2|20020001
10_00044d5154540002003c00000161
10_00044d5154540102003c00000161
10_00044d5154540202003c00000161
10_00044d5154540302003c00000161
 5|MQTT-3.1.2-2|2003008400
10_00044d5154540602003c00000161
10_00044d5154540702003c00000161
10_00044d5154547f02003c00000161
10_00044d5154548002003c00000161
10_00044d5154548202003c00000161
10_00044d5154548502003c00000161
10_00044d515454ff02003c00000161
client|protocol-level|a protocol level that MQIsdp does not have
 3|3.1|20020001
10_00064d51497364700002003c000161
10_00064d51497364700202003c000161
10_00064d51497364700402003c000161
10_00064d51497364700502003c000161
10_00064d51497364708402003c000161
client|field-past-end|a field that continues after the packet: protocolName
 3|3.1
10_00044d51
10_00
10_
 4|MQTT-3.1.4-1
10_00044d51
10_00
10_
 5|MQTT-3.1.4-1
10_00044d51
10_00
10_
client|field-past-end|a field that continues after the packet: protocolLevel
 3|3.1
10_00064d5149736470
 4|MQTT-3.1.4-1
10_00044d515454
 5|MQTT-3.1.4-1
10_00044d515454
client|field-past-end|a field that continues after the packet: connectFlags
 3|3.1
10_H
 4|MQTT-3.1.4-1
10_H
 5|MQTT-3.1.4-1|2003008100
10_H
client|field-past-end|a field that continues after the packet: keepAlive
 3|3.1
10_H02
10_H0200
 4|MQTT-3.1.4-1
10_H02
10_H0200
 5|MQTT-3.1.4-1|2003008100
10_H02
10_H0200
client|field-past-end|a field that continues after the packet: clientId
 3|3.1
10_H02003c
10_H02003c00
10_H02003c000261
 4|MQTT-3.1.4-1
10_H02003c
10_H02003c00
10_H02003c000261
 5|MQTT-3.1.4-1|2003008100
10_H02003c00
10_H02003c0000
10_H02003c00000261
client|field-past-end|a field that continues after the packet: will.topic
 3|3.1
10_H06003c000161
10_H06003c000161000274
 4|MQTT-3.1.4-1
10_H06003c000161
10_H06003c000161000274
 5|MQTT-3.1.4-1|2003008100
10_H06003c0000016100
10_H06003c0000016100000274
client|field-past-end|a field that continues after the packet: will.message
 3|3.1
10_H06003c000161000161
10_H06003c0001610001610001
 4|MQTT-3.1.4-1
10_H06003c000161000161
10_H06003c0001610001610001
 5|MQTT-3.1.4-1|2003008100
10_H06003c0000016100000161
10_H06003c00000161000001610001
client|field-past-end|a field that continues after the packet: userName
 3|3.1
10_H82003c0001610001
10_H82003c000161ffff61
10_Hc2003c00016100
 4|MQTT-3.1.4-1
10_H82003c0001610001
10_H82003c000161ffff61
10_Hc2003c00016100
10_H82003c000161
10_Hc2003c000161
 5|MQTT-3.1.4-1|2003008100
10_H82003c000001610001
10_H82003c00000161ffff61
10_Hc2003c0000016100
10_H82003c00000161
10_Hc2003c00000161
client|field-past-end|a field that continues after the packet: password
 3|3.1
10_Hc2003c000161000161000270
10_Hc2003c00016100016100
 4|MQTT-3.1.4-1
10_Hc2003c000161000161000270
10_Hc2003c00016100016100
10_Hc2003c000161000161
 5|MQTT-3.1.4-1|2003008100
10_Hc2003c00000161000161000270
10_Hc2003c0000016100016100
10_Hc2003c00000161000161
10_H42003c00000161
10_H42003c000001610001
client|bytes-left-over|bytes after the last field
 3|3.1
10_H02003c00016100
10_H02003c000161000161
10_Hc2003c00016100016100016100
10_H82003c000161000161000161
 4|MQTT-3.1.4-1
10_H02003c00016100
10_H02003c000161000161
10_Hc2003c00016100016100016100
10_H82003c000161000161000161
 5|MQTT-3.1.4-1|2003008100
10_H02003c0000016100
10_H02003c00000161000161
10_Hc2003c0000016100016100016100
10_H82003c00000161000161000161
server|field-past-end|a CONNACK that ends before its last field: acknowledgeFlags
 3|3.2
20_
 4|3.2.1
20_
 5|3.2.1
20_
server|field-past-end|a CONNACK that ends before its last field: returnCode
 3|3.2
20_00
 4|3.2.1
20_00
server|bytes-left-over|a CONNACK with bytes after its last field
 3|3.2
20_000000
20_0000000161
 4|3.2.1
20_000000
20_0000000161
 5|3.2.1
20_00000000
20_000000000161
client|will-qos|will QoS 3
 3|3.1
10_H1e003c000161000161000161
10_H3e003c000161000161000161
 4|MQTT-3.1.2-14
10_H1e003c000161000161000161
10_H3e003c000161000161000161
 5|MQTT-3.1.2-12|2003008100
10_H1e003c0000016100000161000161
10_H3e003c0000016100000161000161
client|password-without-user-name|a password without a user name
 3|3.1
10_H42003c000161000161
10_H42003c0001610000
 4|MQTT-3.1.2-22
10_H42003c000161000161
10_H42003c0001610000
client|client-id-empty|an empty client id without clean session
 3|3.1|20020002
10_H00003c0000
 4|MQTT-3.1.3-8|20020002
10_H00003c0000
client|client-id-empty|an empty client id
 3|3.1|20020002
10_H02003c0000
client|client-id-too-long|a client id of 24 characters
 3|3.1|20020002
10_H02003c001861*24;
10_H02003c0030c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9
client|will-topic-empty|an empty will topic
 3|3.1
10_H06003c0001610000000161
 4|MQTT-4.7.3-1
10_H06003c0001610000000161
 5|MQTT-4.7.3-1|2003009000
10_H06003c00000161000000000161
client|will-topic-wildcard|a will topic with a wildcard
 3|3.1
10_H06003c00016100012b000161
10_H06003c000161000123000161
10_H06003c0001610005612f2b2f62000161
10_H06003c0001610003612f23000161
10_H06003c0001610003c3a92b000161
 4|MQTT-4.7.1-1
10_H06003c00016100012b000161
10_H06003c000161000123000161
10_H06003c0001610005612f2b2f62000161
10_H06003c0001610003612f23000161
10_H06003c0001610003c3a92b000161
 5|MQTT-4.7.0-1|2003009000
10_H06003c000001610000012b000161
10_H06003c0000016100000123000161
10_H06003c00000161000005612f2b2f62000161
10_H06003c00000161000003612f23000161
10_H06003c00000161000003c3a92b000161
server|connack-code|a return code above 5 in a CONNACK
 3|3.2
20_0006
20_007f
20_0080
20_0084
20_00ff
 4|3.2.2.3
20_0006
20_007f
20_0080
20_0084
20_00ff
client|client-id-not-utf8|a client id that is not well-formed UTF-8
 3|3.1
10_H02003c0003eda080
10_H02003c00056f6bedbfbf
10_H02003c0008c3a9edb080eda080
10_H02003c0009e282aceda0bdedb880
10_H02003c0002c080
10_H02003c00046f6bc1bf
10_H02003c0005c3a9e080af
10_H02003c0006e282ace09fbf
10_H02003c0004f08fbfbf
10_H02003c00066f6bf4908080
10_H02003c0006c3a9f5808080
10_H02003c0004e282ac80
10_H02003c0001bf
10_H02003c00046f6bfffe
10_H02003c0003c3a9e9
10_H02003c0004e282acc3
10_H02003c0002e282
10_H02003c00056f6bf09f98
10_H02003c0004c3a9c328
10_H02003c0006e282ace228a1
10_H02003c0003e28228
10_H02003c00066f6bf0289f98
10_H02003c0006c3a9f09f2898
10_H02003c0007e282acf09f9828
 4|MQTT-1.5.3-1
10_H02003c0003eda080
10_H02003c00056f6bedbfbf
10_H02003c0008c3a9edb080eda080
10_H02003c0009e282aceda0bdedb880
10_H02003c0002c080
10_H02003c00046f6bc1bf
10_H02003c0005c3a9e080af
10_H02003c0006e282ace09fbf
10_H02003c0004f08fbfbf
10_H02003c00066f6bf4908080
10_H02003c0006c3a9f5808080
10_H02003c0004e282ac80
10_H02003c0001bf
10_H02003c00046f6bfffe
10_H02003c0003c3a9e9
10_H02003c0004e282acc3
10_H02003c0002e282
10_H02003c00056f6bf09f98
10_H02003c0004c3a9c328
10_H02003c0006e282ace228a1
10_H02003c0003e28228
10_H02003c00066f6bf0289f98
10_H02003c0006c3a9f09f2898
10_H02003c0007e282acf09f9828
 5|MQTT-1.5.4-1|2003008500
10_H02003c000003eda080
10_H02003c0000056f6bedbfbf
10_H02003c000008c3a9edb080eda080
10_H02003c000009e282aceda0bdedb880
10_H02003c000002c080
10_H02003c0000046f6bc1bf
10_H02003c000005c3a9e080af
10_H02003c000006e282ace09fbf
10_H02003c000004f08fbfbf
10_H02003c0000066f6bf4908080
10_H02003c000006c3a9f5808080
10_H02003c000004e282ac80
10_H02003c000001bf
10_H02003c0000046f6bfffe
10_H02003c000003c3a9e9
10_H02003c000004e282acc3
10_H02003c000002e282
10_H02003c0000056f6bf09f98
10_H02003c000004c3a9c328
10_H02003c000006e282ace228a1
10_H02003c000003e28228
10_H02003c0000066f6bf0289f98
10_H02003c000006c3a9f09f2898
10_H02003c000007e282acf09f9828
client|client-id-nul|a client id with U+0000
 3|3.1
10_H02003c000100
10_H02003c00020061
10_H02003c00026100
10_H02003c0004c3a90062
 4|MQTT-1.5.3-2
10_H02003c000100
10_H02003c00020061
10_H02003c00026100
10_H02003c0004c3a90062
 5|MQTT-1.5.4-2|2003008500
10_H02003c00000100
10_H02003c0000020061
10_H02003c0000026100
10_H02003c000004c3a90062
client|will-topic-not-utf8|a will topic that is not well-formed UTF-8
 3|3.1
10_H06003c0001610003eda080000161
10_H06003c00016100056f6bedbfbf000161
10_H06003c0001610008c3a9edb080eda080000161
10_H06003c0001610009e282aceda0bdedb880000161
10_H06003c0001610002c080000161
10_H06003c00016100046f6bc1bf000161
10_H06003c0001610005c3a9e080af000161
10_H06003c0001610006e282ace09fbf000161
10_H06003c0001610004f08fbfbf000161
10_H06003c00016100066f6bf4908080000161
10_H06003c0001610006c3a9f5808080000161
10_H06003c0001610004e282ac80000161
10_H06003c0001610001bf000161
10_H06003c00016100046f6bfffe000161
10_H06003c0001610003c3a9e9000161
10_H06003c0001610004e282acc3000161
10_H06003c0001610002e282000161
10_H06003c00016100056f6bf09f98000161
10_H06003c0001610004c3a9c328000161
10_H06003c0001610006e282ace228a1000161
10_H06003c0001610003e28228000161
10_H06003c00016100066f6bf0289f98000161
10_H06003c0001610006c3a9f09f2898000161
10_H06003c0001610007e282acf09f9828000161
 4|MQTT-3.1.3-10
10_H06003c0001610003eda080000161
10_H06003c00016100056f6bedbfbf000161
10_H06003c0001610008c3a9edb080eda080000161
10_H06003c0001610009e282aceda0bdedb880000161
10_H06003c0001610002c080000161
10_H06003c00016100046f6bc1bf000161
10_H06003c0001610005c3a9e080af000161
10_H06003c0001610006e282ace09fbf000161
10_H06003c0001610004f08fbfbf000161
10_H06003c00016100066f6bf4908080000161
10_H06003c0001610006c3a9f5808080000161
10_H06003c0001610004e282ac80000161
10_H06003c0001610001bf000161
10_H06003c00016100046f6bfffe000161
10_H06003c0001610003c3a9e9000161
10_H06003c0001610004e282acc3000161
10_H06003c0001610002e282000161
10_H06003c00016100056f6bf09f98000161
10_H06003c0001610004c3a9c328000161
10_H06003c0001610006e282ace228a1000161
10_H06003c0001610003e28228000161
10_H06003c00016100066f6bf0289f98000161
10_H06003c0001610006c3a9f09f2898000161
10_H06003c0001610007e282acf09f9828000161
 5|MQTT-3.1.3-11|2003009000
10_H06003c00000161000003eda080000161
10_H06003c000001610000056f6bedbfbf000161
10_H06003c00000161000008c3a9edb080eda080000161
10_H06003c00000161000009e282aceda0bdedb880000161
10_H06003c00000161000002c080000161
10_H06003c000001610000046f6bc1bf000161
10_H06003c00000161000005c3a9e080af000161
10_H06003c00000161000006e282ace09fbf000161
10_H06003c00000161000004f08fbfbf000161
10_H06003c000001610000066f6bf4908080000161
10_H06003c00000161000006c3a9f5808080000161
10_H06003c00000161000004e282ac80000161
10_H06003c00000161000001bf000161
10_H06003c000001610000046f6bfffe000161
10_H06003c00000161000003c3a9e9000161
10_H06003c00000161000004e282acc3000161
10_H06003c00000161000002e282000161
10_H06003c000001610000056f6bf09f98000161
10_H06003c00000161000004c3a9c328000161
10_H06003c00000161000006e282ace228a1000161
10_H06003c00000161000003e28228000161
10_H06003c000001610000066f6bf0289f98000161
10_H06003c00000161000006c3a9f09f2898000161
10_H06003c00000161000007e282acf09f9828000161
client|will-topic-nul|a will topic with U+0000
 3|3.1
10_H06003c000161000100000161
10_H06003c00016100020061000161
10_H06003c00016100026100000161
10_H06003c0001610004c3a90062000161
 4|MQTT-3.1.3-10
10_H06003c000161000100000161
10_H06003c00016100020061000161
10_H06003c00016100026100000161
10_H06003c0001610004c3a90062000161
 5|MQTT-3.1.3-11|2003009000
10_H06003c0000016100000100000161
10_H06003c000001610000020061000161
10_H06003c000001610000026100000161
10_H06003c00000161000004c3a90062000161
client|user-name-not-utf8|a user name that is not well-formed UTF-8
 3|3.1
10_H82003c0001610003eda080
10_H82003c00016100056f6bedbfbf
10_H82003c0001610008c3a9edb080eda080
10_H82003c0001610009e282aceda0bdedb880
10_H82003c0001610002c080
10_H82003c00016100046f6bc1bf
10_H82003c0001610005c3a9e080af
10_H82003c0001610006e282ace09fbf
10_H82003c0001610004f08fbfbf
10_H82003c00016100066f6bf4908080
10_H82003c0001610006c3a9f5808080
10_H82003c0001610004e282ac80
10_H82003c0001610001bf
10_H82003c00016100046f6bfffe
10_H82003c0001610003c3a9e9
10_H82003c0001610004e282acc3
10_H82003c0001610002e282
10_H82003c00016100056f6bf09f98
10_H82003c0001610004c3a9c328
10_H82003c0001610006e282ace228a1
10_H82003c0001610003e28228
10_H82003c00016100066f6bf0289f98
10_H82003c0001610006c3a9f09f2898
10_H82003c0001610007e282acf09f9828
 4|MQTT-3.1.3-11
10_H82003c0001610003eda080
10_H82003c00016100056f6bedbfbf
10_H82003c0001610008c3a9edb080eda080
10_H82003c0001610009e282aceda0bdedb880
10_H82003c0001610002c080
10_H82003c00016100046f6bc1bf
10_H82003c0001610005c3a9e080af
10_H82003c0001610006e282ace09fbf
10_H82003c0001610004f08fbfbf
10_H82003c00016100066f6bf4908080
10_H82003c0001610006c3a9f5808080
10_H82003c0001610004e282ac80
10_H82003c0001610001bf
10_H82003c00016100046f6bfffe
10_H82003c0001610003c3a9e9
10_H82003c0001610004e282acc3
10_H82003c0001610002e282
10_H82003c00016100056f6bf09f98
10_H82003c0001610004c3a9c328
10_H82003c0001610006e282ace228a1
10_H82003c0001610003e28228
10_H82003c00016100066f6bf0289f98
10_H82003c0001610006c3a9f09f2898
10_H82003c0001610007e282acf09f9828
 5|MQTT-3.1.3-12|2003008600
10_H82003c000001610003eda080
10_H82003c0000016100056f6bedbfbf
10_H82003c000001610008c3a9edb080eda080
10_H82003c000001610009e282aceda0bdedb880
10_H82003c000001610002c080
10_H82003c0000016100046f6bc1bf
10_H82003c000001610005c3a9e080af
10_H82003c000001610006e282ace09fbf
10_H82003c000001610004f08fbfbf
10_H82003c0000016100066f6bf4908080
10_H82003c000001610006c3a9f5808080
10_H82003c000001610004e282ac80
10_H82003c000001610001bf
10_H82003c0000016100046f6bfffe
10_H82003c000001610003c3a9e9
10_H82003c000001610004e282acc3
10_H82003c000001610002e282
10_H82003c0000016100056f6bf09f98
10_H82003c000001610004c3a9c328
10_H82003c000001610006e282ace228a1
10_H82003c000001610003e28228
10_H82003c0000016100066f6bf0289f98
10_H82003c000001610006c3a9f09f2898
10_H82003c000001610007e282acf09f9828
client|user-name-nul|a user name with U+0000
 3|3.1
10_H82003c000161000100
10_H82003c00016100020061
10_H82003c00016100026100
10_H82003c0001610004c3a90062
 4|MQTT-3.1.3-11
10_H82003c000161000100
10_H82003c00016100020061
10_H82003c00016100026100
10_H82003c0001610004c3a90062
 5|MQTT-3.1.3-12|2003008600
10_H82003c00000161000100
10_H82003c0000016100020061
10_H82003c0000016100026100
10_H82003c000001610004c3a90062
server|wrong-sender|a CONNECT from a server
 3|3.1
10_H02003c000161
 4|3.1
10_H02003c000161
 5|3.1
10_H02003c00000161
server|wrong-sender|a DISCONNECT from a server
 3|3.14
e0_
 4|3.14
e0_
client|protocol-mqtt-3-1|protocol name MQIsdp, which is MQTT 3.1
 4|MQTT-3.1.2-1|20020001
10_00064d51497364700302003c000161
10_00064d51497364700402003c000161
10_00064d51497364700502003c000161
10_00064d51497364708402003c000161
 5|MQTT-3.1.2-1|20020001
10_00064d51497364700302003c00000161
10_00064d51497364700402003c00000161
10_00064d51497364700502003c00000161
10_00064d51497364708402003c00000161
client|connect-flags-reserved|bit 0 of the connect flags
 4|MQTT-3.1.2-3
10_H03003c000161
 5|MQTT-3.1.2-3|2003008100
10_H03003c00000161
client|will-qos-without-will|will QoS 1, 2 or 3 without a will
 4|MQTT-3.1.2-13
10_H0a003c000161
10_H12003c000161
10_H1a003c000161
 5|MQTT-3.1.2-11|2003008100
10_H0a003c00000161
10_H12003c00000161
10_H1a003c00000161
client|will-retain-without-will|will retain without a will
 4|MQTT-3.1.2-15
10_H22003c000161
 5|MQTT-3.1.2-13|2003008100
10_H22003c00000161
server|acknowledge-flags-reserved|one of bits 7 to 1 of the acknowledge flags in a CONNACK
 4|3.2.2.1
20_0200
20_0400
20_4000
20_8000
20_fe00
20_ff00
 5|MQTT-3.2.2-1
20_020000
20_040000
20_400000
20_800000
20_fe0000
20_ff0000
server|session-present-with-error|session present with an error in a CONNACK
 4|MQTT-3.2.2-4
20_0101
20_0105
 5|MQTT-3.2.2-6
20_018000
20_019f00
client|fixed-header-flags|an AUTH whose fixed header flags are not 0000
 5|MQTT-3.15.1-1
f1_180415000161
f2_180415000161
f4_180415000161
f8_180415000161
ff_180415000161
client|more-than-one-packet|more than one packet where an AUTH is decoded
 5|MQTT-3.1.4-1
f00618041500016100
client|packet-incomplete|an AUTH that ends before its Remaining Length says
 5|MQTT-3.1.4-1
f005180415
client|variable-byte-integer-not-shortest|a Remaining Length of more bytes than needed
 5|MQTT-1.5.5-1|2003008100
108e0000044d5154540502003c00000161
108e80800000044d5154540502003c00000161
server|variable-byte-integer-not-shortest|a Remaining Length of more bytes than needed in a CONNACK
 5|MQTT-1.5.5-1
208300000000
client|variable-byte-integer-not-shortest|a Remaining Length of more bytes than needed in a DISCONNECT
 5|MQTT-1.5.5-1
e08000
client|variable-byte-integer-not-shortest|a Remaining Length of more bytes than needed in an AUTH
 5|MQTT-1.5.5-1
f08600180415000161
client|field-past-end|a field that continues after the packet: propertyLength
 5|MQTT-3.1.4-1|2003008100
10_H02003c
10_H02003c80
client|field-past-end|a field that continues after the packet: will.propertyLength
 5|MQTT-3.1.4-1|2003008100
10_H06003c00000161
10_H06003c00000161ff
client|field-past-end|a property list that continues after the packet: propertyLength
 5|MQTT-3.1.4-1|2003008100
10_H02003c04000161
10_H02003c07210001000161
10_H02003cffffff7f000161
client|field-past-end|a property list that continues after the packet: will.propertyLength
 5|MQTT-3.1.4-1|2003008100
10_H06003c0000016101
10_H06003c00000161090101000161000161
10_H06003c00000161808001000161000161
server|field-past-end|a CONNACK that ends before its last field: reasonCode
 5|3.2.1
20_00
server|field-past-end|a CONNACK that ends before its last field: propertyLength
 5|3.2.1
20_0000
20_000080
server|field-past-end|a property list that continues after the packet in a CONNACK
 5|3.2.1
20_000004210001
server|connack-code|a reason code that CONNACK does not have
 5|MQTT-3.2.2-8
20_000100
20_000500
20_001800
20_007f00
20_008b00
20_008d00
20_008e00
20_008f00
20_009100
20_009400
20_009600
20_009800
20_009e00
20_00a000
20_00a200
20_00ff00
client|property-not-allowed-here|a property that a CONNECT does not have: props.payloadFormatIndicator
 5|2.2.2.2|2003008100
10_H02003c020101000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.messageExpiryInterval
 5|2.2.2.2|2003008100
10_H02003c0502ffffffff000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.contentType
 5|2.2.2.2|2003008100
10_H02003c0403000161000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.responseTopic
 5|2.2.2.2|2003008100
10_H02003c0408000161000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.correlationData
 5|2.2.2.2|2003008100
10_H02003c0409000161000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.subscriptionIdentifier
 5|2.2.2.2|2003008100
10_H02003c020b01000161
client|property-past-end|a property of a CONNECT that continues after its list: props.sessionExpiryInterval
 5|2.2.2.2|2003008100
10_H02003c0111000161
client|property-twice|a property twice in a CONNECT: props.sessionExpiryInterval
 5|3.1.2.11|2003008200
10_H02003c0a11ffffffff11ffffffff000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.assignedClientIdentifier
 5|2.2.2.2|2003008100
10_H02003c0412000161000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.serverKeepAlive
 5|2.2.2.2|2003008100
10_H02003c0313ffff000161
client|property-past-end|a property of a CONNECT that continues after its list: props.authenticationMethod
 5|2.2.2.2|2003008100
10_H02003c0115000161
client|property-twice|a property twice in a CONNECT: props.authenticationMethod
 5|3.1.2.11|2003008200
10_H02003c081500016115000161000161
client|property-past-end|a property of a CONNECT that continues after its list: props.authenticationData
 5|2.2.2.2|2003008100
10_H02003c0116000161
client|property-twice|a property twice in a CONNECT: props.authenticationData
 5|3.1.2.11|2003008200
10_H02003c081600016116000161000161
client|property-past-end|a property of a CONNECT that continues after its list: props.requestProblemInformation
 5|2.2.2.2|2003008100
10_H02003c0117000161
client|property-twice|a property twice in a CONNECT: props.requestProblemInformation
 5|3.1.2.11|2003008200
10_H02003c0417011701000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.willDelayInterval
 5|2.2.2.2|2003008100
10_H02003c0518ffffffff000161
client|property-past-end|a property of a CONNECT that continues after its list: props.requestResponseInformation
 5|2.2.2.2|2003008100
10_H02003c0119000161
client|property-twice|a property twice in a CONNECT: props.requestResponseInformation
 5|3.1.2.11|2003008200
10_H02003c0419011901000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.responseInformation
 5|2.2.2.2|2003008100
10_H02003c041a000161000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.serverReference
 5|2.2.2.2|2003008100
10_H02003c041c000161000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.reasonString
 5|2.2.2.2|2003008100
10_H02003c041f000161000161
client|property-past-end|a property of a CONNECT that continues after its list: props.receiveMaximum
 5|2.2.2.2|2003008100
10_H02003c0121000161
client|property-twice|a property twice in a CONNECT: props.receiveMaximum
 5|3.1.2.11|2003008200
10_H02003c0621ffff21ffff000161
client|property-past-end|a property of a CONNECT that continues after its list: props.topicAliasMaximum
 5|2.2.2.2|2003008100
10_H02003c0122000161
client|property-twice|a property twice in a CONNECT: props.topicAliasMaximum
 5|3.1.2.11|2003008200
10_H02003c0622ffff22ffff000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.topicAlias
 5|2.2.2.2|2003008100
10_H02003c0323ffff000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.maximumQos
 5|2.2.2.2|2003008100
10_H02003c022401000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.retainAvailable
 5|2.2.2.2|2003008100
10_H02003c022501000161
client|property-past-end|a property of a CONNECT that continues after its list: props.userProperty
 5|2.2.2.2|2003008100
10_H02003c0126000161
client|property-past-end|a property of a CONNECT that continues after its list: props.maximumPacketSize
 5|2.2.2.2|2003008100
10_H02003c0127000161
client|property-twice|a property twice in a CONNECT: props.maximumPacketSize
 5|3.1.2.11|2003008200
10_H02003c0a27ffffffff27ffffffff000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.wildcardSubscriptionAvailable
 5|2.2.2.2|2003008100
10_H02003c022801000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.subscriptionIdentifierAvailable
 5|2.2.2.2|2003008100
10_H02003c022901000161
client|property-not-allowed-here|a property that a CONNECT does not have: props.sharedSubscriptionAvailable
 5|2.2.2.2|2003008100
10_H02003c022a01000161
client|property-past-end|a property of a will that continues after its list: will.props.payloadFormatIndicator
 5|2.2.2.2|2003008100
10_H06003c000001610101000161000161
client|will-property-twice|a property twice in a will: will.props.payloadFormatIndicator
 5|3.1.3.2|2003008200
10_H06003c000001610401010101000161000161
client|property-past-end|a property of a will that continues after its list: will.props.messageExpiryInterval
 5|2.2.2.2|2003008100
10_H06003c000001610102000161000161
client|will-property-twice|a property twice in a will: will.props.messageExpiryInterval
 5|3.1.3.2|2003008200
10_H06003c000001610a02ffffffff02ffffffff000161000161
client|property-past-end|a property of a will that continues after its list: will.props.contentType
 5|2.2.2.2|2003008100
10_H06003c000001610103000161000161
client|will-property-twice|a property twice in a will: will.props.contentType
 5|3.1.3.2|2003008200
10_H06003c00000161080300016103000161000161000161
client|property-past-end|a property of a will that continues after its list: will.props.responseTopic
 5|2.2.2.2|2003008100
10_H06003c000001610108000161000161
client|will-property-twice|a property twice in a will: will.props.responseTopic
 5|3.1.3.2|2003008200
10_H06003c00000161080800016108000161000161000161
client|property-past-end|a property of a will that continues after its list: will.props.correlationData
 5|2.2.2.2|2003008100
10_H06003c000001610109000161000161
client|will-property-twice|a property twice in a will: will.props.correlationData
 5|3.1.3.2|2003008200
10_H06003c00000161080900016109000161000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.subscriptionIdentifier
 5|2.2.2.2|2003008100
10_H06003c00000161020b01000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.sessionExpiryInterval
 5|2.2.2.2|2003008100
10_H06003c000001610511ffffffff000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.assignedClientIdentifier
 5|2.2.2.2|2003008100
10_H06003c000001610412000161000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.serverKeepAlive
 5|2.2.2.2|2003008100
10_H06003c000001610313ffff000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.authenticationMethod
 5|2.2.2.2|2003008100
10_H06003c000001610415000161000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.authenticationData
 5|2.2.2.2|2003008100
10_H06003c000001610416000161000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.requestProblemInformation
 5|2.2.2.2|2003008100
10_H06003c00000161021701000161000161
client|property-past-end|a property of a will that continues after its list: will.props.willDelayInterval
 5|2.2.2.2|2003008100
10_H06003c000001610118000161000161
client|will-property-twice|a property twice in a will: will.props.willDelayInterval
 5|3.1.3.2|2003008200
10_H06003c000001610a18ffffffff18ffffffff000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.requestResponseInformation
 5|2.2.2.2|2003008100
10_H06003c00000161021901000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.responseInformation
 5|2.2.2.2|2003008100
10_H06003c00000161041a000161000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.serverReference
 5|2.2.2.2|2003008100
10_H06003c00000161041c000161000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.reasonString
 5|2.2.2.2|2003008100
10_H06003c00000161041f000161000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.receiveMaximum
 5|2.2.2.2|2003008100
10_H06003c000001610321ffff000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.topicAliasMaximum
 5|2.2.2.2|2003008100
10_H06003c000001610322ffff000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.topicAlias
 5|2.2.2.2|2003008100
10_H06003c000001610323ffff000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.maximumQos
 5|2.2.2.2|2003008100
10_H06003c00000161022401000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.retainAvailable
 5|2.2.2.2|2003008100
10_H06003c00000161022501000161000161
client|property-past-end|a property of a will that continues after its list: will.props.userProperty
 5|2.2.2.2|2003008100
10_H06003c000001610126000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.maximumPacketSize
 5|2.2.2.2|2003008100
10_H06003c000001610527ffffffff000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.wildcardSubscriptionAvailable
 5|2.2.2.2|2003008100
10_H06003c00000161022801000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.subscriptionIdentifierAvailable
 5|2.2.2.2|2003008100
10_H06003c00000161022901000161000161
client|property-not-allowed-here|a property that a will does not have: will.props.sharedSubscriptionAvailable
 5|2.2.2.2|2003008100
10_H06003c00000161022a01000161000161
server|property-not-allowed-here|a property that a CONNACK does not have: props.payloadFormatIndicator
 5|3.2.2.3
20_0000020101
server|property-not-allowed-here|a property that a CONNACK does not have: props.messageExpiryInterval
 5|3.2.2.3
20_00000502ffffffff
server|property-not-allowed-here|a property that a CONNACK does not have: props.contentType
 5|3.2.2.3
20_00000403000161
server|property-not-allowed-here|a property that a CONNACK does not have: props.responseTopic
 5|3.2.2.3
20_00000408000161
server|property-not-allowed-here|a property that a CONNACK does not have: props.correlationData
 5|3.2.2.3
20_00000409000161
server|property-not-allowed-here|a property that a CONNACK does not have: props.subscriptionIdentifier
 5|3.2.2.3
20_0000020b01
server|property-past-end|a property of a CONNACK that continues after its list: props.sessionExpiryInterval
 5|3.2.2.3
20_00000111
server|property-twice|a property twice in a CONNACK: props.sessionExpiryInterval
 5|3.2.2.3
20_00000a11ffffffff11ffffffff
server|property-past-end|a property of a CONNACK that continues after its list: props.assignedClientIdentifier
 5|3.2.2.3
20_00000112
server|property-twice|a property twice in a CONNACK: props.assignedClientIdentifier
 5|3.2.2.3
20_0000081200016112000161
server|property-past-end|a property of a CONNACK that continues after its list: props.serverKeepAlive
 5|3.2.2.3
20_00000113
server|property-twice|a property twice in a CONNACK: props.serverKeepAlive
 5|3.2.2.3
20_00000613ffff13ffff
server|property-past-end|a property of a CONNACK that continues after its list: props.authenticationMethod
 5|3.2.2.3
20_00000115
server|property-twice|a property twice in a CONNACK: props.authenticationMethod
 5|3.2.2.3
20_0000081500016115000161
server|property-past-end|a property of a CONNACK that continues after its list: props.authenticationData
 5|3.2.2.3
20_00000116
server|property-twice|a property twice in a CONNACK: props.authenticationData
 5|3.2.2.3
20_0000081600016116000161
server|property-not-allowed-here|a property that a CONNACK does not have: props.requestProblemInformation
 5|3.2.2.3
20_0000021701
server|property-not-allowed-here|a property that a CONNACK does not have: props.willDelayInterval
 5|3.2.2.3
20_00000518ffffffff
server|property-not-allowed-here|a property that a CONNACK does not have: props.requestResponseInformation
 5|3.2.2.3
20_0000021901
server|property-past-end|a property of a CONNACK that continues after its list: props.responseInformation
 5|3.2.2.3
20_0000011a
server|property-twice|a property twice in a CONNACK: props.responseInformation
 5|3.2.2.3
20_0000081a0001611a000161
server|property-past-end|a property of a CONNACK that continues after its list: props.serverReference
 5|3.2.2.3
20_0000011c
server|property-twice|a property twice in a CONNACK: props.serverReference
 5|3.2.2.3
20_0000081c0001611c000161
server|property-past-end|a property of a CONNACK that continues after its list: props.reasonString
 5|3.2.2.3
20_0000011f
server|property-twice|a property twice in a CONNACK: props.reasonString
 5|3.2.2.3
20_0000081f0001611f000161
server|property-past-end|a property of a CONNACK that continues after its list: props.receiveMaximum
 5|3.2.2.3
20_00000121
server|property-twice|a property twice in a CONNACK: props.receiveMaximum
 5|3.2.2.3
20_00000621ffff21ffff
server|property-past-end|a property of a CONNACK that continues after its list: props.topicAliasMaximum
 5|3.2.2.3
20_00000122
server|property-twice|a property twice in a CONNACK: props.topicAliasMaximum
 5|3.2.2.3
20_00000622ffff22ffff
server|property-not-allowed-here|a property that a CONNACK does not have: props.topicAlias
 5|3.2.2.3
20_00000323ffff
server|property-past-end|a property of a CONNACK that continues after its list: props.maximumQos
 5|3.2.2.3
20_00000124
server|property-twice|a property twice in a CONNACK: props.maximumQos
 5|3.2.2.3
20_00000424012401
server|property-past-end|a property of a CONNACK that continues after its list: props.retainAvailable
 5|3.2.2.3
20_00000125
server|property-twice|a property twice in a CONNACK: props.retainAvailable
 5|3.2.2.3
20_00000425012501
server|property-past-end|a property of a CONNACK that continues after its list: props.userProperty
 5|3.2.2.3
20_00000126
server|property-past-end|a property of a CONNACK that continues after its list: props.maximumPacketSize
 5|3.2.2.3
20_00000127
server|property-twice|a property twice in a CONNACK: props.maximumPacketSize
 5|3.2.2.3
20_00000a27ffffffff27ffffffff
server|property-past-end|a property of a CONNACK that continues after its list: props.wildcardSubscriptionAvailable
 5|3.2.2.3
20_00000128
server|property-twice|a property twice in a CONNACK: props.wildcardSubscriptionAvailable
 5|3.2.2.3
20_00000428012801
server|property-past-end|a property of a CONNACK that continues after its list: props.subscriptionIdentifierAvailable
 5|3.2.2.3
20_00000129
server|property-twice|a property twice in a CONNACK: props.subscriptionIdentifierAvailable
 5|3.2.2.3
20_00000429012901
server|property-past-end|a property of a CONNACK that continues after its list: props.sharedSubscriptionAvailable
 5|3.2.2.3
20_0000012a
server|property-twice|a property twice in a CONNACK: props.sharedSubscriptionAvailable
 5|3.2.2.3
20_0000042a012a01
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.payloadFormatIndicator
 5|3.14.2.2
e0_00020101
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.messageExpiryInterval
 5|3.14.2.2
e0_000502ffffffff
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.contentType
 5|3.14.2.2
e0_000403000161
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.responseTopic
 5|3.14.2.2
e0_000408000161
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.correlationData
 5|3.14.2.2
e0_000409000161
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.subscriptionIdentifier
 5|3.14.2.2
e0_00020b01
client|property-past-end|a property of a DISCONNECT that continues after its list: props.sessionExpiryInterval
 5|3.14.2.2
e0_000111
client|property-twice|a property twice in a DISCONNECT: props.sessionExpiryInterval
 5|3.14.2.2
e0_000a11ffffffff11ffffffff
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.assignedClientIdentifier
 5|3.14.2.2
e0_000412000161
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.serverKeepAlive
 5|3.14.2.2
e0_000313ffff
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.authenticationMethod
 5|3.14.2.2
e0_000415000161
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.authenticationData
 5|3.14.2.2
e0_000416000161
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.requestProblemInformation
 5|3.14.2.2
e0_00021701
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.willDelayInterval
 5|3.14.2.2
e0_000518ffffffff
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.requestResponseInformation
 5|3.14.2.2
e0_00021901
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.responseInformation
 5|3.14.2.2
e0_00041a000161
server|property-past-end|a property of a DISCONNECT that continues after its list: props.serverReference
 5|3.14.2.2
e0_00011c
server|property-twice|a property twice in a DISCONNECT: props.serverReference
 5|3.14.2.2
e0_00081c0001611c000161
client|property-past-end|a property of a DISCONNECT that continues after its list: props.reasonString
 5|3.14.2.2
e0_00011f
client|property-twice|a property twice in a DISCONNECT: props.reasonString
 5|3.14.2.2
e0_00081f0001611f000161
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.receiveMaximum
 5|3.14.2.2
e0_000321ffff
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.topicAliasMaximum
 5|3.14.2.2
e0_000322ffff
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.topicAlias
 5|3.14.2.2
e0_000323ffff
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.maximumQos
 5|3.14.2.2
e0_00022401
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.retainAvailable
 5|3.14.2.2
e0_00022501
client|property-past-end|a property of a DISCONNECT that continues after its list: props.userProperty
 5|3.14.2.2
e0_000126
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.maximumPacketSize
 5|3.14.2.2
e0_000527ffffffff
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.wildcardSubscriptionAvailable
 5|3.14.2.2
e0_00022801
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.subscriptionIdentifierAvailable
 5|3.14.2.2
e0_00022901
client|property-not-allowed-here|a property that a DISCONNECT does not have: props.sharedSubscriptionAvailable
 5|3.14.2.2
e0_00022a01
client|property-not-allowed-here|a property that an AUTH does not have: props.payloadFormatIndicator
 5|3.15.2.2
f0_18020101
client|property-not-allowed-here|a property that an AUTH does not have: props.messageExpiryInterval
 5|3.15.2.2
f0_180502ffffffff
client|property-not-allowed-here|a property that an AUTH does not have: props.contentType
 5|3.15.2.2
f0_180403000161
client|property-not-allowed-here|a property that an AUTH does not have: props.responseTopic
 5|3.15.2.2
f0_180408000161
client|property-not-allowed-here|a property that an AUTH does not have: props.correlationData
 5|3.15.2.2
f0_180409000161
client|property-not-allowed-here|a property that an AUTH does not have: props.subscriptionIdentifier
 5|3.15.2.2
f0_18020b01
client|property-not-allowed-here|a property that an AUTH does not have: props.sessionExpiryInterval
 5|3.15.2.2
f0_180511ffffffff
client|property-not-allowed-here|a property that an AUTH does not have: props.assignedClientIdentifier
 5|3.15.2.2
f0_180412000161
client|property-not-allowed-here|a property that an AUTH does not have: props.serverKeepAlive
 5|3.15.2.2
f0_180313ffff
client|property-past-end|a property of an AUTH that continues after its list: props.authenticationMethod
 5|3.15.2.2
f0_180115
client|property-twice|a property twice in an AUTH: props.authenticationMethod
 5|3.15.2.2
f0_18081500016115000161
client|property-past-end|a property of an AUTH that continues after its list: props.authenticationData
 5|3.15.2.2
f0_180116
client|property-twice|a property twice in an AUTH: props.authenticationData
 5|3.15.2.2
f0_18081600016116000161
client|property-not-allowed-here|a property that an AUTH does not have: props.requestProblemInformation
 5|3.15.2.2
f0_18021701
client|property-not-allowed-here|a property that an AUTH does not have: props.willDelayInterval
 5|3.15.2.2
f0_180518ffffffff
client|property-not-allowed-here|a property that an AUTH does not have: props.requestResponseInformation
 5|3.15.2.2
f0_18021901
client|property-not-allowed-here|a property that an AUTH does not have: props.responseInformation
 5|3.15.2.2
f0_18041a000161
client|property-not-allowed-here|a property that an AUTH does not have: props.serverReference
 5|3.15.2.2
f0_18041c000161
client|property-past-end|a property of an AUTH that continues after its list: props.reasonString
 5|3.15.2.2
f0_18011f
client|property-twice|a property twice in an AUTH: props.reasonString
 5|3.15.2.2
f0_18081f0001611f000161
client|property-not-allowed-here|a property that an AUTH does not have: props.receiveMaximum
 5|3.15.2.2
f0_180321ffff
client|property-not-allowed-here|a property that an AUTH does not have: props.topicAliasMaximum
 5|3.15.2.2
f0_180322ffff
client|property-not-allowed-here|a property that an AUTH does not have: props.topicAlias
 5|3.15.2.2
f0_180323ffff
client|property-not-allowed-here|a property that an AUTH does not have: props.maximumQos
 5|3.15.2.2
f0_18022401
client|property-not-allowed-here|a property that an AUTH does not have: props.retainAvailable
 5|3.15.2.2
f0_18022501
client|property-past-end|a property of an AUTH that continues after its list: props.userProperty
 5|3.15.2.2
f0_180126
client|property-not-allowed-here|a property that an AUTH does not have: props.maximumPacketSize
 5|3.15.2.2
f0_180527ffffffff
client|property-not-allowed-here|a property that an AUTH does not have: props.wildcardSubscriptionAvailable
 5|3.15.2.2
f0_18022801
client|property-not-allowed-here|a property that an AUTH does not have: props.subscriptionIdentifierAvailable
 5|3.15.2.2
f0_18022901
client|property-not-allowed-here|a property that an AUTH does not have: props.sharedSubscriptionAvailable
 5|3.15.2.2
f0_18022a01
client|receive-maximum-zero|receive maximum 0
 5|3.1.2.11.3|2003008200
10_H02003c03210000000161
server|receive-maximum-zero|receive maximum 0 in a CONNACK
 5|3.2.2.3.3
20_000003210000
client|maximum-packet-size-zero|maximum packet size 0
 5|3.1.2.11.4|2003008200
10_H02003c052700000000000161
server|maximum-packet-size-zero|maximum packet size 0 in a CONNACK
 5|3.2.2.3.6
20_0000052700000000
client|request-response-information|request response information other than 0 and 1
 5|3.1.2.11.6|2003008200
10_H02003c021902000161
10_H02003c021980000161
10_H02003c0219ff000161
client|request-problem-information|request problem information other than 0 and 1
 5|3.1.2.11.7|2003008200
10_H02003c021702000161
10_H02003c021780000161
10_H02003c0217ff000161
client|payload-format-indicator|payload format indicator other than 0 and 1
 5|3.1.3.2.3|2003008100
10_H06003c00000161020102000161000161
10_H06003c00000161020180000161000161
10_H06003c000001610201ff000161000161
server|maximum-qos|maximum qos other than 0 and 1 in a CONNACK
 5|3.2.2.3.4
20_0000022402
20_0000022480
20_00000224ff
server|retain-available|retain available other than 0 and 1 in a CONNACK
 5|3.2.2.3.5
20_0000022502
20_0000022580
20_00000225ff
server|wildcard-subscription-available|wildcard subscription available other than 0 and 1 in a CONNACK
 5|3.2.2.3.11
20_0000022802
20_0000022880
20_00000228ff
server|subscription-identifier-available|subscription identifier available other than 0 and 1 in a CONNACK
 5|3.2.2.3.12
20_0000022902
20_0000022980
20_00000229ff
server|shared-subscription-available|shared subscription available other than 0 and 1 in a CONNACK
 5|3.2.2.3.13
20_0000022a02
20_0000022a80
20_0000022aff
client|authentication-data-without-method|authentication data without a method
 5|3.1.2.11.10|2003008200
10_H02003c0416000161000161
10_H02003c09210001160000220001000161
server|authentication-data-without-method|authentication data without a method in a CONNACK
 5|4.12
20_00000416000161
20_000009210001160000220001
client|response-topic-empty|an empty response topic
 5|MQTT-3.3.2-14|2003008200
10_H06003c0000016103080000000161000161
client|response-topic-wildcard|a response topic with a wildcard
 5|MQTT-3.3.2-14|2003008200
10_H06003c00000161040800012b000161000161
10_H06003c0000016106080003612f23000161000161
client|property-unknown|an unknown property identifier: props
 5|2.2.2.2|2003008100
10_H02003c020000000161
client|property-past-end|a property of a CONNECT that continues after its list: props
 5|2.2.2.2|2003008100
10_H02003c0191000161
client|variable-byte-integer-too-long|a property identifier of five bytes: props
 5|1.5.5|2003008100
10_H02003c06ffffffff7f00000161
10_H02003c059180808000000161
client|property-unknown|an unknown property identifier: will.props
 5|2.2.2.2|2003008100
10_H06003c00000161020000000161000161
client|property-past-end|a property of a will that continues after its list: will.props
 5|2.2.2.2|2003008100
10_H06003c000001610191000161000161
client|variable-byte-integer-too-long|a property identifier of five bytes: will.props
 5|1.5.5|2003008100
10_H06003c0000016106ffffffff7f00000161000161
10_H06003c00000161059180808000000161000161
server|property-unknown|an unknown property identifier in a CONNACK
 5|3.2.2.3
20_0000020000
server|property-past-end|a property of a CONNACK that continues after its list: props
 5|3.2.2.3
20_00000191
server|variable-byte-integer-too-long|a property identifier of five bytes in a CONNACK
 5|1.5.5
20_000006ffffffff7f00
20_0000059180808000
client|property-unknown|an unknown property identifier in a DISCONNECT
 5|3.14.2.2
e0_00020000
client|property-past-end|a property of a DISCONNECT that continues after its list: props
 5|3.14.2.2
e0_000191
client|variable-byte-integer-too-long|a property identifier of five bytes in a DISCONNECT
 5|1.5.5
e0_0006ffffffff7f00
e0_00059180808000
client|property-unknown|an unknown property identifier in an AUTH
 5|3.15.2.2
f0_18020000
client|property-past-end|a property of an AUTH that continues after its list: props
 5|3.15.2.2
f0_180191
client|variable-byte-integer-too-long|a property identifier of five bytes in an AUTH
 5|1.5.5
f0_1806ffffffff7f00
f0_18059180808000
client|variable-byte-integer-not-shortest|a property identifier or length of more bytes than needed: props.sessionExpiryInterval
 5|MQTT-1.5.5-1|2003008100
10_H02003c06910000000001000161
10_H02003c089180800000000001000161
client|variable-byte-integer-not-shortest|a property identifier or length of more bytes than needed: will.props.payloadFormatIndicator
 5|MQTT-1.5.5-1|2003008100
10_H06003c0000016103810001000161000161
server|variable-byte-integer-not-shortest|a property identifier or length of more bytes than needed in a CONNACK: props.maximumQos
 5|MQTT-1.5.5-1
20_000003a40001
client|variable-byte-integer-not-shortest|a property identifier or length of more bytes than needed in a DISCONNECT: props.reasonString
 5|MQTT-1.5.5-1
e0_00059f00000161
client|variable-byte-integer-not-shortest|a property identifier or length of more bytes than needed in an AUTH: props.reasonString
 5|MQTT-1.5.5-1
f0_1809150001619f00000161
client|variable-byte-integer-not-shortest|a property identifier or length of more bytes than needed: propertyLength
 5|MQTT-1.5.5-1|2003008100
10_H02003c8000000161
server|variable-byte-integer-not-shortest|a property identifier or length of more bytes than needed in a CONNACK: propertyLength
 5|MQTT-1.5.5-1
20_0000808000
20_000082002401
client|variable-byte-integer-not-shortest|a property identifier or length of more bytes than needed in a DISCONNECT: propertyLength
 5|MQTT-1.5.5-1
e0_008000
client|variable-byte-integer-not-shortest|a property identifier or length of more bytes than needed in an AUTH: propertyLength
 5|MQTT-1.5.5-1
f0_18840015000161
client|variable-byte-integer-not-shortest|a property identifier or length of more bytes than needed: will.propertyLength
 5|MQTT-1.5.5-1|2003008100
10_H06003c00000161808000000161000161
client|variable-byte-integer-too-long|a property length of five bytes: propertyLength
 5|1.5.5|2003008100
10_H02003c8080808001000161
server|variable-byte-integer-too-long|a property length of five bytes in a CONNACK
 5|1.5.5
20_0000ffffffff7f
client|variable-byte-integer-too-long|a property length of five bytes in a DISCONNECT
 5|1.5.5
e0_00ffffffff7f
client|variable-byte-integer-too-long|a property length of five bytes in an AUTH
 5|1.5.5
f0_188080808001
client|variable-byte-integer-too-long|a property length of five bytes: will.propertyLength
 5|1.5.5|2003008100
10_H06003c00000161ffffffff7f000161000161
client|property-not-utf8|a property that is not well-formed UTF-8: props.authenticationMethod
 5|MQTT-1.5.4-1|2003008100
10_H02003c06150003eda080000161
client|property-nul|a property with U+0000: props.authenticationMethod
 5|MQTT-1.5.4-2|2003008100
10_H02003c0415000100000161
client|property-not-utf8|a property that is not well-formed UTF-8: will.props.contentType
 5|MQTT-1.5.4-1|2003008100
10_H06003c0000016106030003eda080000161000161
client|property-nul|a property with U+0000: will.props.contentType
 5|MQTT-1.5.4-2|2003008100
10_H06003c000001610403000100000161000161
client|property-not-utf8|a property that is not well-formed UTF-8: will.props.responseTopic
 5|MQTT-1.5.4-1|2003008100
10_H06003c0000016106080003eda080000161000161
client|property-nul|a property with U+0000: will.props.responseTopic
 5|MQTT-1.5.4-2|2003008100
10_H06003c000001610408000100000161000161
server|property-not-utf8|a property that is not well-formed UTF-8 in a CONNACK: props.assignedClientIdentifier
 5|MQTT-1.5.4-1
20_000006120003eda080
server|property-nul|a property with U+0000 in a CONNACK: props.assignedClientIdentifier
 5|MQTT-1.5.4-2
20_00000412000100
server|property-not-utf8|a property that is not well-formed UTF-8 in a CONNACK: props.reasonString
 5|MQTT-1.5.4-1
20_0000061f0003eda080
server|property-nul|a property with U+0000 in a CONNACK: props.reasonString
 5|MQTT-1.5.4-2
20_0000041f000100
server|property-not-utf8|a property that is not well-formed UTF-8 in a CONNACK: props.responseInformation
 5|MQTT-1.5.4-1
20_0000061a0003eda080
server|property-nul|a property with U+0000 in a CONNACK: props.responseInformation
 5|MQTT-1.5.4-2
20_0000041a000100
server|property-not-utf8|a property that is not well-formed UTF-8 in a CONNACK: props.serverReference
 5|MQTT-1.5.4-1
20_0000061c0003eda080
server|property-nul|a property with U+0000 in a CONNACK: props.serverReference
 5|MQTT-1.5.4-2
20_0000041c000100
client|user-property-not-utf8|a user property that is not well-formed UTF-8: props.userProperty
 5|MQTT-1.5.7-1|2003008100
10_H02003c09260003eda080000161000161
client|user-property-nul|a user property with U+0000: props.userProperty
 5|MQTT-1.5.7-1|2003008100
10_H02003c0726000100000161000161
client|user-property-not-utf8|a user property that is not well-formed UTF-8: will.props.userProperty
 5|MQTT-1.5.7-1|2003008100
10_H06003c0000016109260003eda080000161000161000161
client|user-property-nul|a user property with U+0000: will.props.userProperty
 5|MQTT-1.5.7-1|2003008100
10_H06003c000001610726000100000161000161000161
client|field-past-end|a DISCONNECT that ends within its property length
 5|3.14.2
e0_0080
client|field-past-end|a property list that continues after a DISCONNECT
 5|3.14.2
e0_00041f0001
server|field-past-end|a property list that continues after a DISCONNECT
 5|3.14.2
e0_8bffffff7f1f0000
client|bytes-left-over|a DISCONNECT with bytes after its properties
 5|3.14.2
e0_000000
e0_8000000161
e0_00041f0001611f000161
client|field-past-end|an AUTH that ends before its property length
 5|3.15.2
f0_18
client|field-past-end|an AUTH that ends within its property length
 5|3.15.2
f0_1880
client|field-past-end|a property list that continues after an AUTH
 5|3.15.2
f0_180515000161
client|bytes-left-over|an AUTH with bytes after its properties
 5|3.15.2
f0_18041500016100
f0_18041500016116000161
client|disconnect-code|a reason code that DISCONNECT does not have
 5|MQTT-3.14.2-1
e0_01
e0_0100
e0_02
e0_0200
e0_03
e0_0300
e0_05
e0_0500
e0_18
e0_1800
e0_19
e0_1900
e0_7f
e0_7f00
e0_84
e0_8400
e0_85
e0_8500
e0_86
e0_8600
e0_88
e0_8800
e0_8a
e0_8a00
e0_91
e0_9100
e0_92
e0_9200
e0_a3
e0_a300
e0_fe
e0_fe00
e0_ff
e0_ff00
client|disconnect-bad-authentication-method|reason code 0x8C in a DISCONNECT
 5|MQTT-3.14.2-1
e0_8c
e0_8c041f000161
client|auth-code|a reason code that AUTH does not have
 5|MQTT-3.15.2-1
f0_010415000161
f0_040415000161
f0_170415000161
f0_1a0415000161
f0_7f0415000161
f0_800415000161
f0_8c0415000161
f0_980415000161
f0_ff0415000161
client|authentication-method-missing|an AUTH without an authentication method
 5|MQTT-4.12.0-5
f0_1800
f0_190b1f00016126000161000161
server|authentication-method-missing|an AUTH without an authentication method
 5|MQTT-4.12.0-5
f0_000416000161
client|authentication-method-missing|an AUTH without a body
 5|MQTT-4.12.0-5
f0_
client|wrong-sender|a reason code of DISCONNECT that only a server sends, from a client
 5|MQTT-3.14.2-1
e0_87
e0_89
e0_8b
e0_8d
e0_8e
e0_8f
e0_9a
e0_9b
e0_9c
e0_9d
e0_9e
e0_9f
e0_a0
e0_a1
e0_a2
server|wrong-sender|disconnect with will message (0x04) from a server in a DISCONNECT
 5|MQTT-3.14.2-1
e0_04
server|wrong-sender|a session expiry interval in a DISCONNECT from a server
 5|MQTT-3.14.2-2
e0_000c26000161000161110000003c
client|wrong-sender|a server reference in a DISCONNECT from a client
 5|3.14.2.2.5
e0_00041c000161
client|wrong-sender|success (0x00) in an AUTH from a client
 5|MQTT-3.15.2-1
f0_000415000161
server|wrong-sender|re-authenticate (0x19) in an AUTH from a server
 5|MQTT-3.15.2-1
f0_190415000161
client||the client id 0
 3|3.1
10_H02003c000130
 4|MQTT-3.1.3-5
10_H02003c000130
 5|MQTT-3.1.3-5
10_H02003c00000130
client||the client id Z
 3|3.1
10_H02003c00015a
 4|MQTT-3.1.3-5
10_H02003c00015a
 5|MQTT-3.1.3-5
10_H02003c0000015a
client||the client id 0123456789abcdefghijklm
 3|3.1
10_H02003c0017303132333435363738396162636465666768696a6b6c6d
 4|MQTT-3.1.3-5
10_H02003c0017303132333435363738396162636465666768696a6b6c6d
 5|MQTT-3.1.3-5
10_H02003c000017303132333435363738396162636465666768696a6b6c6d
client||the client id nopqrstuvwxyzABCDEFGHIJ
 3|3.1
10_H02003c00176e6f707172737475767778797a4142434445464748494a
 4|MQTT-3.1.3-5
10_H02003c00176e6f707172737475767778797a4142434445464748494a
 5|MQTT-3.1.3-5
10_H02003c0000176e6f707172737475767778797a4142434445464748494a
client||the client id KLMNOPQRSTUVWXYZ
 3|3.1
10_H02003c00104b4c4d4e4f505152535455565758595a
 4|MQTT-3.1.3-5
10_H02003c00104b4c4d4e4f505152535455565758595a
 5|MQTT-3.1.3-5
10_H02003c0000104b4c4d4e4f505152535455565758595a
client||keep alive 0
 3|3.1
10_H020000000161
 4|3.1.2.10
10_H020000000161
 5|3.1.2.10
10_H02000000000161
client||keep alive 65,535
 3|3.1
10_H02ffff000161
 4|3.1.2.10
10_H02ffff000161
 5|3.1.2.10
10_H02ffff00000161
client||a will with QoS 0
 3|3.1
10_H06003c000161000161000161
 4|3.1.2.6
10_H06003c000161000161000161
 5|3.1.2.6
10_H06003c0000016100000161000161
client||a will with QoS 0 and will retain
 3|3.1
10_H26003c000161000161000161
 4|3.1.2.6
10_H26003c000161000161000161
 5|3.1.2.6
10_H26003c0000016100000161000161
client||a will with QoS 1
 3|3.1
10_H0e003c000161000161000161
 4|3.1.2.6
10_H0e003c000161000161000161
 5|3.1.2.6
10_H0e003c0000016100000161000161
client||a will with QoS 1 and will retain
 3|3.1
10_H2e003c000161000161000161
 4|3.1.2.6
10_H2e003c000161000161000161
 5|3.1.2.6
10_H2e003c0000016100000161000161
client||a will with QoS 2
 3|3.1
10_H16003c000161000161000161
 4|3.1.2.6
10_H16003c000161000161000161
 5|3.1.2.6
10_H16003c0000016100000161000161
client||a will with QoS 2 and will retain
 3|3.1
10_H36003c000161000161000161
 4|3.1.2.6
10_H36003c000161000161000161
 5|3.1.2.6
10_H36003c0000016100000161000161
client||a will with an empty message
 3|3.1
10_H06003c0001610001610000
 4|3.1.3.3
10_H06003c0001610001610000
 5|3.1.3.4
10_H06003c00000161000001610000
client||a will topic of 65,535 bytes
 3|3.1
10_H06003c000161ffff61*65535;000161
 4|1.5.3
10_H06003c000161ffff61*65535;000161
 5|1.5.4
10_H06003c0000016100ffff61*65535;000161
client||a will message of 65,535 bytes
 3|3.1
10_H06003c000161000161ffff61*65535;
 4|3.1.3.3
10_H06003c000161000161ffff61*65535;
 5|1.5.6
10_H06003c0000016100000161ffff61*65535;
client||a user name without a password
 3|3.1
10_H82003c000161000161
 4|3.1.3.4
10_H82003c000161000161
 5|3.1.3.5
10_H82003c00000161000161
client||an empty user name
 3|3.1
10_H82003c0001610000
 4|3.1.3.4
10_H82003c0001610000
 5|3.1.3.5
10_H82003c000001610000
client||an empty user name and an empty password
 3|3.1
10_Hc2003c00016100000000
 4|3.1.3.5
10_Hc2003c00016100000000
 5|3.1.3.6
10_Hc2003c0000016100000000
client||a user name and a password of 65,535 bytes
 3|3.1
10_Hc2003c000161ffff61*65535;ffff61*65535;
 4|3.1.3.5
10_Hc2003c000161ffff61*65535;ffff61*65535;
 5|3.1.3.6
10_Hc2003c00000161ffff61*65535;ffff61*65535;
client||every field
 3|3.1
10_Hee003c000161000161000161000161000161
 4|3.1.2
10_Hee003c000161000161000161000161000161
 5|3.1.2
10_Hee003c0000016100000161000161000161000161
client||a client id of 23 characters
 3|3.1
10_H02003c001761*23;
client||a client id of 23 characters of several bytes
 3|3.1
10_H02003c0045e282ace282ace282ace282ace282ace282ace282ace282ace282ace282ace282ace282ace282ace282ace282ace282ace282ace282ace282ace282ace282ace282ace282ac
client||bit 0 of the connect flags
 3|3.1
10_H03003c000161
client||will QoS without a will
 3|3.1
10_H1a003c000161
client||will retain without a will
 3|3.1
10_H22003c000161
client||a user name flag without a user name
 3|3.1
10_H82003c000161
client||both flags without user name and password
 3|3.1
10_Hc2003c000161
client||a password flag without a password
 3|3.1
10_Hc2003c000161000161
client||a will before an absent user name
 3|3.1
10_H86003c000161000161000161
client||user name and password
 3|3.1
10_Hc2003c00016100016100020062
client||a Remaining Length of two bytes where one is enough
 3|2.1
108f0000064d51497364700302003c000161
 4|2.2.3
108d0000044d5154540402003c000161
server||anything in the reserved byte of a CONNACK
 3|3.2
20_ff05
server||every return code, 0 to 5
 3|3.2
20_0005
client||a DISCONNECT, which has no fields
 3|3.14
e0_
 4|3.14.1
e0_
client||a client id of 65,535 bytes
 4|1.5.3
10_H02003cffff61*65535;
 5|1.5.4
10_H02003c00ffff61*65535;
client||an empty client id with clean session
 4|MQTT-3.1.3-8
10_H02003c0000
client||a client id of more than 23 characters
 4|MQTT-3.1.3-5
10_H02003c001861*24;
 5|MQTT-3.1.3-5
10_H02003c00001861*24;
client||a Remaining Length of four bytes where one is enough
 4|2.2.3
108d80800000044d5154540402003c000161
server||a CONNACK whose Remaining Length has two bytes
 4|3.2.1
2082000000
client||a client id that looks like a property list
 4|3.1.2.11
10_H02003c00052161012161
server||session present with return code 0
 4|MQTT-3.2.2-4
20_0100
client||a will message of any bytes
 4|3.1.3.3
10_H06003c0001610001610003ff00c0
client||a will topic before a length whose first byte is that of a wildcard
 4|MQTT-4.7.1-1
10_H06003c0001610002c3a9230061*8960;
server||return code 0 in a CONNACK
 4|3.2.2.3
20_0000
server||return code 1 in a CONNACK
 4|3.2.2.3
20_0001
server||return code 2 in a CONNACK
 4|3.2.2.3
20_0002
server||return code 3 in a CONNACK
 4|3.2.2.3
20_0003
server||return code 4 in a CONNACK
 4|3.2.2.3
20_0004
server||return code 5 in a CONNACK
 4|3.2.2.3
20_0005
client||a DISCONNECT whose Remaining Length has two bytes
 4|3.14.1
e08000
client||a password without a user name
 5|MQTT-3.1.2-22
10_H42003c00000161000161
client||an empty password without a user name
 5|MQTT-3.1.2-22
10_H42003c000001610000
client||an empty client id without clean start
 5|MQTT-3.1.3-8
10_H00003c000000
server||session present with reason code 0
 5|MQTT-3.2.2-6
20_010000
client||authentication data before its method
 5|3.1.2.11.10
10_H02003c081600016115000161000161
client||a will message that is not UTF-8, although its properties say so
 5|3.1.3.2.3
10_H06003c000001610201010001610001ff
client||sessionExpiryInterval in a CONNECT
 5|2.2.2.2
10_H02003c0511ffffffff000161
client||authenticationMethod in a CONNECT
 5|2.2.2.2
10_H02003c0415000161000161
client||authenticationData in a CONNECT
 5|2.2.2.2
10_H02003c081500016116000161000161
client||requestProblemInformation in a CONNECT
 5|2.2.2.2
10_H02003c021701000161
client||requestResponseInformation in a CONNECT
 5|2.2.2.2
10_H02003c021901000161
client||receiveMaximum in a CONNECT
 5|2.2.2.2
10_H02003c0321ffff000161
client||topicAliasMaximum in a CONNECT
 5|2.2.2.2
10_H02003c0322ffff000161
client||userProperty in a CONNECT
 5|2.2.2.2
10_H02003c0726000161000161000161
client||maximumPacketSize in a CONNECT
 5|2.2.2.2
10_H02003c0527ffffffff000161
client||authenticationMethod of 65,535 bytes in a CONNECT
 5|2.2.2.2
10_H02003c82800415ffff61*65535;000161
client||authenticationData of 65,535 bytes in a CONNECT
 5|2.2.2.2
10_H02003c8680041500016116ffff61*65535;000161
client||userProperty of 65,535 bytes in a CONNECT
 5|2.2.2.2
10_H02003c83800826ffff61*65535;ffff61*65535;000161
client||all properties of a CONNECT that a client or a server sends together, and user properties twice
 5|2.2.2.2
10_H02003c2a11ffffffff15000161160001611701190121ffff22ffff2600016100016127ffffffff26000161000161000161
client||a property list of 127 bytes in a CONNECT
 5|2.2.2.1
10_H02003c7f26000161007962*121;000161
client||a property list of 128 bytes in a CONNECT
 5|2.2.2.1
10_H02003c800126000161007a62*122;000161
client||a property list of 16,383 bytes in a CONNECT
 5|2.2.2.1
10_H02003cff7f260001613ff962*16377;000161
client||a property list of 16,384 bytes in a CONNECT
 5|2.2.2.1
10_H02003c808001260001613ffa62*16378;000161
client||payloadFormatIndicator in a will
 5|2.2.2.2
10_H06003c00000161020101000161000161
client||messageExpiryInterval in a will
 5|2.2.2.2
10_H06003c000001610502ffffffff000161000161
client||contentType in a will
 5|2.2.2.2
10_H06003c000001610403000161000161000161
client||responseTopic in a will
 5|2.2.2.2
10_H06003c000001610408000161000161000161
client||correlationData in a will
 5|2.2.2.2
10_H06003c000001610409000161000161000161
client||willDelayInterval in a will
 5|2.2.2.2
10_H06003c000001610518ffffffff000161000161
client||userProperty in a will
 5|2.2.2.2
10_H06003c000001610726000161000161000161000161
client||contentType of 65,535 bytes in a will
 5|2.2.2.2
10_H06003c0000016182800403ffff61*65535;000161000161
client||responseTopic of 65,535 bytes in a will
 5|2.2.2.2
10_H06003c0000016182800408ffff61*65535;000161000161
client||correlationData of 65,535 bytes in a will
 5|2.2.2.2
10_H06003c0000016182800409ffff61*65535;000161000161
client||userProperty of 65,535 bytes in a will
 5|2.2.2.2
10_H06003c0000016183800826ffff61*65535;ffff61*65535;000161000161
client||all properties of a will that a client or a server sends together, and user properties twice
 5|2.2.2.2
10_H06003c0000016126010102ffffffff03000161080001610900016118ffffffff2600016100016126000161000161000161000161
client||a property list of 127 bytes in a will
 5|2.2.2.1
10_H06003c000001617f26000161007962*121;000161000161
client||a property list of 128 bytes in a will
 5|2.2.2.1
10_H06003c00000161800126000161007a62*122;000161000161
client||a property list of 16,383 bytes in a will
 5|2.2.2.1
10_H06003c00000161ff7f260001613ff962*16377;000161000161
client||a property list of 16,384 bytes in a will
 5|2.2.2.1
10_H06003c00000161808001260001613ffa62*16378;000161000161
server||sessionExpiryInterval in a CONNACK
 5|3.2.2.3
20_00000511ffffffff
server||assignedClientIdentifier in a CONNACK
 5|3.2.2.3
20_00000412000161
server||serverKeepAlive in a CONNACK
 5|3.2.2.3
20_00000313ffff
server||authenticationMethod in a CONNACK
 5|3.2.2.3
20_00000415000161
server||authenticationData in a CONNACK
 5|3.2.2.3
20_0000081500016116000161
server||responseInformation in a CONNACK
 5|3.2.2.3
20_0000041a000161
server||serverReference in a CONNACK
 5|3.2.2.3
20_0000041c000161
server||reasonString in a CONNACK
 5|3.2.2.3
20_0000041f000161
server||receiveMaximum in a CONNACK
 5|3.2.2.3
20_00000321ffff
server||topicAliasMaximum in a CONNACK
 5|3.2.2.3
20_00000322ffff
server||maximumQos in a CONNACK
 5|3.2.2.3
20_0000022401
server||retainAvailable in a CONNACK
 5|3.2.2.3
20_0000022501
server||userProperty in a CONNACK
 5|3.2.2.3
20_00000726000161000161
server||maximumPacketSize in a CONNACK
 5|3.2.2.3
20_00000527ffffffff
server||wildcardSubscriptionAvailable in a CONNACK
 5|3.2.2.3
20_0000022801
server||subscriptionIdentifierAvailable in a CONNACK
 5|3.2.2.3
20_0000022901
server||sharedSubscriptionAvailable in a CONNACK
 5|3.2.2.3
20_0000022a01
server||assignedClientIdentifier of 65,535 bytes in a CONNACK
 5|3.2.2.3
20_000082800412ffff61*65535;
server||authenticationMethod of 65,535 bytes in a CONNACK
 5|3.2.2.3
20_000082800415ffff61*65535;
server||authenticationData of 65,535 bytes in a CONNACK
 5|3.2.2.3
20_00008680041500016116ffff61*65535;
server||responseInformation of 65,535 bytes in a CONNACK
 5|3.2.2.3
20_00008280041affff61*65535;
server||serverReference of 65,535 bytes in a CONNACK
 5|3.2.2.3
20_00008280041cffff61*65535;
server||reasonString of 65,535 bytes in a CONNACK
 5|3.2.2.3
20_00008280041fffff61*65535;
server||userProperty of 65,535 bytes in a CONNACK
 5|3.2.2.3
20_000083800826ffff61*65535;ffff61*65535;
server||all properties of a CONNACK that a client or a server sends together, and user properties twice
 5|3.2.2.3
20_00004311ffffffff1200016113ffff15000161160001611a0001611c0001611f00016121ffff22ffff240125012600016100016127ffffffff280129012a0126000161000161
server||a property list of 127 bytes in a CONNACK
 5|2.2.2.1
20_00007f26000161007962*121;
server||a property list of 128 bytes in a CONNACK
 5|2.2.2.1
20_0000800126000161007a62*122;
server||a property list of 16,383 bytes in a CONNACK
 5|2.2.2.1
20_0000ff7f260001613ff962*16377;
server||a property list of 16,384 bytes in a CONNACK
 5|2.2.2.1
20_0000808001260001613ffa62*16378;
client||sessionExpiryInterval in a DISCONNECT
 5|3.14.2.2
e0_000511ffffffff
server||serverReference in a DISCONNECT
 5|3.14.2.2
e0_00041c000161
client||reasonString in a DISCONNECT
 5|3.14.2.2
e0_00041f000161
client||userProperty in a DISCONNECT
 5|3.14.2.2
e0_000726000161000161
server||serverReference of 65,535 bytes in a DISCONNECT
 5|3.14.2.2
e0_008280041cffff61*65535;
client||reasonString of 65,535 bytes in a DISCONNECT
 5|3.14.2.2
e0_008280041fffff61*65535;
client||userProperty of 65,535 bytes in a DISCONNECT
 5|3.14.2.2
e0_0083800826ffff61*65535;ffff61*65535;
client||all properties of a DISCONNECT that a client or a server sends together, and user properties twice
 5|3.14.2.2
e0_001711ffffffff1f0001612600016100016126000161000161
client||a property list of 127 bytes in a DISCONNECT
 5|2.2.2.1
e0_007f26000161007962*121;
client||a property list of 128 bytes in a DISCONNECT
 5|2.2.2.1
e0_00800126000161007a62*122;
client||a property list of 16,383 bytes in a DISCONNECT
 5|2.2.2.1
e0_00ff7f260001613ff962*16377;
client||a property list of 16,384 bytes in a DISCONNECT
 5|2.2.2.1
e0_00808001260001613ffa62*16378;
client||authenticationMethod in an AUTH
 5|3.15.2.2
f0_180415000161
client||authenticationData in an AUTH
 5|3.15.2.2
f0_18081500016116000161
client||reasonString in an AUTH
 5|3.15.2.2
f0_1808150001611f000161
client||userProperty in an AUTH
 5|3.15.2.2
f0_180b1500016126000161000161
client||authenticationMethod of 65,535 bytes in an AUTH
 5|3.15.2.2
f0_1882800415ffff61*65535;
client||authenticationData of 65,535 bytes in an AUTH
 5|3.15.2.2
f0_188680041500016116ffff61*65535;
client||reasonString of 65,535 bytes in an AUTH
 5|3.15.2.2
f0_18868004150001611fffff61*65535;
client||userProperty of 65,535 bytes in an AUTH
 5|3.15.2.2
f0_188780081500016126ffff61*65535;ffff61*65535;
client||all properties of an AUTH that a client or a server sends together, and user properties twice
 5|3.15.2.2
f0_181a15000161160001611f0001612600016100016126000161000161
client||a property list of 127 bytes in an AUTH
 5|2.2.2.1
f0_187f1500016126000161007562*117;
client||a property list of 128 bytes in an AUTH
 5|2.2.2.1
f0_1880011500016126000161007662*118;
client||a property list of 16,383 bytes in an AUTH
 5|2.2.2.1
f0_18ff7f15000161260001613ff562*16373;
client||a property list of 16,384 bytes in an AUTH
 5|2.2.2.1
f0_1880800115000161260001613ff662*16374;
server||reason code 0x00 in a CONNACK
 5|3.2.2.2
20_000000
server||reason code 0x80 in a CONNACK
 5|3.2.2.2
20_008000
server||reason code 0x81 in a CONNACK
 5|3.2.2.2
20_008100
server||reason code 0x82 in a CONNACK
 5|3.2.2.2
20_008200
server||reason code 0x83 in a CONNACK
 5|3.2.2.2
20_008300
server||reason code 0x84 in a CONNACK
 5|3.2.2.2
20_008400
server||reason code 0x85 in a CONNACK
 5|3.2.2.2
20_008500
server||reason code 0x86 in a CONNACK
 5|3.2.2.2
20_008600
server||reason code 0x87 in a CONNACK
 5|3.2.2.2
20_008700
server||reason code 0x88 in a CONNACK
 5|3.2.2.2
20_008800
server||reason code 0x89 in a CONNACK
 5|3.2.2.2
20_008900
server||reason code 0x8A in a CONNACK
 5|3.2.2.2
20_008a00
server||reason code 0x8C in a CONNACK
 5|3.2.2.2
20_008c00
server||reason code 0x90 in a CONNACK
 5|3.2.2.2
20_009000
server||reason code 0x95 in a CONNACK
 5|3.2.2.2
20_009500
server||reason code 0x97 in a CONNACK
 5|3.2.2.2
20_009700
server||reason code 0x99 in a CONNACK
 5|3.2.2.2
20_009900
server||reason code 0x9A in a CONNACK
 5|3.2.2.2
20_009a00
server||reason code 0x9B in a CONNACK
 5|3.2.2.2
20_009b00
server||reason code 0x9C in a CONNACK
 5|3.2.2.2
20_009c00
server||reason code 0x9D in a CONNACK
 5|3.2.2.2
20_009d00
server||reason code 0x9F in a CONNACK
 5|3.2.2.2
20_009f00
client||a DISCONNECT without a reason code, which is 0x00
 5|3.14.2.1
e0_
client||a DISCONNECT with reason code 0x00
 5|3.14.2.1
e0_00
client||a DISCONNECT without properties
 5|3.14.2.2.1
e0_0000
client||a DISCONNECT with an error and without properties
 5|3.14.2.2.1
e0_8000
server||a DISCONNECT with an error and properties
 5|3.14.2.2.1
e0_8b041f000161
client||reason code 0x04 in a DISCONNECT
 5|3.14.2.1
e0_04
client||reason code 0x80 in a DISCONNECT
 5|3.14.2.1
e0_80
client||reason code 0x81 in a DISCONNECT
 5|3.14.2.1
e0_81
client||reason code 0x82 in a DISCONNECT
 5|3.14.2.1
e0_82
client||reason code 0x83 in a DISCONNECT
 5|3.14.2.1
e0_83
server||reason code 0x87 in a DISCONNECT
 5|3.14.2.1
e0_87
server||reason code 0x89 in a DISCONNECT
 5|3.14.2.1
e0_89
server||reason code 0x8B in a DISCONNECT
 5|3.14.2.1
e0_8b
server||reason code 0x8D in a DISCONNECT
 5|3.14.2.1
e0_8d
server||reason code 0x8E in a DISCONNECT
 5|3.14.2.1
e0_8e
server||reason code 0x8F in a DISCONNECT
 5|3.14.2.1
e0_8f
client||reason code 0x90 in a DISCONNECT
 5|3.14.2.1
e0_90
client||reason code 0x93 in a DISCONNECT
 5|3.14.2.1
e0_93
client||reason code 0x94 in a DISCONNECT
 5|3.14.2.1
e0_94
client||reason code 0x95 in a DISCONNECT
 5|3.14.2.1
e0_95
client||reason code 0x96 in a DISCONNECT
 5|3.14.2.1
e0_96
client||reason code 0x97 in a DISCONNECT
 5|3.14.2.1
e0_97
client||reason code 0x98 in a DISCONNECT
 5|3.14.2.1
e0_98
client||reason code 0x99 in a DISCONNECT
 5|3.14.2.1
e0_99
server||reason code 0x9A in a DISCONNECT
 5|3.14.2.1
e0_9a
server||reason code 0x9B in a DISCONNECT
 5|3.14.2.1
e0_9b
server||reason code 0x9C in a DISCONNECT
 5|3.14.2.1
e0_9c
server||reason code 0x9D in a DISCONNECT
 5|3.14.2.1
e0_9d
server||reason code 0x9E in a DISCONNECT
 5|3.14.2.1
e0_9e
server||reason code 0x9F in a DISCONNECT
 5|3.14.2.1
e0_9f
server||reason code 0xA0 in a DISCONNECT
 5|3.14.2.1
e0_a0
server||reason code 0xA1 in a DISCONNECT
 5|3.14.2.1
e0_a1
server||reason code 0xA2 in a DISCONNECT
 5|3.14.2.1
e0_a2
server||reason code 0x00 in an AUTH
 5|3.15.2.1
f0_000415000161
client||reason code 0x18 in an AUTH
 5|3.15.2.1
f0_180415000161
client||reason code 0x19 in an AUTH
 5|3.15.2.1
f0_190415000161
client||authentication data before its method in an AUTH
 5|3.15.2.2.3
f0_18081600016115000161
`
