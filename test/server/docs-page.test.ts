/** The commands of docs/server.md, as they stand there, in the order they stand there. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newHome, startProgram } from './program.js'

const page = readFileSync(fileURLToPath(new URL('../../../docs/server.md', import.meta.url)), 'utf8')
const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
const has = (program: string) => spawnSync(program, ['--version']).status === 0

test('the first steps of the page work', { skip: !has('curl') || !has('jq') }, async () => {
  using home = newHome()
  const [start, ...steps] = commands
  assert.equal(start, 'kedge serve --model practice\n')
  const program = await startProgram(home)
  const { port } = new URL(program.url)
  const text = steps.join('\n').replaceAll('4141', port)
  const { stdout, stderr, status } = spawnSync('bash', ['-euo', 'pipefail', '-c', text], {
    cwd: home.project,
    env: home.env,
    encoding: 'utf8',
    timeout: 60_000,
  })
  assert.equal(status, 0, `${stdout}\n${stderr}`)
  assert.match(stdout, /^\{"id":"first","seq":2,"repeated":false\}/)
  assert.match(stdout, /Write\nNo rule allows this, and the permission mode is Ask first\.\nBuy milk/)
  assert.equal(readFileSync(join(home.project, 'notes.txt'), 'utf8'), 'Buy milk')
  const ids = (stream: string) => [...stream.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
  const first = ids(readFileSync(join(home.project, 'events.txt'), 'utf8'))
  const second = ids(stdout)
  assert.deepEqual(
    [...first, ...second],
    Array.from({ length: first.length + second.length }, (_, n) => n + 1),
  )
  assert.ok(second.length > 0)
  await program.end('SIGTERM')
})
