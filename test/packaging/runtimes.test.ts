/**
 * Every example, and the client of the server's API, under Bun and Deno, which `npm run test:long` fetches (200 MB). The
 * examples assert what they show.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { serve } from '../server/serving.js'
import { root, run } from './installed.js'

const skip = process.env['KEDGE_LONG'] ? false : 'npm run test:long fetches Bun and Deno'

describe('other runtimes', { skip, concurrency: 2 }, () => {
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
    test(`all examples run under ${name}`, async () => {
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

    test(`the first program of the client's page runs under ${name}`, async () => {
      await using serving = await serve([
        { tools: [{ name: 'Bash', input: { command: 'mkdir from-client' } }] },
        'Made.',
      ])
      const { cwd } = serving.options
      const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/client.md'), 'utf8')) ?? []
      const here = code.replace('http://127.0.0.1:4141', serving.url).replace('process.cwd()', JSON.stringify(cwd))
      mkdirSync(join(root, '.build', 'runtimes'), { recursive: true })
      const file = join(root, '.build', 'runtimes', `client-${name}.mjs`)
      writeFileSync(file, here)
      const [command = '', ...args] = start()
      const env = {
        PATH: process.env['PATH'],
        HOME: folder,
        DENO_DIR: join(folder, 'deno'),
        NO_COLOR: '1',
        KEDGE_SERVER_TOKEN: serving.server.token,
      }
      const { stdout } = await run(command, [...args, file], { cwd: root, env, timeout: 90_000 })
      assert.match(stdout, /Made\./)
      assert.ok(existsSync(join(cwd, 'from-client')))
    })
  }
})
