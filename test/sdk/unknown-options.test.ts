/** Options that a JavaScript program misspelled: they do nothing, and a warning of the process says which and what was meant. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { query } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'

type Warned = Error & { code?: string }

async function warningsOf(more: object): Promise<string[]> {
  const warnings: Warned[] = []
  const hear = (warning: Warned) => warnings.push(warning)
  process.on('warning', hear)
  try {
    await using server = await startModelServer(['Done.'])
    await using options = testOptions(server)
    const { result } = await collect(query({ prompt: 'Hi.', options: { ...options, ...more } }))
    assert.equal(result?.subtype, 'success', 'nothing is refused')
  } finally {
    process.off('warning', hear)
  }
  return warnings.filter(({ code }) => code === 'KEDGE_UNKNOWN_OPTION').map(({ message }) => message)
}

test('an unknown option is ignored, with one warning per process that names what was meant', async () => {
  const unknown = { permisionMode: 'plan', maxBudgetUSD: 1, onMyOwnMark: true, alsoMine: undefined }
  assert.deepEqual(await warningsOf(unknown), [
    "options.permisionMode isn't an option of query(), and is ignored. Did you mean permissionMode?",
    "options.maxBudgetUSD isn't an option of query(), and is ignored. Did you mean maxBudgetUsd?",
    "options.onMyOwnMark isn't an option of query(), and is ignored.",
  ])
  assert.deepEqual(await warningsOf(unknown), [])
})

test('known options, and those of newer releases that ask for nothing, give no warning', async () => {
  assert.deepEqual(await warningsOf({ permissionMode: 'plan', managedSettings: {}, verbatimPrompts: false }), [])
})

test('an MCP server without a command, url, or in-process server gives a warning that names the field', async () => {
  const servers = { files: { comand: 'npx' }, empty: {}, good: { command: process.execPath, args: ['-e', '0'] } }
  assert.deepEqual(await warningsOf({ mcpServers: servers }), [
    "options.mcpServers.files has no `command`, `url`, or in-process server, so the agent can't use it. comand isn't a field of a server. Did you mean command?",
    "options.mcpServers.empty has no `command`, `url`, or in-process server, so the agent can't use it.",
  ])
})
