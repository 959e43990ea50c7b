import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeOptions } from './normalize-options.js'
import { OPTION_SHAPES } from './option-shapes.js'

test('null means absent, for every option', () => {
  const all = Object.fromEntries(Object.keys(OPTION_SHAPES).map((name) => [name, null]))
  assert.deepEqual(normalizeOptions(all), {})
})

test('an empty name or path means absent; an empty system prompt is one', () => {
  const empty = { pathToClaudeCodeExecutable: '', model: '', resume: '', permissionMode: '', cwd: '', maxTurns: '' }
  assert.deepEqual(normalizeOptions({ ...empty, systemPrompt: '' }), { systemPrompt: '' })
})

test('inside of data null means absent too; live objects and what null says something in are left alone', () => {
  const hook = () => {}
  const store = { append: null }
  const server = { type: 'sdk', instance: null }
  const given = normalizeOptions({
    hooks: { PreToolUse: [{ matcher: null, hooks: [hook], timeout: null }] },
    agents: { a: { description: 'd', prompt: 'p', tools: null } },
    mcpServers: { s: { command: 'c', args: null }, live: server },
    extraArgs: { bare: null },
    settings: { model: null },
    sessionStore: store,
  })
  assert.deepEqual(given, {
    hooks: { PreToolUse: [{ hooks: [hook] }] },
    agents: { a: { description: 'd', prompt: 'p' } },
    mcpServers: { s: { command: 'c' }, live: server },
    extraArgs: { bare: null },
    settings: { model: null },
    sessionStore: store,
  })
  assert.equal(given.sessionStore, store)
  assert.equal(given.mcpServers.live, server)
})

test('a number as text is that number; other texts stay, to be refused', () => {
  assert.deepEqual(normalizeOptions({ maxTurns: '3', maxBudgetUsd: ' 0.5 ', timeoutMs: 'soon', model: '5' }), {
    maxTurns: 3,
    maxBudgetUsd: 0.5,
    timeoutMs: 'soon',
    model: '5',
  })
})
