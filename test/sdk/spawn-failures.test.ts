/**
 * C05: an agent that can't be started hangs or lies, and what `env` means changes between releases.
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/255 · https://github.com/anthropics/claude-code/issues/48143
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/208 · https://github.com/anthropics/claude-code/issues/14464
 * https://github.com/anthropics/claude-code/issues/4383 · https://github.com/anthropics/claude-agent-sdk-typescript/issues/55
 * https://github.com/sweatco/archie-hq/issues/75 · https://github.com/anthropics/claude-code/issues/4619
 *
 * T: a wrong path, a file that is no program, one without the right to run, one for another system: a typed error that names the file,
 * at once; `env` replaces the environment, and a missing PATH or HOME is warned of; variables of Node and its debugger do not reach
 * the child; a thousand failed starts leak no listener.
 */
import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Options, query } from 'kedge'
import { collect } from 'kedge/testing'
import { bash, notices, play, toolResults, withModel } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

/** Also what `query()` throws at once. */
async function failure(options: Options): Promise<{ code?: string; message: string }> {
  try {
    const { error } = await collect(query({ prompt: 'Go.', options }))
    assert.ok(error instanceof Error)
    return error
  } catch (error) {
    assert.ok(error instanceof Error)
    return error
  }
}

test('C05 what can not be started is a typed error that names the file', async () => {
  await withModel([], {}, async ({ options }) => {
    const file = (name: string, content: string, mode: number) => {
      const path = join(options.cwd, name)
      writeFileSync(path, content)
      chmodSync(path, mode)
      return path
    }
    const cases = {
      missing: { path: join(options.cwd, 'nowhere'), code: 'executable_not_found' },
      'not executable': { path: file('plain', '#!/bin/sh\n', 0o644), code: 'spawn_failed' },
      'no program': { path: file('noise', '\x7fELF but not really', 0o755), code: 'spawn_failed' },
      // As with a binary for another libc, the kernel says ENOENT although the file is there.
      'another system': { path: file('foreign', '#!/lib/ld-of-another-libc.so\n', 0o755), code: 'spawn_failed' },
    }
    for (const [name, { path, code }] of Object.entries(cases)) {
      const error = await failure({ ...options, pathToClaudeCodeExecutable: path })
      assert.equal(error.code, code, `${name}: ${error.message}`)
      assert.ok(error.message.includes(path), `${name}: ${error.message}`)
      if (name === 'another system') assert.match(error.message, /the file is there/)
    }
    const cwd = join(options.cwd, 'no-folder')
    const lost = await failure({ ...options, cwd, isolation: 'process' })
    assert.equal(lost.code, 'invalid_cwd')
    assert.ok(lost.message.includes(cwd))
  })
})

for (const isolation of isolationsOf('C05 env replaces the environment; without')) {
  test(`C05 env replaces the environment; without PATH and HOME it works, and a message says what is missing (${isolation})`, async () => {
    process.env['C05_OF_THE_HOST'] = 'leaked'
    await withModel(
      [bash('echo "<$C05_OF_THE_HOST>"'), 'Done.'],
      { isolation, allowedTools: ['Bash'], includeNotices: true },
      async (world) => {
        const env = world.server.env()
        const run = await collect(query({ prompt: 'Go.', options: { ...world.options, env } }))
        assert.equal(run.error, undefined)
        assert.equal(run.result?.subtype, 'success')
        assert.equal(toolResults(run.messages)[0]?.text, '<>')
        assert.deepEqual(notices(run.messages, 'environment_incomplete'), [{ missing: 'PATH, HOME' }])
      },
    )
  })
}

test('C05 variables of Node and its debugger do not reach the agent', async () => {
  const env = { NODE_OPTIONS: '--no-such-option', VSCODE_INSPECTOR_OPTIONS: '{"inspectorIpc":"/nowhere"}' }
  const run = await play(['Hello.'], { isolation: 'process', env })
  assert.equal(run.result?.subtype, 'success')
})

test('C05 failed starts leak no listener', async () => {
  const times = process.env['KEDGE_LONG'] ? 1000 : 50
  await withModel([], {}, async ({ options }) => {
    const noise = join(options.cwd, 'noise')
    writeFileSync(noise, '\x7fELF but not really')
    chmodSync(noise, 0o755)
    const listeners = () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
    const abortController = new AbortController()
    await failure({ ...options, pathToClaudeCodeExecutable: noise })
    const [before, handles] = [listeners(), process.getActiveResourcesInfo().length]
    const warnings: unknown[] = []
    const hear = (warning: Error) => warnings.push(warning)
    process.on('warning', hear)
    for (let n = 0; n < times; n += 1) {
      await failure({ ...options, abortController, pathToClaudeCodeExecutable: noise })
    }
    process.off('warning', hear)
    assert.equal(listeners(), before)
    assert.ok(process.getActiveResourcesInfo().length <= handles + 3)
    // MaxListenersExceededWarning, for one.
    assert.deepEqual(warnings, [])
  })
})
