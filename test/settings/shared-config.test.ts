/**
 * C26: processes that run at the same time destroy the configuration they share.
 * https://github.com/anthropics/claude-code/issues/28922 · https://github.com/anthropics/claude-code/issues/28829
 * https://github.com/anthropics/claude-code/issues/28973 · https://github.com/anthropics/claude-code/issues/28888
 * https://github.com/anthropics/claude-code/issues/29053 · https://github.com/anthropics/claude-code/issues/15608
 * https://github.com/anthropics/claude-code/issues/3117 · https://github.com/anthropics/claude-code/issues/29917
 *
 * T: 50 processes that make 200 changes each leave valid JSON without a lost key (a few processes here, all in the long run); no call of a
 * tool writes to a shared file; the library writes nothing but its sessions.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { query } from 'kedge'
import { collect } from 'kedge/testing'
import { bash, call, kedge, runProgram, withModel } from '../support/stage.js'
import { sampledTest as test } from '../support/tier.js'

const LONG = process.env['KEDGE_LONG'] !== undefined
const program = fileURLToPath(new URL('./settings-writer.js', import.meta.url))

test('C26 many writers of one settings file: valid JSON, every rule is there, the rest of the file as it was', async () => {
  const [writers, rules] = LONG ? [50, 200] : [4, 6]
  await withModel(
    ({ toolResults }) => (toolResults.length > 0 ? 'Done.' : bash('touch a')),
    { persistSession: false },
    async ({ options }) => {
      const file = join(options.cwd, '.claude', 'settings.local.json')
      mkdirSync(join(options.cwd, '.claude'))
      writeFileSync(file, JSON.stringify({ unknown: { kept: true }, permissions: { allow: ['Bash(ls:*)'] } }, null, 2))
      const ended = await Promise.all(
        Array.from({ length: writers }, (_, writer) => {
          const errand = JSON.stringify({ options, writer, rules })
          return runProgram(process.execPath, [program, errand], { cwd: options.cwd, env: options.env })
        }),
      )
      for (const { code, stderr } of ended) assert.equal(code, 0, stderr)
      const saved = JSON.parse(readFileSync(file, 'utf8'))
      assert.deepEqual(saved.unknown, { kept: true })
      assert.equal(new Set(saved.permissions.allow).size, writers * rules + 1)
      assert.deepEqual(readdirSync(join(options.cwd, '.claude')), ['settings.local.json'])
    },
  )
})

test('C26 kedge mcp add from several processes at once loses no server of ~/.claude.json', async () => {
  await withModel([], {}, async ({ options }) => {
    const file = join(options.env['HOME'] ?? '', '.claude.json')
    const place = join(options.env['CLAUDE_CONFIG_DIR'] ?? '', '.claude.json')
    for (const at of [file, place])
      writeFileSync(at, JSON.stringify({ theme: 'dark', projects: { '/x': { history: [1] } } }))
    const names = ['a', 'b', 'c', 'd']
    const ended = await Promise.all(
      names.map((name) => kedge(['mcp', 'add', '-s', 'user', name, '--', 'true'], options)),
    )
    for (const { code, stderr } of ended) assert.equal(code, 0, stderr)
    const saved = [file, place].map((at) => JSON.parse(readFileSync(at, 'utf8')))
    const written = saved.find(({ mcpServers }) => mcpServers !== undefined)
    assert.deepEqual(Object.keys(written.mcpServers).sort(), names)
    assert.deepEqual([written.theme, written.projects['/x']], ['dark', { history: [1] }])
  })
})

test('C26 the library writes nothing but the session, however many tools are called', async () => {
  const turns = [
    bash('echo one'),
    call('Write', { file_path: 'made.txt', content: 'x' }, 'toolu_2'),
    call('TodoWrite', { todos: [{ content: 'x', status: 'pending', activeForm: 'x' }] }, 'toolu_3'),
    'Done.',
  ]
  await withModel(turns, { allowedTools: ['Bash'], permissionMode: 'acceptEdits' }, async ({ options }) => {
    const root = join(options.cwd, '..')
    const before = new Set(readdirSync(root, { recursive: true }).map(String))
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(run.result?.subtype, 'success')
    const made = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .filter((name) => !before.has(name))
    const slug = options.cwd.replace(/[^a-zA-Z0-9]/g, '-')
    const session = join('home', '.claude', 'projects', slug, `${run.result.session_id}.jsonl`)
    assert.deepEqual(made.sort(), [session, join('project', 'made.txt')].sort())
  })
})
