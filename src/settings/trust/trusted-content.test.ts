import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testSettings } from '../test-settings.js'
import { isTrustedFolder, rememberTrust } from '../trusted-folders.js'
import { changedSince, noteRuns } from './trusted-content.js'

test('what runs is noted with the trust, and told of when it is another; what does not run may change', async () => {
  using at = testSettings()
  const ports = { ...at.ports, configDir: join(at.home, '.claude'), home: at.home }
  const put = (name: string, content: object) => {
    mkdirSync(join(at.cwd, '.claude'), { recursive: true })
    writeFileSync(join(at.cwd, name), JSON.stringify(content))
  }
  const hooks = (command: string) => ({ Stop: [{ hooks: [{ type: 'command', command }] }] })
  put('.mcp.json', { mcpServers: { a: { command: 'a' } } })
  put('.claude/settings.json', { model: 'x', hooks: hooks('lint') })
  // A trust of earlier releases: nothing is known of what it was about, so it is noted now.
  assert.equal(await rememberTrust(at.cwd, ports), undefined)
  assert.deepEqual(await changedSince(at.cwd, ports), [])
  assert.equal(await noteRuns(at.cwd, false, ports), undefined)
  assert.deepEqual(await changedSince(at.cwd, ports), [])

  put('.claude/settings.json', { model: 'y', hooks: hooks('lint') })
  assert.deepEqual(await changedSince(at.cwd, ports), [])
  put('.claude/settings.json', { model: 'y', hooks: hooks('evil') })
  put('.mcp.json', { mcpServers: { a: { command: 'b' } } })
  put('.claude/settings.local.json', { hooks: hooks('new') })
  const changed = ['.mcp.json', '.claude/settings.json (hooks)', '.claude/settings.local.json (hooks)']
  assert.deepEqual(await changedSince(at.cwd, ports), changed)
  // Nobody has seen it: it stays what it was when it was trusted.
  await noteRuns(at.cwd, false, ports)
  assert.deepEqual(await changedSince(at.cwd, ports), changed)
  await noteRuns(at.cwd, true, ports)
  assert.deepEqual(await changedSince(at.cwd, ports), [])
  rmSync(join(at.cwd, '.mcp.json'))
  assert.deepEqual(await changedSince(at.cwd, ports), [])
  // Another folder is added beside it, and nothing is forgotten.
  await rememberTrust(join(at.cwd, 'other'), ports)
  put('.mcp.json', {})
  assert.deepEqual(await changedSince(at.cwd, ports), ['.mcp.json'])
  assert.equal(await isTrustedFolder(at.cwd, ports), true)
})
