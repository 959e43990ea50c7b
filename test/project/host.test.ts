/** A host that drives the command and names no settings, as those of 0.3.x do: all files are read, the folder's settings only narrow. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startModelServer } from 'kedge/testing'
import { createWorld, type World } from './place.js'

async function drive(world: World, ...flags: string[]) {
  await using server = await startModelServer([
    {
      tools: [
        { name: 'Bash', input: { command: world.command } },
        { name: 'Bash', input: { command: 'printenv MINE' } },
        { name: 'Read', input: { file_path: 'secret.txt' } },
      ],
    },
    'Done.',
  ])
  const stream = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json']
  const child = spawn(
    process.execPath,
    [join(process.cwd(), 'dist', 'kedge.cjs'), ...stream, '--model', 'haiku', ...flags],
    {
      cwd: world.repo,
      env: { ...world.env(), ...server.env() },
    },
  )
  child.stdin.end(
    `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'hi' }, parent_tool_use_id: null, session_id: '' })}\n`,
  )
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk
  })
  child.stdout.resume()
  const code = await new Promise((resolve) => child.once('close', resolve))
  assert.equal(code, 0, stderr)
  const [, mine, secret] = server.requests.at(-1)?.toolResults.map(({ text }) => text) ?? []
  return { stderr, mine, secret, acted: existsSync(join(world.root, 'traps', 'sprung')) }
}

function fill(world: World): void {
  writeFileSync(
    join(world.config, 'settings.json'),
    '{"env": {"MINE": "user"}, "permissions": {"allow": ["Bash(printenv:*)"]}}',
  )
  world.settings({ env: { MINE: 'folder' }, permissions: { allow: ['Bash'], deny: ['Read(secret.txt)'] } })
  world.write('secret.txt', 'x')
}
const DENIED = /denied by your permission settings/

test('before trust: the user’s settings count, the folder’s only narrow, and one line says so', async () => {
  await using world = await createWorld()
  fill(world)
  const { stderr, mine, secret, acted } = await drive(world)
  assert.deepEqual([mine, acted], ['user', false])
  assert.match(secret ?? '', DENIED)
  assert.match(
    stderr,
    /^Not used, because this folder is not trusted: \.claude\/settings\.json \(env, permissions\.allow\)\. [^\n]+\n$/,
  )
})

test('once the user said yes, or the host names them, all count', async () => {
  for (const trusts of ['a yes that was remembered', 'the host']) {
    await using world = await createWorld()
    fill(world)
    if (trusts !== 'the host') world.trust(world.repo)
    const flags = trusts === 'the host' ? ['--setting-sources', 'user,project'] : []
    const { stderr, mine, secret, acted } = await drive(world, ...flags)
    assert.deepEqual([mine, acted, stderr], ['folder', true, ''], trusts)
    assert.match(secret ?? '', DENIED)
  }
})
