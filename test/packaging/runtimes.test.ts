/** Every example under Bun and Deno, which `npm run test:long` fetches (200 MB). The examples assert what they show. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { root, run } from './installed.js'

const skip = process.env['KEDGE_LONG'] ? false : 'npm run test:long fetches Bun and Deno'

describe('examples', { skip, concurrency: 2 }, () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-runtimes-'))
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', 'bun@1', 'deno@2']
    execFileSync('npm', args, { cwd: folder })
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** In a package of its own for each kind of machine. */
  const program = (scope: string, file: string) => {
    const packages = join(folder, 'node_modules', scope)
    const path = join(packages, readdirSync(packages)[0] ?? '', file)
    chmodSync(path, 0o755)
    return path
  }
  const runtimes = {
    Bun: () => [program('@oven', 'bin/bun')],
    Deno: () => [program('@deno', 'deno'), 'run', '--allow-all', '--no-lock', '--node-modules-dir=manual'],
  }
  for (const [name, start] of Object.entries(runtimes)) {
    test(`all run under ${name}`, async () => {
      const home = join(folder, `home-${name}`)
      mkdirSync(home)
      const [command = '', ...args] = start()
      const ended: Record<string, string> = {}
      const examples = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.mjs'))
      for (const example of examples) {
        const env = {
          PATH: process.env['PATH'],
          HOME: home,
          TMPDIR: folder,
          DENO_DIR: join(folder, 'deno'),
          NO_COLOR: '1',
        }
        const options = { cwd: root, env, timeout: 90_000 }
        ended[example] = await run(command, [...args, join('examples', example)], options).then(
          () => 'ran',
          (error) => String(error),
        )
      }
      assert.deepEqual(ended, Object.fromEntries(examples.map((example) => [example, 'ran'])))
    })
  }
})
