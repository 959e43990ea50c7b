/** Under the name of the original, its files are where programs look for them: at the root of the package. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

// This file runs from .build/test/packaging.
const root = fileURLToPath(new URL('../../../', import.meta.url))
const NAME = '@anthropic-ai/claude-agent-sdk'

test('cli.js, sdk.mjs and sdk-tools.d.ts resolve under an alias, and work', (t) => {
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-alias-'))
  t.after(() => rmSync(place, { recursive: true }))
  mkdirSync(join(place, 'node_modules', '@anthropic-ai'), { recursive: true })
  symlinkSync(root, join(place, 'node_modules', NAME), 'dir')
  const { resolve } = createRequire(join(place, 'program.js'))
  for (const file of ['cli.js', 'sdk.mjs', 'sdk-tools.d.ts']) {
    assert.equal(resolve(`${NAME}/${file}`), join(root, file))
    assert.ok(existsSync(join(place, 'node_modules', NAME, file)))
  }
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: place, encoding: 'utf8' })
  assert.match(run(join('node_modules', NAME, 'cli.js'), '--version'), /^2\.1\.50 \(Kedge /)
  writeFileSync(join(place, 'program.mjs'), `import { query } from '${NAME}/sdk.mjs'\nconsole.log(typeof query)\n`)
  assert.equal(run('program.mjs'), 'function\n')
})

test('what is published has them, and the docs that the README links to', () => {
  const { files }: { files: string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of ['cli.js', 'sdk.mjs', 'sdk-tools.d.ts', 'docs']) assert.ok(files.includes(name), name)
})
