import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { findLeftoverProcesses } from '../platform/processes/test-leftovers.js'
import type { HookObservation } from './session-hooks.js'
import { createTestHooks, hookBashCall, neverAbortedSignal, type TestHooks } from './test-hooks.js'

const read = ({ cwd }: TestHooks, name: string) => readFileSync(join(cwd, name), 'utf8')
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}
const responses = ({ observed }: TestHooks) =>
  observed.flatMap(({ message }) => (message.subtype === 'hook_response' ? [message] : []))

describe('a command hook', () => {
  test('gets the event on stdin, the folder to work in, and an environment', async () => {
    await using at = createTestHooks()
    at.command('PreToolUse', 'cat > in.json; pwd > pwd; env > env', { pluginRoot: '/plug in' })
    assert.deepEqual(await at.hooks.preTool(hookBashCall, neverAbortedSignal), { context: [] })
    const text = read(at, 'in.json')
    assert.ok(text.endsWith('}\n') && text.indexOf('\n') === text.length - 1)
    assert.deepEqual(JSON.parse(text), {
      session_id: 's',
      transcript_path: '/t.jsonl',
      cwd: at.cwd,
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'echo hi' },
      tool_use_id: 'toolu_1',
    })
    assert.equal(read(at, 'pwd').trim(), at.cwd)
    const names = ['CLAUDE_PROJECT_DIR', 'CLAUDE_PLUGIN_ROOT', 'HOME']
    const lines = read(at, 'env').split('\n')
    assert.deepEqual(
      names.map((name) => lines.find((line) => line.startsWith(`${name}=`))),
      [`CLAUDE_PROJECT_DIR=${at.cwd}`, 'CLAUDE_PLUGIN_ROOT=/plug in', `HOME=${at.cwd}`],
    )
  })

  test('may use the folder of its plugin in the command, and has none without a plugin', async () => {
    await using at = createTestHooks()
    const print = 'echo "$CLAUDE_PLUGIN_ROOT" end'
    at.command('UserPromptSubmit', print, { pluginRoot: '/a b' })
    at.command('UserPromptSubmit', `${print} `)
    assert.deepEqual(await at.hooks.promptSubmit('p', neverAbortedSignal), { context: ['/a b end', 'end'] })
  })

  test('need not read what it is told, however long that is', async () => {
    await using at = createTestHooks()
    at.command('UserPromptSubmit', 'exec 0<&-; echo ok')
    at.command('UserPromptSubmit', 'wc -c | tr -d " "')
    const { context } = await at.hooks.promptSubmit('x'.repeat(5_000_000), neverAbortedSignal)
    assert.equal(context[0], 'ok')
    assert.ok(Number(context[1]) > 5_000_000)
  })

  test('is run beside the others, not after them', async () => {
    await using at = createTestHooks()
    // Each waits for the other.
    at.command('UserPromptSubmit', 'touch a; until [ -e b ]; do sleep 0.01; done; echo a')
    at.command('UserPromptSubmit', 'touch b; until [ -e a ]; do sleep 0.01; done; echo b')
    at.callbacks('UserPromptSubmit', [
      async () => {
        await until(() => existsSync(join(at.cwd, 'a')) && existsSync(join(at.cwd, 'b')))
        return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'c' } }
      },
    ])
    assert.deepEqual(await at.hooks.promptSubmit('p', neverAbortedSignal), { context: ['a', 'b', 'c'] })
  })

  test('is run once for an event, however many files and matchers name it; plugins are told apart', async () => {
    await using at = createTestHooks()
    const command = 'echo x >> seen'
    at.command('PreToolUse', command, { matcher: 'Bash', source: 'a' })
    at.command('PreToolUse', command, { matcher: '*', source: 'b', timeout: 5 })
    at.command('PreToolUse', command, { pluginRoot: '/p' })
    at.command('PostToolUse', command)
    await at.hooks.preTool(hookBashCall, neverAbortedSignal)
    assert.equal(read(at, 'seen'), 'x\nx\n')
  })

  test('a twin that nobody waits for does not stand in for the guard', async () => {
    await using at = createTestHooks()
    at.command('PreToolUse', 'exit 2', { async: true })
    at.command('PreToolUse', 'exit 2')
    assert.equal((await at.hooks.preTool(hookBashCall, neverAbortedSignal)).decision, 'deny')
  })

  test('matchers choose by tool, also by its other name', async () => {
    await using at = createTestHooks()
    for (const matcher of ['Bash', 'Agent', 'Task', 'Read', 'T.*k']) {
      at.command('PreToolUse', `echo '${matcher}' >> seen-"$(grep -o '"tool_name":"[A-Za-z]*"' | cut -d'"' -f4)"`, {
        matcher,
      })
    }
    await at.hooks.preTool({ ...hookBashCall, name: 'Task' }, neverAbortedSignal)
    await at.hooks.preTool(hookBashCall, neverAbortedSignal)
    assert.deepEqual(read(at, 'seen-Task').trim().split('\n').sort(), ['Agent', 'T.*k', 'Task'])
    assert.equal(read(at, 'seen-Bash'), 'Bash\n')
  })

  test('once: not again after it worked, but again after it failed', async () => {
    await using at = createTestHooks()
    at.command('PreToolUse', 'echo x >> seen; [ -e ready ] || exit 127', { once: true })
    assert.equal((await at.hooks.preTool(hookBashCall, neverAbortedSignal)).decision, 'deny')
    writeFileSync(join(at.cwd, 'ready'), '')
    for (let i = 0; i < 3; i += 1)
      assert.deepEqual(await at.hooks.preTool(hookBashCall, neverAbortedSignal), { context: [] })
    assert.equal(read(at, 'seen'), 'x\nx\n')
  })

  test('F23 a command that is not there is reported once, and denies each time', async () => {
    await using at = createTestHooks()
    at.command('PreToolUse', 'no-such-command-anywhere')
    at.command('PostToolUse', 'no-such-command-anywhere')
    for (let i = 0; i < 3; i += 1) {
      const { decision, reason } = await at.hooks.preTool(hookBashCall, neverAbortedSignal)
      assert.equal(decision, 'deny')
      assert.match(
        reason ?? '',
        /^PreToolUse hook \[no-such-command-anywhere\] failed: command not found \(exit code 127\)/,
      )
      await at.hooks.postTool(hookBashCall, { ok: true, content: '', output: '' }, false, neverAbortedSignal)
    }
    assert.deepEqual(
      at.reports.map((text) => text.slice(0, 20)),
      ['Hook PreToolUse:Bash', 'Hook PostToolUse:Bas'],
    )
  })

  test('without a shell nothing can be run: that denies, and is reported once', async () => {
    await using at = createTestHooks({ environment: () => ({ PATH: '/nowhere' }) })
    at.command('PreToolUse', 'exit 0')
    for (let i = 0; i < 2; i += 1)
      assert.equal((await at.hooks.preTool(hookBashCall, neverAbortedSignal)).decision, 'deny')
    assert.equal(at.reports.length, 1)
    assert.match(at.reports[0] ?? '', /of settings\.json: it could not be started: /)
  })

  test('other failures are reported each time, with what it said', async () => {
    await using at = createTestHooks()
    at.command('Stop', 'echo oops >&2; exit 1')
    for (let i = 0; i < 2; i += 1) assert.deepEqual(await at.hooks.stop(false, '', neverAbortedSignal), {})
    assert.deepEqual(at.reports, Array(2).fill('Hook Stop [echo oops >&2; exit 1] of settings.json: exit code 1: oops'))
  })

  test('beyond its time everything it started is ended, even if it does not want to', async () => {
    await using at = createTestHooks()
    const mark = `HOOK_TEST=${process.pid}`
    at.command('PreToolUse', `export ${mark}; (trap '' TERM; sleep 60) & trap '' TERM; sleep 60`, { timeout: 0.2 })
    const { decision, reason } = await at.hooks.preTool(hookBashCall, neverAbortedSignal)
    assert.equal(decision, 'deny')
    assert.match(reason ?? '', /it took longer than 0.2 s$/)
    assert.deepEqual(findLeftoverProcesses(mark), [])
    assert.deepEqual(
      responses(at).map(({ outcome }) => outcome),
      ['cancelled'],
    )
  })

  test('what it leaves running does not hold anything up, and ends with the session', async () => {
    const at = createTestHooks()
    const mark = `HOOK_TEST_BG=${process.pid}`
    at.command('UserPromptSubmit', `${mark} sleep 60 & echo started`)
    assert.deepEqual(await at.hooks.promptSubmit('p', neverAbortedSignal), { context: ['started'] })
    if (process.platform === 'linux') assert.equal(findLeftoverProcesses(mark).length, 1)
    await at[Symbol.asyncDispose]()
    assert.deepEqual(findLeftoverProcesses(mark), [])
  })

  test('is ended when the turn is, and that is no fault of its own', async () => {
    await using at = createTestHooks()
    at.command('PreToolUse', 'touch started; sleep 60')
    const turn = new AbortController()
    const verdict = at.hooks.preTool(hookBashCall, turn.signal)
    await until(() => existsSync(join(at.cwd, 'started')))
    turn.abort()
    assert.equal((await verdict).decision, 'deny')
    assert.deepEqual([at.reports, responses(at).map(({ outcome }) => outcome)], [[], ['cancelled']])
  })

  test('after the end of the turn it is still told, but does not hold the end up', async () => {
    await using at = createTestHooks()
    at.command('PostToolUseFailure', 'touch told; sleep 60')
    await at.hooks.postTool(hookBashCall, { ok: false, error: 'x' }, true, AbortSignal.abort())
    assert.ok(existsSync(join(at.cwd, 'told')))
  })

  test('that prints without end is ended in time, in flat memory', async () => {
    await using at = createTestHooks()
    at.command('UserPromptSubmit', 'yes', { timeout: 0.3 })
    assert.deepEqual(await at.hooks.promptSubmit('p', neverAbortedSignal), { context: [] })
    assert.ok(responses(at).every(({ stdout }) => stdout.length < 101_000))
  })

  test('prints what it likes: bytes that are no text, long text', async () => {
    await using at = createTestHooks()
    at.command('UserPromptSubmit', "printf 'a\\xff\\xfeb'")
    at.command('UserPromptSubmit', 'head -c 1000000 /dev/zero | tr "\\0" x')
    at.command('UserPromptSubmit', 'echo "{"; head -c 20000000 /dev/zero | tr "\\0" x')
    const { context } = await at.hooks.promptSubmit('p', neverAbortedSignal)
    assert.match(at.reports.join(), /its answer is too long$/)
    assert.equal(context[0], 'a\ufffd\ufffdb')
    assert.ok(context[1]?.endsWith('[cut: the hook sent 1000000 characters]'))
  })
})

describe('hooks nobody waits for', () => {
  const late = '{"systemMessage":"sm","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"ctx"}}'
  const post = (at: TestHooks) =>
    at.hooks.postTool(hookBashCall, { ok: true, content: '', output: '' }, false, neverAbortedSignal)
  const wait = 'until [ -e go ]; do sleep 0.01; done'

  for (const [name, command, more] of [
    ['by configuration', `${wait}; echo '${late}'`, { async: true }],
    ['by their first line', `echo '{"async":true}'; ${wait}; echo '${late}'`, {}],
    ['by a first line that is not ended', `printf '{"async":true,"asyncTimeout":60000}'; ${wait}; echo '${late}'`, {}],
  ] as const) {
    test(`${name}: the turn goes on, what they say comes later`, async () => {
      await using at = createTestHooks()
      at.command('PostToolUse', command, more)
      assert.deepEqual(await post(at), { context: [] })
      assert.deepEqual([at.hooks.takeLate(), at.informed, responses(at)], [[], [], []])
      writeFileSync(join(at.cwd, 'go'), '')
      await until(() => responses(at).length > 0)
      assert.deepEqual(at.hooks.takeLate(), ['sm', 'ctx'])
      assert.deepEqual([at.hooks.takeLate(), at.informed], [[], ['sm']])
      assert.equal(responses(at)[0]?.outcome, 'success')
    })
  }

  test('do not decide, whatever they say', async () => {
    await using at = createTestHooks()
    at.command('PreToolUse', 'exit 2', { async: true })
    assert.deepEqual(await at.hooks.preTool(hookBashCall, neverAbortedSignal), { context: [] })
    await until(() => responses(at).length > 0)
  })

  test('one that objects and says async contradicts itself: before a tool that denies', async () => {
    await using at = createTestHooks()
    at.command('PreToolUse', `echo '{"async":true,"decision":"block"}'`)
    const { decision, reason } = await at.hooks.preTool(hookBashCall, neverAbortedSignal)
    assert.equal(decision, 'deny')
    assert.match(reason ?? '', /it is async and objects/)
  })

  test('C30 one that never reports is ended after the time it asked for', async () => {
    await using at = createTestHooks()
    const mark = `HOOK_TEST_ASYNC=${process.pid}`
    at.command('PostToolUse', `echo '{"async":true,"asyncTimeout":100}'; export ${mark}; sleep 60`)
    await post(at)
    await until(() => responses(at).length > 0)
    assert.deepEqual(
      [responses(at)[0]?.outcome, at.hooks.takeLate(), findLeftoverProcesses(mark)],
      ['cancelled', [], []],
    )
    assert.match(at.reports.join(), /it took longer than 0.1 s/)
  })

  test('outlive the turn', async () => {
    await using at = createTestHooks()
    at.command('PostToolUse', `touch started; ${wait}; echo '${late}'`, { async: true })
    const turn = new AbortController()
    await at.hooks.postTool(hookBashCall, { ok: true, content: '', output: '' }, false, turn.signal)
    await until(() => existsSync(join(at.cwd, 'started')))
    turn.abort()
    writeFileSync(join(at.cwd, 'go'), '')
    await until(() => responses(at).length > 0)
    assert.deepEqual([responses(at)[0]?.outcome, at.hooks.takeLate()], ['success', ['sm', 'ctx']])
  })

  test('end with the session', async () => {
    const at = createTestHooks()
    const mark = `HOOK_TEST_LIVE=${process.pid}`
    at.command('PostToolUse', `export ${mark}; touch started; sleep 60`, { async: true })
    await post(at)
    await until(() => existsSync(join(at.cwd, 'started')))
    await at[Symbol.asyncDispose]()
    assert.deepEqual([responses(at)[0]?.outcome, findLeftoverProcesses(mark)], ['cancelled', []])
  })

  test('a first line that is something else changes nothing', async () => {
    await using at = createTestHooks()
    at.command('UserPromptSubmit', `echo '{"async":false}'`)
    at.command('UserPromptSubmit', `echo 'async'; echo '{"async":true}'`)
    at.command('UserPromptSubmit', `printf '{"asy'; sleep 0.05; echo 'nc":true}'; echo never heard`)
    assert.deepEqual(await at.hooks.promptSubmit('p', neverAbortedSignal), { context: ['async\n{"async":true}'] })
  })
})

describe('what a host can be told', () => {
  const withoutId = (observation: HookObservation | undefined) => {
    const { hook_id, ...message } = observation?.message ?? { hook_id: '' }
    return { from: observation?.from, ...message }
  }

  test('the start and the end of a command', async () => {
    await using at = createTestHooks()
    at.command('SessionStart', 'echo out; echo err >&2; exit 3')
    await at.hooks.sessionStart('startup', 'm', neverAbortedSignal)
    const about = { from: 'settings', hook_name: 'SessionStart:startup', hook_event: 'SessionStart' }
    assert.deepEqual(at.observed.map(withoutId), [
      { subtype: 'hook_started', ...about },
      {
        subtype: 'hook_response',
        ...about,
        output: 'out\nerr\n',
        stdout: 'out\n',
        stderr: 'err\n',
        exit_code: 3,
        outcome: 'error',
      },
    ])
    assert.equal(new Set(at.observed.map(({ message }) => message.hook_id)).size, 1)
  })

  test('what it prints meanwhile', async () => {
    const due: (() => void)[] = []
    // Timers that go off when the test says so; the limits of the hooks are among them, and never do.
    await using at = createTestHooks({
      after: (ms, callback) => {
        if (ms === 1000) due.push(callback)
        return () => {}
      },
    })
    at.command('Stop', 'echo one; touch said; until [ -e go ]; do sleep 0.01; done')
    const ended = at.hooks.stop(false, '', neverAbortedSignal)
    await until(() => due.length > 0)
    for (const callback of due) callback()
    assert.deepEqual(withoutId(at.observed[1]), {
      from: 'settings',
      subtype: 'hook_progress',
      hook_name: 'Stop',
      hook_event: 'Stop',
      output: 'one\n',
      stdout: 'one\n',
      stderr: '',
    })
    writeFileSync(join(at.cwd, 'go'), '')
    await ended
  })

  test('callbacks', async () => {
    await using at = createTestHooks()
    at.callbacks('PreToolUse', [
      () => ({ decision: 'approve' }),
      () => {
        throw new Error('boom')
      },
    ])
    await at.hooks.preTool(hookBashCall, neverAbortedSignal)
    const about = { from: 'callback', hook_name: 'PreToolUse:Bash', hook_event: 'PreToolUse' }
    const told = at.observed.map(withoutId)
    assert.deepEqual(told.slice(0, 2), Array(2).fill({ subtype: 'hook_started', ...about }))
    const ended = { subtype: 'hook_response', ...about, stdout: '' }
    for (const response of [
      { ...ended, output: '{"decision":"approve"}', stderr: '', outcome: 'success' },
      { ...ended, output: 'boom', stderr: 'boom', outcome: 'error' },
    ]) {
      assert.ok(told.some((message) => isDeepStrictEqual(message, response)))
    }
  })
})
