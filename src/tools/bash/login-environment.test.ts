/** What the user's start files add to the environment of commands. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { after, beforeEach, describe, it } from 'node:test'
import { findLeftoverProcesses } from '../../platform/processes/test-leftovers.js'
import { createTestContext, type TestContext } from '../test-context.js'
import { createBashTool } from './bash.js'

const contexts: TestContext[] = []
let test: TestContext
beforeEach(async () => {
  test = await createTestContext()
  contexts.push(test)
})
after(async () => {
  for (const context of contexts) await context.dispose()
})

/** A session of its own: the start files are read once per environment. */
function session(more: Record<string, string> = {}) {
  const tool = createBashTool({ isReadOnlyCommand: () => false })
  const context = { ...test.context, env: { ...test.context.env, ...more } }
  return async (command: string, signal = context.signal) => {
    const outcome = await tool.execute({ command }, { ...context, signal })
    return outcome.ok ? outcome.content : outcome.error
  }
}

const profile = (text: string, name = '.bashrc') => writeFile(`${test.folder}/${name}`, text)

describe('the environment of commands', () => {
  it('has the variables that start files export, and no more of them', async () => {
    await profile(`
      echo noise; echo more noise >&2
      export FROM_PROFILE="two
lines" OTHER=theirs ANTHROPIC_API_KEY=secret CDPATH=/ BASH_ENV=/x KEDGE_INTERNAL=1 POSIXLY_CORRECT=1
      NOT_EXPORTED=1
      ls() { echo function; }; export -f ls
      alias ls="echo alias"; shopt -s extglob; set -o noglob
      export PATH="/from/profile:relative::$PATH"
    `)
    const bash = session({ OTHER: 'ours' })
    const path = test.context.env['PATH']
    assert.equal(
      await bash(
        'echo "$FROM_PROFILE|$OTHER|$ANTHROPIC_API_KEY|$CDPATH|$BASH_ENV|$KEDGE_INTERNAL|$POSIXLY_CORRECT|$NOT_EXPORTED|$PATH"',
      ),
      `two\nlines|ours|||||||${path}:/from/profile`,
    )
    assert.equal(
      await bash('type -t ls; shopt extglob; set -o | grep noglob'),
      'file\nextglob        \toff\nnoglob         \toff',
    )
  })

  it('is taken once per session, from the files of a login shell', async () => {
    await profile('echo x >> "$HOME/count"; export A=login', '.bash_profile')
    const bash = session()
    assert.deepEqual([await bash('echo $A'), await bash('echo $A')], ['login', 'login'])
    assert.equal(readFileSync(`${test.folder}/count`, 'utf8'), 'x\n')
  })

  it('is left alone on request, and where there is nothing to read', async () => {
    assert.equal(await session()('echo "[$A]"'), '[]')
    await profile('export A=profile; touch "$HOME/read"')
    assert.equal(await session({ KEDGE_SHELL_PROFILE: 'off' })('echo "[$A]"'), '[]')
    assert.equal(existsSync(`${test.folder}/read`), false)
  })

  it('is what it was when the start files fail', async () => {
    for (const text of ['exit 3', 'exec true', 'if', 'kill -9 $$', 'env() { :; }; exec < /nonexistent']) {
      await profile(text)
      assert.equal(await session()('echo "[$A]"'), '[]', text)
    }
  })

  it('is not waited for when the call is interrupted, and leaves nothing running', async () => {
    const mark = `test-${randomUUID()}`
    await profile('touch "$HOME/begun"; trap "" TERM; sleep 300 & wait')
    const controller = new AbortController()
    const result = session({ KEDGE_TASK: mark })('touch ran', controller.signal)
    while (!existsSync(`${test.folder}/begun`)) await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort()
    assert.equal(await result, 'Exit code 137\n[Request interrupted by user for tool use]')
    await test.context.platform.processes.close()
    assert.deepEqual([findLeftoverProcesses(mark), existsSync(`${test.folder}/ran`)], [[], false])
  })
})
