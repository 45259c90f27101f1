/** Who sends it, code, clause, bytes, answer, name, options. `npm run docs` writes this file. */
export const valid_v3_1_1: string = `
client||MQTT-3.1.3-5|100d00044d5154540402003c000130||the client id 0
client||MQTT-3.1.3-5|100d00044d5154540402003c00015a||the client id Z
client||MQTT-3.1.3-5|102300044d5154540402003c0017303132333435363738396162636465666768696a6b6c6d||the client id 0123456789abcdefghijklm
client||MQTT-3.1.3-5|102300044d5154540402003c00176e6f707172737475767778797a4142434445464748494a||the client id nopqrstuvwxyzABCDEFGHIJ
client||MQTT-3.1.3-5|101c00044d5154540402003c00104b4c4d4e4f505152535455565758595a||the client id KLMNOPQRSTUVWXYZ
client||3.1.2.10|100d00044d51545404020000000161||keep alive 0
client||3.1.2.10|100d00044d5154540402ffff000161||keep alive 65,535
client||3.1.2.6|101300044d5154540406003c000161000161000161||a will with QoS 0
client||3.1.2.6|101300044d5154540426003c000161000161000161||a will with QoS 0 and will retain
client||3.1.2.6|101300044d515454040e003c000161000161000161||a will with QoS 1
client||3.1.2.6|101300044d515454042e003c000161000161000161||a will with QoS 1 and will retain
client||3.1.2.6|101300044d5154540416003c000161000161000161||a will with QoS 2
client||3.1.2.6|101300044d5154540436003c000161000161000161||a will with QoS 2 and will retain
client||3.1.3.3|101200044d5154540406003c0001610001610000||a will with an empty message
client||1.5.3|1091800400044d5154540406003c000161ffff61*65535;000161||a will topic of 65,535 bytes
client||3.1.3.3|1091800400044d5154540406003c000161000161ffff61*65535;||a will message of 65,535 bytes
client||3.1.3.4|101000044d5154540482003c000161000161||a user name without a password
client||3.1.3.4|100f00044d5154540482003c0001610000||an empty user name
client||3.1.3.5|101100044d51545404c2003c00016100000000||an empty user name and an empty password
client||3.1.3.5|108f800800044d51545404c2003c000161ffff61*65535;ffff61*65535;||a user name and a password of 65,535 bytes
client||1.5.3|108b800400044d5154540402003cffff61*65535;||a client id of 65,535 bytes
client||3.1.2|101900044d51545404ee003c000161000161000161000161000161||every field
client||MQTT-3.1.3-8|100c00044d5154540402003c0000||an empty client id with clean session
client||MQTT-3.1.3-5|102400044d5154540402003c001861*24;||a client id of more than 23 characters
client||2.2.3|108d0000044d5154540402003c000161||a Remaining Length of two bytes where one is enough
client||2.2.3|108d80800000044d5154540402003c000161||a Remaining Length of four bytes where one is enough
server||3.2.1|2082000000||a CONNACK whose Remaining Length has two bytes
client||3.1.2.11|101100044d5154540402003c00052161012161||a client id that looks like a property list
server||MQTT-3.2.2-4|20020100||session present with return code 0
client||3.1.3.3|101500044d5154540406003c0001610001610003ff00c0||a will message of any bytes
client||MQTT-4.7.1-1|10934600044d5154540406003c0001610002c3a9230061*8960;||a will topic before a length whose first byte is that of a wildcard
server||3.2.2.3|20020000||return code 0 in a CONNACK
server||3.2.2.3|20020001||return code 1 in a CONNACK
server||3.2.2.3|20020002||return code 2 in a CONNACK
server||3.2.2.3|20020003||return code 3 in a CONNACK
server||3.2.2.3|20020004||return code 4 in a CONNACK
server||3.2.2.3|20020005||return code 5 in a CONNACK
client||3.14.1|e000||a DISCONNECT, which has no fields
client||3.14.1|e08000||a DISCONNECT whose Remaining Length has two bytes
`
