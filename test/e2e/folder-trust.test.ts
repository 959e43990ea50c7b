/** `folderTrust()`, `trustFolder()` and `untrusted`: a host asks its user before what a folder brings counts. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderTrust, query, trustFolder } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { bothWays } from './both-ways.js'

const tool = (name: string, input: object) => ({ tools: [{ name, input }] })

function bring(cwd: string, command: string): void {
  mkdirSync(join(cwd, '.claude'), { recursive: true })
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command }] }] }
  const permissions = { allow: ['Bash'], deny: ['Bash(cat:*)'] }
  writeFileSync(join(cwd, '.claude', 'settings.json'), JSON.stringify({ hooks, permissions }))
}

bothWays(
  'untrusted: of what the folder brings only deny and ask rules count',
  () => [tool('Bash', { command: 'cat a.txt' }), tool('Bash', { command: 'mkdir made' }), 'Done.'],
  { settingSources: ['project'] },
  async ({ options }) => {
    bring(options.cwd, 'touch ran')
    const run = await collect(query({ prompt: 'Go.', options: { ...options, untrusted: true } }))
    assert.deepEqual([existsSync(join(options.cwd, 'ran')), existsSync(join(options.cwd, 'made'))], [false, false])
    assert.deepEqual(
      run.result?.permission_denials.map(({ tool_input: { command } }) => command),
      ['cat a.txt', 'mkdir made'],
    )
  },
)

test('folderTrust: what a folder brings, until its user says yes; what changes is asked about again', async () => {
  await using server = await startModelServer([])
  await using options = testOptions(server)
  const { cwd, env } = options
  assert.deepEqual(await folderTrust(cwd, { env }), { isTrusted: false, brings: [], withheld: [], changed: [] })
  bring(cwd, 'true')
  const brings = ['.claude/settings.json (hooks, permissions.allow)']
  assert.deepEqual(await folderTrust(cwd, { env }), { isTrusted: false, brings, withheld: brings, changed: [] })
  assert.deepEqual(await trustFolder(cwd, { env }), { isRemembered: true })
  assert.deepEqual(await folderTrust(cwd, { env }), { isTrusted: true, brings, withheld: [], changed: [] })
  bring(cwd, 'touch other')
  assert.deepEqual(await folderTrust(cwd, { env }), {
    isTrusted: false,
    brings,
    withheld: brings,
    changed: ['.claude/settings.json (hooks)'],
  })
})
