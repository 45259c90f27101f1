/** What a bar shows. */
interface Bar {
  readonly ratio: number
  readonly target: number
}

const ROW = 26
const LEFT = 130
const WIDTH = 420

/** The ratios as an SVG bar chart, on a logarithmic scale from 0.1 to 100; a line marks each target. */
export function barChart(results: Readonly<Record<string, Bar>>, machine: string): string {
  const x = (ratio: number): number => LEFT + (WIDTH * (Math.log10(Math.max(ratio, 0.1)) + 1)) / 3
  const rows = Object.entries(results).map(([key, { ratio, target }], i) => {
    const y = 40 + i * ROW
    const colour = ratio >= target ? '#2f7d4f' : '#b5651d'
    return `  <text x="${LEFT - 8}" y="${y + 14}" text-anchor="end">${key}</text>
  <rect x="${LEFT}" y="${y + 2}" width="${(x(ratio) - LEFT).toFixed(1)}" height="16" fill="${colour}"/>
  <line x1="${x(target).toFixed(1)}" x2="${x(target).toFixed(1)}" y1="${y}" y2="${y + 20}" stroke="#333"/>
  <text x="${(x(Math.max(ratio, target)) + 6).toFixed(1)}" y="${y + 14}">${ratio} ×</text>`
  })
  const height = 40 + rows.length * ROW + 34
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + 70}" height="${height}" font-family="sans-serif" font-size="12">
  <title>Time of mqtt-packet over our time, by key</title>
  <rect width="100%" height="100%" fill="#fff"/>
  <text x="10" y="18" font-size="14">Time of mqtt-packet over our time (logarithmic; the line is the target)</text>
${rows.join('\n')}
  <text x="10" y="${height - 10}" fill="#666" font-size="10">${machine.replaceAll('&', '&amp;')}</text>
</svg>
`
}
