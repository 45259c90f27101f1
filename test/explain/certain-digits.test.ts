import { Buffer } from 'node:buffer'
import { expect } from 'chai'
import { v3_1_1, Will } from '../../lib/packets/index.ts'
import { CONNECT, bytesOrRefused as read, spaced } from './support.ts'

describe('bytesFromText of digits and dumps', () => {
  it('keeps a first row of bytes that looks like the numbers of columns', () => {
    const rows = ['00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f', '10 11 12 13']
    expect(read(rows.join('\n'))).to.equal(rows.join('').replaceAll(' ', ''))
    expect(read(rows[0]!)).to.equal(rows[0]!.replaceAll(' ', ''))
  })

  it('reads a row of a dump whose text begins like hex', () => {
    const packet = Buffer.from('101e00044d5154540402003c0012616261316232633364346535663630373138', 'hex')
    const rows = [packet.subarray(0, 16), packet.subarray(16)].map((row, i) => {
      const text = row.toString('latin1').replace(/[^ -~]/g, '.')
      return `000000${i}0  ${spaced(row.toString('hex'))
        .replace(/(?<=^.{23}) /, '  ')
        .padEnd(50)}${text}`
    })
    expect(read(rows.join('\n'))).to.equal(packet.toString('hex'))
  })

  it('reads a full row of Follow Stream and of Format-Hex whose text begins like bytes, behind two spaces', () => {
    const packet = Buffer.from('301f0004726f6f6d32312e35206174203130203235204320206162203430202563', 'hex')
    const line = '='.repeat(67)
    for (const [before, after, gap] of [
      [`${line}\nFollow: tcp,hex\n`, `${line}\n`, ' '],
      ['', '', ''],
    ] as const) {
      const rows = [0, 16, 32].map((at) => {
        const row = packet.subarray(at, at + 16)
        const text = row.toString('latin1').replace(/[^ -~]/g, '.')
        const hex = spaced(row.toString('hex')).replace(/(?<=^.{23}) /, ` ${gap}`)
        return `${at.toString(16).padStart(8, '0')}  ${hex.padEnd(47 + gap.length)}  ${text.replace(/(?<=^.{8})/, gap)}`
      })
      expect(rows[1]).to.match(/ {2}10 25/)
      expect(read(`${before}${rows.join('\n')}\n${after}`)).to.equal(packet.toString('hex'))
    }
  })

  it("reads one side of Wireshark's Follow Stream without a heading, where each packet begins a row", () => {
    const rows = [
      '00000000  20 02 00 00                                        ...',
      '00000004  90 03 00 01 00                                    .....',
    ]
    for (const indent of ['', '\t', '    '])
      expect(read(rows.map((row) => indent + row).join('\n'))).to.equal('200200009003000100')
    expect(read(rows.join('\n').replace(/ +\.+$/, ''))).to.equal('refused')
  })

  it('reads dumps and strings whose text has lists in brackets', () => {
    for (const payload of ['{"rgb":[255,0,0],"xy":[1,2]}', '[[13,52],[14,53]]', '[a,b,c]', '[客厅]']) {
      const { bytes } = new v3_1_1.ConnectPacket({
        ...{ cleanSession: true, keepAlive: 60, clientId: 'lamp' },
        will: new Will({ topic: 't', message: payload }),
      })
      for (const [colon, open, close] of [
        [':', '', ''],
        ['', '|', '|'],
      ] as const) {
        const rows = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, i) => {
          const row = bytes.subarray(16 * i, 16 * i + 16)
          const text = row.toString('latin1').replace(/[^ -~]/g, '.')
          return `${(16 * i).toString(16).padStart(8, '0')}${colon} ${spaced(row.toString('hex')).padEnd(47)}  ${open}${text}${close}`
        })
        expect(read(rows.join('\n')), payload).to.equal(bytes.toString('hex'))
      }
      const escaped = bytes
        .toString('latin1')
        .replace(/[^ -~]/g, (c) => `\\x${spaced(Buffer.from(c, 'latin1').toString('hex'))}`)
      expect(read(`b'${escaped}'`), payload).to.equal(bytes.toString('hex'))
    }
  })

  it('takes a bracket in quotes for a character, and no comma between bytes in brackets for a separator', () => {
    expect(read("char p[] = {0x30, 0x03, 0x00, 0x01, '['};")).to.equal('300300015b')
    expect(read('<90><03><00>,<00>')).to.equal('refused')
    expect(read('<c0>,<00>')).to.equal('c000')
  })

  it('refuses hex without separators whose leading zeros are lost', () => {
    const connect = Buffer.from(
      '102300044d51545404c2003c0008636c69656e742d3300057573657233000673656372657400',
      'hex',
    )
    for (const bytes of [connect, Buffer.from('102300064d51497364700302003c0008636c69656e742d33', 'hex')]) {
      const unpadded = Array.from(bytes, (byte) => byte.toString(16))
      for (const digits of [unpadded.join(''), `${unpadded.join('')}0`])
        expect(read(digits)).to.equal('refused')
      expect(read(unpadded.join(' '))).to.equal(bytes.toString('hex'))
    }
  })

  it('refuses lines of digits that differ, or of which the first or the last may be a number, unless they are whole packets', () => {
    const C = spaced(CONNECT)
    const unpadded = C.replaceAll(/\b0/g, '').toUpperCase()
    const decimals = [...Buffer.from(CONNECT, 'hex')].join(', ')
    const signed = ['<$&>', '[$&]', '$$$& ', '$&h '].map((sign) => CONNECT.replace(/../g, sign))
    const numbers = [
      '1',
      '0',
      '14',
      '2024',
      '12:34',
      '12:34:56',
      '1700000000',
      '20240101120000',
      'd41d8cd98f00b204e9800998ecf8427e',
    ]
    const joined: string[] = []
    for (const bytes of [C, unpadded, decimals, CONNECT, C.replaceAll(' ', ':'), ...signed]) {
      for (const number of [...numbers, '2001:0db8:0000:0000:0000:0000:0000:0001', 'aa:bb:cc:dd:ee:ff'])
        for (const text of [`${number}\n${bytes}`, `${bytes}\n${number}`])
          if (read(text) !== 'refused') joined.push(text)
    }
    const long = [16, 99, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 87, ...Array(87).fill(97)]
    const heading = (from: number) => [...Buffer.from(CONNECT, 'hex').keys()].map((i) => i + from)
    for (const separator of [' ', ', ', ','])
      for (const before of [`101${separator}`, '101\n'])
        if (read(`${before}${long.join(separator)}`) !== 'refused') joined.push(before)
    for (const from of [0, 1])
      if (read(`${heading(from)}\n${decimals.replaceAll(' ', '')}`) !== 'refused') joined.push(`${from}`)
    expect(joined).to.deep.equal([])
    // A dump of a packet that isn't whole, and rows of any size of one that is.
    const rows = (hex: string, ...sizes: number[]) => {
      const starts = sizes.map((_, i) => 2 * sizes.slice(0, i).reduce((sum, size) => sum + size, 0))
      return starts.map((start, i) => spaced(hex.slice(start, start + 2 * sizes[i]!))).join('\n')
    }
    const cut = CONNECT.replace('100e', '1020')
    expect(read(rows(cut, 8, 8))).to.equal(cut)
    expect(read(rows(cut, 6, 5, 5))).to.equal('refused')
    expect(read(rows(CONNECT, 2, 6, 1, 7))).to.equal(CONNECT)
  })

  it('notices such a line whatever ends the lines, and among the colors of a terminal', () => {
    const text = `${spaced(CONNECT)}\n1700000000`
    for (const other of [
      text.replace('\n', '\r'),
      text.replace('\n', '\u2028'),
      text.replace('\n', '\r\n'),
      `\u001b[32m${text}\u001b[0m`,
    ])
      expect(read(other), JSON.stringify(other)).to.equal('refused')
  })

  it('reads a dump of od that is no whole packet, also as BSD and macOS write it, but not one that has lost its text', () => {
    const cut = '101900044d5154540402003c000d736f6d652d636c69656e74'
    const rows = [cut.slice(0, 32), cut.slice(32)]
    for (const gap of [' ', '  '])
      expect(
        read(
          `0000000${gap}${gap}${rows[0]!.replace(/..(?!$)/g, `$&${gap}`)}\n0000020${gap}${gap}${rows[1]!.replace(/..(?!$)/g, `$&${gap}`)}\n0000031\n`,
        ),
      ).to.equal(cut)
    const dump = `00000000: ${rows[0]!.replace(/....(?!$)/g, '$& ')}  ....MQTT...<..so\n00000010: ${rows[1]!.replace(/....(?!$)/g, '$& ')}`
    expect(read(dump)).to.equal('refused')
    expect(read(`${dump}        me-client`)).to.equal(cut)
    // Decimal numbers of two digits.
    expect(read('0000000  16  10  77  81\n0000004')).to.equal('refused')
  })

  it('refuses several packets in hex without leading zeros and letters, which are no packets in decimal', () => {
    for (const list of ['20, 2, 0, 0, 90, 3, 0, 1, 0', '20,2,0,0,40,2,0,1'])
      for (const text of [list, `[${list}]`, `{${list}}`]) expect(read(text), text).to.equal('refused')
    expect(read('32, 2, 0, 0, 224, 0')).to.equal('20020000e000')
  })

  it('reads the characters of a code page beside bytes that are not ASCII, as Windows PowerShell and HxD write them', () => {
    const bytes = '100e00044d51545404c2003c0000b561'
    const dump = (text: string) => `00000000   ${spaced(bytes)}  ${text}`
    for (const character of ['.', '?', '\u00b5'])
      expect(read(dump(`....MQTT.\u00c2.<..${character}a`)), character).to.equal(bytes)
    for (const wrong of ['....MQTT.A.<...a', '....MQTT.\u00c2.<..ab', '....MQTT\u00c2.?<..?a'])
      expect(read(dump(wrong)), wrong).to.equal('refused')
  })

  it('refuses a number of four bytes before others, which may be an address or bytes', () => {
    for (const text of ['0x20020000 c0 00', '0x100c0004 4d 51 54 54', '0xffffffc0 00'])
      expect(read(text), text).to.equal('refused')
    expect(read('0x3ffb1c40   e0 00  |..|')).to.equal('e000')
  })

  it('refuses a dump of xxd whose last row has lost its bytes', () => {
    const dump = `00000000: ${CONNECT.replace(/....(?!$)/g, '$& ')}  ....MQTT...<..aa`
    expect(read(dump)).to.equal(CONNECT)
    expect(read(`${dump}\n00000010:`)).to.equal('refused')
  })

  it('reads or refuses a line of any length', () => {
    const line = `30 80 89 7a ${'61 '.repeat(200_000)}`
    expect(read(`${line}\n61 62 63`)).to.have.length(2 * 200_007)
    expect(read(`61 62 63\n${line}`)).to.equal('refused')
    expect(read(`3080\nb518\n${'6162\n'.repeat(200_000)}`)).to.have.length(2 * 400_004)
  })

  it('reads rows of equal size of a CONNECT that is cut or has a wrong length', () => {
    const whole = '102500044d5154540406003c0003666f6f00036c777400046f66666c000561646d696e'
    const bytes = (hex: string) => [...Buffer.from(hex, 'hex')]
    for (const hex of [
      whole.slice(0, 48),
      whole.slice(0, 64),
      whole.slice(0, 70),
      whole.replace('1025', '1030'),
    ])
      for (const write of [
        (byte: number) => byte.toString(16).padStart(2, '0'),
        (byte: number) => `0x${byte.toString(16).padStart(2, '0')},`,
        (byte: number) => `${byte},`,
      ]) {
        const rows = [bytes(hex).slice(0, 16), bytes(hex).slice(16, 32), bytes(hex).slice(32)]
        const text = rows.map((row) => row.map(write).join(' ')).join('\n')
        expect(read(text), text).to.equal(hex)
      }
  })

  it('reads a dump of words whose bytes are several packets', () => {
    expect(read('00000000: c000 e000                                ....')).to.equal('c000e000')
    expect(read('00000000: d000 9003 0001 00                        .......')).to.equal(
      'd000900300 0100'.replace(' ', ''),
    )
  })

  it('refuses a number below digits with signs between them, unless a sign is in front of it', () => {
    for (const text of ['16-03-01-00-d2\n23', '16:03:01:00:06\n28'])
      expect(read(text), text).to.equal('refused')
    expect(read('16:03:01:00:06:\n28')).to.equal('160301000628')
  })

  it('refuses bytes in brackets with a space that may be a byte', () => {
    for (const text of [
      ' <02><00><00>',
      '<02><00><05>',
      '\\x02\\x00\\x05',
      '<90><03><00> <00>',
      ' [02][00][00]',
      '<20><02> <00><00>',
    ])
      expect(read(text), text).to.equal('refused')
    expect(read('<20> <02> <00> <00>')).to.equal('20020000')
    expect(read('<20><02>\n<00><00>')).to.equal('20020000')
  })
})
