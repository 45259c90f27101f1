import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { manifestOf, root, temporaryFolder } from './installed.ts'

/** The command of a step of the release workflow. */
function commandOf(step: string): string {
  const workflow = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8')
  const lines = workflow.slice(workflow.indexOf(`- name: ${step}`)).split('\n')
  const run = lines.find((line) => /^ +run: \S/.test(line))
  expect(run, step).to.be.a('string')
  return run!.replace(/^ +run: /, '')
}

describe('the release', () => {
  it('names the repository, because npm signs no provenance without it', () => {
    const folder = temporaryFolder()
    try {
      copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
      const REPOSITORY = 'https://host.example/somebody/mqtt-connect-packet'
      execFileSync('bash', ['-e', '-c', commandOf('Name the repository')], {
        cwd: folder,
        env: { ...process.env, REPOSITORY },
        stdio: 'pipe',
      })
      expect(manifestOf(folder)).to.deep.include({
        repository: { type: 'git', url: `git+${REPOSITORY}.git` },
        homepage: `${REPOSITORY}#readme`,
      })
      expect((manifestOf(folder) as { bugs?: unknown }).bugs).to.satisfy((bugs: unknown) =>
        JSON.stringify(bugs).includes(`${REPOSITORY}/issues`),
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
