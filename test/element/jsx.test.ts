import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const root = join(import.meta.dirname, '..', '..')

const source = `
import '../../lib/element/mqtt-explain.ts'
declare global {
  namespace JSX {
    interface Element {}
  }
}
export const good = [
  <mqtt-explain hex="20 02 00 05" protocol-version="3.1.1" secrets />,
  <mqtt-explain bytes={Uint8Array.of(0xc0, 0)} allow="client-id-empty" class="dump" />,
]
// @ts-expect-error There is no such version.
export const wrong = <mqtt-explain protocol-version="6" />
const found = document.querySelector('mqtt-explain')
export const bytes: Uint8Array | undefined = found?.bytes
`

describe('the types of the element', function () {
  this.timeout(60_000)

  it('know its attributes in JSX, and the element by its tag', () => {
    const folder = mkdtempSync(join(root, 'node_modules', '.jsx-'))
    try {
      writeFileSync(join(folder, 'page.tsx'), source)
      const compilerOptions = {
        jsx: 'preserve',
        lib: ['es2024', 'dom', 'dom.iterable'],
        noEmit: true,
        types: ['node'],
        rootDir: root,
      }
      const config = { extends: join(root, 'tsconfig.test.json'), compilerOptions, include: ['page.tsx'] }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
      const { stdout, status } = spawnSync(
        join(root, 'node_modules', '.bin', 'tsc'),
        ['-p', folder, '--singleThreaded'],
        {
          cwd: root,
          encoding: 'utf8',
        },
      )
      expect(stdout).to.equal('')
      expect(status).to.equal(0)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
