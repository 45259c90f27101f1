import { comparisons } from './subjects.ts'

const ROW = 26
const LEFT = 250
const WIDTH = 400
const RIGHT = 70
const TOP = 40

/**
 * Draws the ratios as an SVG bar chart with a logarithmic scale from 1 to 100. Its background follows the reader's colour
 * scheme.
 */
export function barChart(results: Readonly<Record<string, { ratio: number }>>, machine: string): string {
  const length = (ratio: number): number => (WIDTH * Math.log10(Math.max(ratio, 1.05))) / 2
  // Leaves out the comparison with a bare loop, because all other bars are relative to mqtt-packet.
  const shown = Object.entries(results).filter(([key]) => !key.startsWith('limit/'))
  const rows = shown.map(([key, { ratio }], i) => {
    const y = TOP + i * ROW
    return `  <text class="label" x="${LEFT - 8}" y="${y + 14}">${comparisons[key]?.what ?? key}</text>
  <rect class="bar" x="${LEFT}" y="${y + 2}" width="${length(ratio).toFixed(1)}" height="16"/>
  <text x="${(LEFT + length(ratio) + 6).toFixed(1)}" y="${y + 14}">${ratio} ×</text>`
  })
  const height = TOP + rows.length * ROW + 30
  const width = LEFT + WIDTH + RIGHT
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
  <title>How many times as fast as mqtt-packet</title>
  <style>
    .ground { fill: #fff; stroke: #d1d9e0 }
    .bar { fill: #2f7d4f }
    .label { text-anchor: end }
    text { fill: #1f2328 }
    .note { fill: #59636e }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #0d1117; stroke: #3d444d }
      .bar { fill: #3fb950 }
      text { fill: #e6edf3 }
      .note { fill: #9198a1 }
    }
  </style>
  <rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>
  <text x="14" y="24" font-size="14">How many times as fast as mqtt-packet (logarithmic scale)</text>
${rows.join('\n')}
  <text class="note" x="14" y="${height - 12}" font-size="10">${machine.replaceAll('&', '&amp;')}</text>
</svg>
`
}
