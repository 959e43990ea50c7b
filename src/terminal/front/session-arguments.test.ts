import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { readTerminalArguments } from './session-arguments.js'

const config = (servers: object) => JSON.stringify({ mcpServers: servers })

it('every --mcp-config counts, files and texts; of one name the later; one that is none is left for the agent to refuse', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-configs-'))
  const file = join(folder, 'one.json')
  writeFileSync(file, config({ a: { command: 'a' }, b: { command: 'old' } }))
  const given = (...texts: string[]) =>
    readTerminalArguments(texts.flatMap((text) => ['--mcp-config', text]))?.settings.extraArgs?.['mcp-config']
  const later = config({ b: { command: 'new' }, c: { command: 'c' } })
  assert.deepEqual(JSON.parse(given(file, later) ?? ''), {
    mcpServers: { a: { command: 'a' }, b: { command: 'new' }, c: { command: 'c' } },
  })
  assert.equal(given(file), file)
  assert.equal(given(file, '{"mcpServers":7}', later), '{"mcpServers":7}')
  assert.equal(given(file, join(folder, 'missing.json')), join(folder, 'missing.json'))
  rmSync(folder, { recursive: true })
})
