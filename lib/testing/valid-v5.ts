/** Who sends it, code, clause, bytes, answer, name, options. `npm run docs` writes this file. */
export const valid_v5: string = `
client||MQTT-3.1.3-5|100e00044d5154540502003c00000130||the client id 0
client||MQTT-3.1.3-5|100e00044d5154540502003c0000015a||the client id Z
client||MQTT-3.1.3-5|102400044d5154540502003c000017303132333435363738396162636465666768696a6b6c6d||the client id 0123456789abcdefghijklm
client||MQTT-3.1.3-5|102400044d5154540502003c0000176e6f707172737475767778797a4142434445464748494a||the client id nopqrstuvwxyzABCDEFGHIJ
client||MQTT-3.1.3-5|101d00044d5154540502003c0000104b4c4d4e4f505152535455565758595a||the client id KLMNOPQRSTUVWXYZ
client||3.1.2.10|100e00044d5154540502000000000161||keep alive 0
client||3.1.2.10|100e00044d5154540502ffff00000161||keep alive 65,535
client||3.1.2.6|101500044d5154540506003c0000016100000161000161||a will with QoS 0
client||3.1.2.6|101500044d5154540526003c0000016100000161000161||a will with QoS 0 and will retain
client||3.1.2.6|101500044d515454050e003c0000016100000161000161||a will with QoS 1
client||3.1.2.6|101500044d515454052e003c0000016100000161000161||a will with QoS 1 and will retain
client||3.1.2.6|101500044d5154540516003c0000016100000161000161||a will with QoS 2
client||3.1.2.6|101500044d5154540536003c0000016100000161000161||a will with QoS 2 and will retain
client||3.1.3.4|101400044d5154540506003c00000161000001610000||a will with an empty message
client||1.5.4|1093800400044d5154540506003c0000016100ffff61*65535;000161||a will topic of 65,535 bytes
client||1.5.6|1093800400044d5154540506003c0000016100000161ffff61*65535;||a will message of 65,535 bytes
client||3.1.3.5|101100044d5154540582003c00000161000161||a user name without a password
client||3.1.3.5|101000044d5154540582003c000001610000||an empty user name
client||3.1.3.6|101200044d51545405c2003c0000016100000000||an empty user name and an empty password
client||3.1.3.6|1090800800044d51545405c2003c00000161ffff61*65535;ffff61*65535;||a user name and a password of 65,535 bytes
client||1.5.4|108c800400044d5154540502003c00ffff61*65535;||a client id of 65,535 bytes
client||3.1.2|101b00044d51545405ee003c0000016100000161000161000161000161||every field
client||MQTT-3.1.2-22|101100044d5154540542003c00000161000161||a password without a user name
client||MQTT-3.1.2-22|101000044d5154540542003c000001610000||an empty password without a user name
client||MQTT-3.1.3-8|100d00044d5154540500003c000000||an empty client id without clean start
client||MQTT-3.1.3-5|102500044d5154540502003c00001861*24;||a client id of more than 23 characters
server||MQTT-3.2.2-6|2003010000||session present with reason code 0
client||3.1.2.11.10|101600044d5154540502003c081600016115000161000161||authentication data before its method
client||3.1.3.2.3|101700044d5154540506003c000001610201010001610001ff||a will message that is not UTF-8, although its properties say so
client||2.2.2.2|101300044d5154540502003c0511ffffffff000161||sessionExpiryInterval in a CONNECT
client||2.2.2.2|101200044d5154540502003c0415000161000161||authenticationMethod in a CONNECT
client||2.2.2.2|101600044d5154540502003c081500016116000161000161||authenticationData in a CONNECT
client||2.2.2.2|101000044d5154540502003c021701000161||requestProblemInformation in a CONNECT
client||2.2.2.2|101000044d5154540502003c021901000161||requestResponseInformation in a CONNECT
client||2.2.2.2|101100044d5154540502003c0321ffff000161||receiveMaximum in a CONNECT
client||2.2.2.2|101100044d5154540502003c0322ffff000161||topicAliasMaximum in a CONNECT
client||2.2.2.2|101500044d5154540502003c0726000161000161000161||userProperty in a CONNECT
client||2.2.2.2|101300044d5154540502003c0527ffffffff000161||maximumPacketSize in a CONNECT
client||2.2.2.2|1092800400044d5154540502003c82800415ffff61*65535;000161||authenticationMethod of 65,535 bytes in a CONNECT
client||2.2.2.2|1096800400044d5154540502003c8680041500016116ffff61*65535;000161||authenticationData of 65,535 bytes in a CONNECT
client||2.2.2.2|1093800800044d5154540502003c83800826ffff61*65535;ffff61*65535;000161||userProperty of 65,535 bytes in a CONNECT
client||2.2.2.2|103800044d5154540502003c2a11ffffffff15000161160001611701190121ffff22ffff2600016100016127ffffffff26000161000161000161||all properties of a CONNECT that a client or a server sends together, and user properties twice
client||2.2.2.1|108d0100044d5154540502003c7f26000161007962*121;000161||a property list of 127 bytes in a CONNECT
client||2.2.2.1|108f0100044d5154540502003c800126000161007a62*122;000161||a property list of 128 bytes in a CONNECT
client||2.2.2.1|108e800100044d5154540502003cff7f260001613ff962*16377;000161||a property list of 16,383 bytes in a CONNECT
client||2.2.2.1|1090800100044d5154540502003c808001260001613ffa62*16378;000161||a property list of 16,384 bytes in a CONNECT
client||2.2.2.2|101700044d5154540506003c00000161020101000161000161||payloadFormatIndicator in a will
client||2.2.2.2|101a00044d5154540506003c000001610502ffffffff000161000161||messageExpiryInterval in a will
client||2.2.2.2|101900044d5154540506003c000001610403000161000161000161||contentType in a will
client||2.2.2.2|101900044d5154540506003c000001610408000161000161000161||responseTopic in a will
client||2.2.2.2|101900044d5154540506003c000001610409000161000161000161||correlationData in a will
client||2.2.2.2|101a00044d5154540506003c000001610518ffffffff000161000161||willDelayInterval in a will
client||2.2.2.2|101c00044d5154540506003c000001610726000161000161000161000161||userProperty in a will
client||2.2.2.2|1099800400044d5154540506003c0000016182800403ffff61*65535;000161000161||contentType of 65,535 bytes in a will
client||2.2.2.2|1099800400044d5154540506003c0000016182800408ffff61*65535;000161000161||responseTopic of 65,535 bytes in a will
client||2.2.2.2|1099800400044d5154540506003c0000016182800409ffff61*65535;000161000161||correlationData of 65,535 bytes in a will
client||2.2.2.2|109a800800044d5154540506003c0000016183800826ffff61*65535;ffff61*65535;000161000161||userProperty of 65,535 bytes in a will
client||2.2.2.2|103b00044d5154540506003c0000016126010102ffffffff03000161080001610900016118ffffffff2600016100016126000161000161000161000161||all properties of a will that a client or a server sends together, and user properties twice
client||2.2.2.1|10940100044d5154540506003c000001617f26000161007962*121;000161000161||a property list of 127 bytes in a will
client||2.2.2.1|10960100044d5154540506003c00000161800126000161007a62*122;000161000161||a property list of 128 bytes in a will
client||2.2.2.1|1095800100044d5154540506003c00000161ff7f260001613ff962*16377;000161000161||a property list of 16,383 bytes in a will
client||2.2.2.1|1097800100044d5154540506003c00000161808001260001613ffa62*16378;000161000161||a property list of 16,384 bytes in a will
server||3.2.2.3|200800000511ffffffff||sessionExpiryInterval in a CONNACK
server||3.2.2.3|200700000412000161||assignedClientIdentifier in a CONNACK
server||3.2.2.3|200600000313ffff||serverKeepAlive in a CONNACK
server||3.2.2.3|200700000415000161||authenticationMethod in a CONNACK
server||3.2.2.3|200b0000081500016116000161||authenticationData in a CONNACK
server||3.2.2.3|20070000041a000161||responseInformation in a CONNACK
server||3.2.2.3|20070000041c000161||serverReference in a CONNACK
server||3.2.2.3|20070000041f000161||reasonString in a CONNACK
server||3.2.2.3|200600000321ffff||receiveMaximum in a CONNACK
server||3.2.2.3|200600000322ffff||topicAliasMaximum in a CONNACK
server||3.2.2.3|20050000022401||maximumQos in a CONNACK
server||3.2.2.3|20050000022501||retainAvailable in a CONNACK
server||3.2.2.3|200a00000726000161000161||userProperty in a CONNACK
server||3.2.2.3|200800000527ffffffff||maximumPacketSize in a CONNACK
server||3.2.2.3|20050000022801||wildcardSubscriptionAvailable in a CONNACK
server||3.2.2.3|20050000022901||subscriptionIdentifierAvailable in a CONNACK
server||3.2.2.3|20050000022a01||sharedSubscriptionAvailable in a CONNACK
server||3.2.2.3|20878004000082800412ffff61*65535;||assignedClientIdentifier of 65,535 bytes in a CONNACK
server||3.2.2.3|20878004000082800415ffff61*65535;||authenticationMethod of 65,535 bytes in a CONNACK
server||3.2.2.3|208b800400008680041500016116ffff61*65535;||authenticationData of 65,535 bytes in a CONNACK
server||3.2.2.3|2087800400008280041affff61*65535;||responseInformation of 65,535 bytes in a CONNACK
server||3.2.2.3|2087800400008280041cffff61*65535;||serverReference of 65,535 bytes in a CONNACK
server||3.2.2.3|2087800400008280041fffff61*65535;||reasonString of 65,535 bytes in a CONNACK
server||3.2.2.3|20888008000083800826ffff61*65535;ffff61*65535;||userProperty of 65,535 bytes in a CONNACK
server||3.2.2.3|204600004311ffffffff1200016113ffff15000161160001611a0001611c0001611f00016121ffff22ffff240125012600016100016127ffffffff280129012a0126000161000161||all properties of a CONNACK that a client or a server sends together, and user properties twice
server||2.2.2.1|20820100007f26000161007962*121;||a property list of 127 bytes in a CONNACK
server||2.2.2.1|2084010000800126000161007a62*122;||a property list of 128 bytes in a CONNACK
server||2.2.2.1|208380010000ff7f260001613ff962*16377;||a property list of 16,383 bytes in a CONNACK
server||2.2.2.1|208580010000808001260001613ffa62*16378;||a property list of 16,384 bytes in a CONNACK
client||3.14.2.2|e007000511ffffffff||sessionExpiryInterval in a DISCONNECT
server||3.14.2.2|e00600041c000161||serverReference in a DISCONNECT
client||3.14.2.2|e00600041f000161||reasonString in a DISCONNECT
client||3.14.2.2|e009000726000161000161||userProperty in a DISCONNECT
server||3.14.2.2|e0868004008280041cffff61*65535;||serverReference of 65,535 bytes in a DISCONNECT
client||3.14.2.2|e0868004008280041fffff61*65535;||reasonString of 65,535 bytes in a DISCONNECT
client||3.14.2.2|e08780080083800826ffff61*65535;ffff61*65535;||userProperty of 65,535 bytes in a DISCONNECT
client||3.14.2.2|e019001711ffffffff1f0001612600016100016126000161000161||all properties of a DISCONNECT that a client or a server sends together, and user properties twice
client||2.2.2.1|e08101007f26000161007962*121;||a property list of 127 bytes in a DISCONNECT
client||2.2.2.1|e0830100800126000161007a62*122;||a property list of 128 bytes in a DISCONNECT
client||2.2.2.1|e082800100ff7f260001613ff962*16377;||a property list of 16,383 bytes in a DISCONNECT
client||2.2.2.1|e084800100808001260001613ffa62*16378;||a property list of 16,384 bytes in a DISCONNECT
client||3.15.2.2|f006180415000161||authenticationMethod in an AUTH
client||3.15.2.2|f00a18081500016116000161||authenticationData in an AUTH
client||3.15.2.2|f00a1808150001611f000161||reasonString in an AUTH
client||3.15.2.2|f00d180b1500016126000161000161||userProperty in an AUTH
client||3.15.2.2|f08680041882800415ffff61*65535;||authenticationMethod of 65,535 bytes in an AUTH
client||3.15.2.2|f08a8004188680041500016116ffff61*65535;||authenticationData of 65,535 bytes in an AUTH
client||3.15.2.2|f08a800418868004150001611fffff61*65535;||reasonString of 65,535 bytes in an AUTH
client||3.15.2.2|f08b8008188780081500016126ffff61*65535;ffff61*65535;||userProperty of 65,535 bytes in an AUTH
client||3.15.2.2|f01c181a15000161160001611f0001612600016100016126000161000161||all properties of an AUTH that a client or a server sends together, and user properties twice
client||2.2.2.1|f08101187f1500016126000161007562*117;||a property list of 127 bytes in an AUTH
client||2.2.2.1|f083011880011500016126000161007662*118;||a property list of 128 bytes in an AUTH
client||2.2.2.1|f082800118ff7f15000161260001613ff562*16373;||a property list of 16,383 bytes in an AUTH
client||2.2.2.1|f08480011880800115000161260001613ff662*16374;||a property list of 16,384 bytes in an AUTH
server||3.2.2.2|2003000000||reason code 0x00 in a CONNACK
server||3.2.2.2|2003008000||reason code 0x80 in a CONNACK
server||3.2.2.2|2003008100||reason code 0x81 in a CONNACK
server||3.2.2.2|2003008200||reason code 0x82 in a CONNACK
server||3.2.2.2|2003008300||reason code 0x83 in a CONNACK
server||3.2.2.2|2003008400||reason code 0x84 in a CONNACK
server||3.2.2.2|2003008500||reason code 0x85 in a CONNACK
server||3.2.2.2|2003008600||reason code 0x86 in a CONNACK
server||3.2.2.2|2003008700||reason code 0x87 in a CONNACK
server||3.2.2.2|2003008800||reason code 0x88 in a CONNACK
server||3.2.2.2|2003008900||reason code 0x89 in a CONNACK
server||3.2.2.2|2003008a00||reason code 0x8A in a CONNACK
server||3.2.2.2|2003008c00||reason code 0x8C in a CONNACK
server||3.2.2.2|2003009000||reason code 0x90 in a CONNACK
server||3.2.2.2|2003009500||reason code 0x95 in a CONNACK
server||3.2.2.2|2003009700||reason code 0x97 in a CONNACK
server||3.2.2.2|2003009900||reason code 0x99 in a CONNACK
server||3.2.2.2|2003009a00||reason code 0x9A in a CONNACK
server||3.2.2.2|2003009b00||reason code 0x9B in a CONNACK
server||3.2.2.2|2003009c00||reason code 0x9C in a CONNACK
server||3.2.2.2|2003009d00||reason code 0x9D in a CONNACK
server||3.2.2.2|2003009f00||reason code 0x9F in a CONNACK
client||3.14.2.1|e000||a DISCONNECT without a reason code, which is 0x00
client||3.14.2.1|e00100||a DISCONNECT with reason code 0x00
client||3.14.2.2.1|e0020000||a DISCONNECT without properties
client||3.14.2.2.1|e0028000||a DISCONNECT with an error and without properties
server||3.14.2.2.1|e0068b041f000161||a DISCONNECT with an error and properties
client||3.14.2.1|e00104||reason code 0x04 in a DISCONNECT
client||3.14.2.1|e00180||reason code 0x80 in a DISCONNECT
client||3.14.2.1|e00181||reason code 0x81 in a DISCONNECT
client||3.14.2.1|e00182||reason code 0x82 in a DISCONNECT
client||3.14.2.1|e00183||reason code 0x83 in a DISCONNECT
server||3.14.2.1|e00187||reason code 0x87 in a DISCONNECT
server||3.14.2.1|e00189||reason code 0x89 in a DISCONNECT
server||3.14.2.1|e0018b||reason code 0x8B in a DISCONNECT
server||3.14.2.1|e0018d||reason code 0x8D in a DISCONNECT
server||3.14.2.1|e0018e||reason code 0x8E in a DISCONNECT
server||3.14.2.1|e0018f||reason code 0x8F in a DISCONNECT
client||3.14.2.1|e00190||reason code 0x90 in a DISCONNECT
client||3.14.2.1|e00193||reason code 0x93 in a DISCONNECT
client||3.14.2.1|e00194||reason code 0x94 in a DISCONNECT
client||3.14.2.1|e00195||reason code 0x95 in a DISCONNECT
client||3.14.2.1|e00196||reason code 0x96 in a DISCONNECT
client||3.14.2.1|e00197||reason code 0x97 in a DISCONNECT
client||3.14.2.1|e00198||reason code 0x98 in a DISCONNECT
client||3.14.2.1|e00199||reason code 0x99 in a DISCONNECT
server||3.14.2.1|e0019a||reason code 0x9A in a DISCONNECT
server||3.14.2.1|e0019b||reason code 0x9B in a DISCONNECT
server||3.14.2.1|e0019c||reason code 0x9C in a DISCONNECT
server||3.14.2.1|e0019d||reason code 0x9D in a DISCONNECT
server||3.14.2.1|e0019e||reason code 0x9E in a DISCONNECT
server||3.14.2.1|e0019f||reason code 0x9F in a DISCONNECT
server||3.14.2.1|e001a0||reason code 0xA0 in a DISCONNECT
server||3.14.2.1|e001a1||reason code 0xA1 in a DISCONNECT
server||3.14.2.1|e001a2||reason code 0xA2 in a DISCONNECT
server||3.15.2.1|f006000415000161||reason code 0x00 in an AUTH
client||3.15.2.1|f006180415000161||reason code 0x18 in an AUTH
client||3.15.2.1|f006190415000161||reason code 0x19 in an AUTH
client||3.15.2.2.3|f00a18081600016115000161||authentication data before its method in an AUTH
`
