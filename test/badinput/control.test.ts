/** Requests and answers of the control protocol that are wrong, late, doubled or unasked, each by its id. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Turn } from 'kedge/testing'
import { sampledTest as test } from '../support/tier.js'
import {
  type Agent,
  answerTo,
  failure,
  isHookCall,
  isQuestion,
  isResult,
  lastToolResults,
  made,
  preToolUse,
  request,
  startAgent,
  success,
  touch,
  user,
} from './agent-process.js'

const guard = { PreToolUse: [{ hookCallbackIds: ['hook_0'] }] }

/** One tool call whose permission question gets this answer; gives what the model was told about the call. */
async function answerQuestion(agent: Agent, answer: unknown): Promise<string | undefined> {
  await agent.send(user('Make it.'))
  const { request_id: id } = await agent.take(isQuestion)
  await agent.send(success(id, answer))
  await agent.take(isResult)
  return lastToolResults(agent)[0]
}

test('C02 a control_request without request_id is reported and never answered', async () => {
  await using agent = await startAgent(['Still here.'])
  const body = { subtype: 'set_permission_mode', mode: 'acceptEdits' }
  await agent.send({ type: 'control_request', request: body }, request(null, body), request(7, body), request('', body))
  assert.equal((await agent.turn('Are you there?')).result, 'Still here.')
  await agent.finish()
  assert.equal(agent.stderr().match(/^Ignored: control_request without a request_id$/gm)?.length, 4)
  assert.equal(agent.lines.filter(({ response }) => response).length, 1)
  assert.equal(agent.lines.find(({ subtype }) => subtype === 'init')?.permissionMode, 'default')
})

test('C03 a request_id that is still open: the second gets an error, the first one answer', async () => {
  await using agent = await startAgent([])
  writeFileSync(join(agent.options.cwd, 'a.txt'), 'alpha')
  const twice = request('same', { subtype: 'read_file', path: 'a.txt' })
  await agent.send(twice, twice)
  const answers = [await agent.take(answerTo('same')), await agent.take(answerTo('same'))].map(
    ({ response }) => response,
  )
  assert.deepEqual(
    answers.find((answer) => answer?.subtype === 'error'),
    {
      subtype: 'error',
      request_id: 'same',
      error: 'request_id same is still open',
      error_code: 'duplicate_request_id',
    },
  )
  assert.equal(answers.find((answer) => answer?.subtype === 'success')?.response?.content, 'alpha')
  await agent.send(twice)
  assert.equal((await agent.take(answerTo('same'))).response?.subtype, 'success')
  await agent.finish()
  assert.equal(agent.lines.filter(answerTo('same')).length, 3)
})

test('C06 a can_use_tool answer `{}` and other empty ones are a denial with a clear message', async () => {
  const answers = [{}, null, '', 0, [], undefined, { message: 'x' }, { behavior: '' }, { behavior: 'ask' }]
  await using agent = await startAgent(answers.flatMap((): Turn[] => [touch(), 'Done.']))
  for (const answer of answers) {
    assert.match(
      String(await answerQuestion(agent, answer)),
      /^Tool permission request failed: Error: Invalid permission result: /,
      JSON.stringify(answer),
    )
  }
  await agent.finish()
  assert.equal(made(agent), false)
})

test('C06 a denial with an empty message or none still says something: the API refuses an empty error', async () => {
  const answers = [' ', null, undefined, 7].map((message) => ({ behavior: 'deny', message }))
  await using agent = await startAgent(answers.flatMap((): Turn[] => [touch(), 'Done.']))
  for (const answer of answers) assert.equal(await answerQuestion(agent, answer), 'Permission denied.')
  await agent.finish()
})

test('C08 the old shape `{"allowed":true}` and everything that is merely truthy is a denial', async () => {
  const truthy = { allowed: true, allow: true, approved: true, decision: 'allow', permissionDecision: 'allow' }
  const answers = [
    truthy,
    { behavior: 'ALLOW' },
    { behavior: true },
    { behavior: ['allow'] },
    'allow',
    true,
    { behavior: 'allow', updatedInput: 'touch x' },
    { behavior: 'allow', updatedPermissions: {} },
  ]
  await using agent = await startAgent(answers.flatMap((): Turn[] => [touch(), 'Done.']))
  for (const answer of answers) {
    assert.match(String(await answerQuestion(agent, answer)), /Invalid permission result/, JSON.stringify(answer))
  }
  await agent.finish()
  assert.equal(made(agent), false)
})

test('C09 allow without updatedInput on the wire', async () => {
  await using agent = await startAgent([touch(), 'Done.'])
  await answerQuestion(agent, { behavior: 'allow' })
  await agent.finish()
  assert.equal(made(agent), true)
})

test('C11 allow with an updatedInput that a deny rule covers: the rule wins', async () => {
  const write = { tools: [{ name: 'Write', input: { file_path: 'a.txt', content: 'x' } }] }
  const args = ['--disallowedTools', 'Edit(secret/**),Bash(rm:*)']
  await using agent = await startAgent([write, 'Done.', touch(), 'Done.', write, 'Done.'], { args })
  mkdirSync(join(agent.options.cwd, 'secret'))
  const elsewhere = { file_path: join(agent.options.cwd, 'secret', 'a.txt'), content: 'x' }
  assert.match(String(await answerQuestion(agent, { behavior: 'allow', updatedInput: elsewhere })), /denied/)
  assert.match(
    String(await answerQuestion(agent, { behavior: 'allow', updatedInput: { command: 'rm -r secret' } })),
    /denied/,
  )
  const broken = await answerQuestion(agent, { behavior: 'allow', updatedInput: { file_path: 7 } })
  assert.match(String(broken), /<tool_use_error>/)
  await agent.finish()
  assert.deepEqual(readdirSync(agent.options.cwd, { recursive: true }), ['secret'])
})

test('C14 updatedPermissions that allow `*` or make no sense change no rule: the next call is asked about again', async () => {
  const add = (rule: unknown) => ({ type: 'addRules', rules: [rule], behavior: 'allow', destination: 'session' })
  const updates: unknown[] = [
    add({ toolName: '*' }),
    add({ toolName: 'B*' }),
    add({ toolName: '' }),
    add(null),
    add('Bash'),
    { ...add({ toolName: 'Bash' }), rules: [{ toolName: 'Bash' }, { toolName: '*' }] },
    { ...add({ toolName: 'Bash' }), behavior: 'yes' },
    { ...add({ toolName: 'Bash' }), destination: 'everywhere' },
    { ...add({ toolName: 'Bash' }), rules: { toolName: 'Bash' } },
    { ...add({ toolName: '*' }), type: 'replaceRules' },
    { type: 'setMode', mode: 'bypassPermissions', destination: 'session' },
    { type: 'setMode', mode: 'zzz', destination: 'session' },
    { type: 'addDirectories', directories: [''], destination: 'session' },
    { type: 'addDirectories', directories: 'tmp', destination: 'session' },
    { type: 'allowAll' },
    null,
    'all',
  ]
  const names = updates.map((_, n) => `file${n}`)
  await using agent = await startAgent([...names, 'last'].flatMap((name): Turn[] => [touch(name), 'Done.']))
  for (const update of updates) await answerQuestion(agent, { behavior: 'allow', updatedPermissions: [update] })
  await answerQuestion(agent, { behavior: 'deny', message: 'No.' })
  await agent.finish()
  assert.equal(agent.stderr().trim().split('\n').length, updates.length, agent.stderr())
  assert.match(agent.stderr(), /^Permission rule "\*" is not used: /)
  assert.deepEqual(readdirSync(agent.options.cwd).sort(), [...names].sort())
  const modes = agent.lines.flatMap(({ subtype, permissionMode }) => (subtype === 'init' ? permissionMode : []))
  assert.deepEqual(new Set(modes), new Set(['default']))
})

const always = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'touch:*' }],
  behavior: 'allow',
  destination: 'projectSettings',
}

test('C15 updatedPermissions for projectSettings are written to that file and no other', async () => {
  await using agent = await startAgent([touch('one'), 'Done.', touch('two'), 'Done.'])
  await answerQuestion(agent, { behavior: 'allow', updatedPermissions: [always] })
  await agent.turn('And the other.')
  await agent.finish()
  const folder = join(agent.options.cwd, '.claude')
  assert.deepEqual(readdirSync(folder), ['settings.json'])
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')), {
    permissions: { allow: ['Bash(touch:*)'] },
  })
  assert.deepEqual([agent.stderr(), made(agent, 'one'), made(agent, 'two')], ['', true, true])
})

test('C15 updatedPermissions for projectSettings do not follow a link out of the project: said, and nothing is written', async () => {
  await using agent = await startAgent([touch('one'), 'Done.', touch('two'), 'Done.'])
  const outside = join(String(agent.options.env.HOME), 'outside')
  mkdirSync(outside)
  symlinkSync(outside, join(agent.options.cwd, '.claude'))
  await answerQuestion(agent, { behavior: 'allow', updatedPermissions: [always] })
  await agent.turn('And the other.')
  await agent.finish()
  assert.match(
    agent.stderr(),
    /^The permission rule was not saved to .*settings\.json: it is a link that leads elsewhere/,
  )
  assert.deepEqual([made(agent, 'one'), made(agent, 'two'), readdirSync(outside)], [true, true, []])
})

test('C17 an answer that arrives after interrupt is ignored: the tool does not start', async () => {
  await using agent = await startAgent([touch(), 'Still here.'])
  await agent.send(user('Make it.'))
  const { request_id: id } = await agent.take(isQuestion)
  assert.equal((await agent.ask({ subtype: 'interrupt' })).subtype, 'success')
  await agent.take(({ type, request_id }) => type === 'control_cancel_request' && request_id === id)
  const result = await agent.take(isResult)
  assert.deepEqual([result.subtype, result.is_error], ['error_during_execution', false])
  await agent.send(success(id, { behavior: 'allow', updatedInput: { command: 'touch made' } }))
  assert.equal((await agent.turn('Are you there?')).result, 'Still here.')
  await agent.finish()
  assert.equal(made(agent), false)
})

test('C21 initialize sent twice: the second describes the session again, its hooks replace the first, and nothing else changes', async () => {
  const call = { tools: [{ name: 'Bash', input: { command: 'echo ran' } }] }
  await using agent = await startAgent([call, 'Done.'], { initialize: { hooks: guard } })
  const more = { PreToolUse: [{ hookCallbackIds: ['hook_0'] }], Stop: [{ hookCallbackIds: ['hook_2'] }] }
  const second = await agent.ask({ subtype: 'initialize', hooks: more, systemPrompt: 'Another.' })
  assert.equal(second.subtype, 'success')
  const { hooks_applied: applied, pending_permission_requests: open } = second.response ?? {}
  assert.deepEqual([applied, open], [true, []])
  await agent.send(user('Go.'))
  for (const callback of ['hook_0', 'hook_2']) {
    const { request_id: id, request: asked } = await agent.take(isHookCall)
    assert.equal(asked?.callback_id, callback)
    await agent.send(success(id, {}))
  }
  await agent.take(isResult)
  await agent.finish()
  assert.equal(agent.lines.filter(isHookCall).length, 2)
  assert.equal(agent.server.requests[0]?.system, '')
})

test('C21 initialize sent again without hooks, or with wrong ones: those it had still guard', async () => {
  const call = { tools: [{ name: 'Bash', input: { command: 'echo ran' } }] }
  await using agent = await startAgent([call, 'Done.'], { initialize: { hooks: guard } })
  assert.equal((await agent.ask({ subtype: 'initialize' })).subtype, 'success')
  assert.equal((await agent.ask({ subtype: 'initialize', hooks: { PreToolUse: 'none' } })).subtype, 'error')
  await agent.send(user('Go.'))
  const { request_id: id, request: asked } = await agent.take(isHookCall)
  assert.equal(asked?.callback_id, 'hook_0')
  await agent.send(success(id, {}))
  await agent.take(isResult)
  await agent.finish()
})

test('C21 initialize after a turn: refused, and its hooks do not count', async () => {
  await using agent = await startAgent(['One.', 'Two.'], { initialize: false })
  await agent.turn('Hi.')
  const late = await agent.ask({ subtype: 'initialize', hooks: { Stop: [{ hookCallbackIds: ['hook_0'] }] } })
  assert.deepEqual([late.subtype, late.error], ['error', 'Already initialized'])
  assert.equal((await agent.turn('Hi.')).result, 'Two.')
  await agent.finish()
})

test('C23 a PreToolUse hook whose callback id the host does not know: the tool does not run, and the denial says why (DECISIONS A8)', async () => {
  await using agent = await startAgent([{ tools: [{ name: 'Bash', input: { command: 'echo ran' } }] }, 'Done.'], {
    initialize: { hooks: { PreToolUse: [{ hookCallbackIds: ['hook_9'] }] } },
  })
  await agent.send(user('Go.'))
  const { request_id: id } = await agent.take(isHookCall)
  await agent.send(failure(id, 'No hook callback found for ID: hook_9'))
  await agent.take(isResult)
  await agent.finish()
  assert.deepEqual(lastToolResults(agent), ['PreToolUse hook hook_9 failed: No hook callback found for ID: hook_9'])
  assert.match(agent.stderr(), /^Error in hook callback hook_9: Error: No hook callback found for ID: hook_9$/m)
})

test('C23 a PermissionRequest hook that fails: the host is asked as usual, nothing is allowed by it', async () => {
  await using agent = await startAgent([touch(), 'Done.'], {
    initialize: { hooks: { PermissionRequest: [{ hookCallbackIds: ['hook_9'] }] } },
  })
  await agent.send(user('Go.'))
  await agent.send(failure((await agent.take(isHookCall)).request_id, 'No hook callback found for ID: hook_9'))
  await agent.send(success((await agent.take(isQuestion)).request_id, { behavior: 'deny', message: 'No.' }))
  await agent.take(isResult)
  await agent.finish()
  assert.deepEqual([lastToolResults(agent), made(agent)], [['No.'], false])
})

test('C23 hooks of other events that fail change nothing', async () => {
  const events = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop']
  const hooks = Object.fromEntries(events.map((event) => [event, [{ hookCallbackIds: [event] }]]))
  await using agent = await startAgent([{ tools: [{ name: 'Bash', input: { command: 'echo ran' } }] }, 'Done.'], {
    initialize: { hooks },
  })
  await agent.send(user('Go.'))
  for (const event of events) {
    const { request_id: id, request: asked } = await agent.take(isHookCall)
    assert.equal(asked?.callback_id, event)
    await agent.send(failure(id, 'no'))
  }
  assert.equal((await agent.take(isResult)).result, 'Done.')
  await agent.finish()
  assert.deepEqual(lastToolResults(agent), ['ran'])
  assert.equal(agent.stderr().match(/^Error in hook callback /gm)?.length, events.length)
})

test('C26 a hook output of 10 MB on the wire is cut with a note, in bounded memory', async () => {
  const hooks = { ...guard, UserPromptSubmit: [{ hookCallbackIds: ['hook_1'] }] }
  const turn: Turn[] = [touch(), 'Done.']
  await using agent = await startAgent([...turn, ...turn, ...turn, touch()], { initialize: { hooks } })
  const huge = 'x'.repeat(10 * 1024 * 1024)
  const context = { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: huge } }
  const answers = [
    success('', { decision: 'block', reason: huge }),
    success('', { decision: 'maybe', systemMessage: huge }),
    failure('', huge),
    success('', { continue: false, stopReason: huge }),
  ]
  for (const { type, response } of answers) {
    await agent.send(user('Go.'))
    await agent.send(success((await agent.take(isHookCall)).request_id, context))
    const { request_id: id } = await agent.take(isHookCall)
    await agent.send({ type, response: { ...response, request_id: id } })
    await agent.take(isResult)
  }
  await agent.finish()
  const told = JSON.stringify(agent.server.requests.at(-1)?.body.messages)
  assert.ok(told.length < 7 * 101_000, String(told.length))
  assert.equal(told.match(/\[cut: the hook sent /g)?.length, 6)
  const lines = JSON.stringify(agent.lines.filter(({ type }) => type === 'user'))
  assert.ok(lines.length < 7 * 101_000, String(lines.length))
  assert.ok(agent.stderr().length < 101_000, String(agent.stderr().length))
  assert.equal(made(agent), false)
})

test('C28 a block of a callback without a reason gets a default one', async () => {
  const outputs = [
    { decision: 'block' },
    preToolUse({ permissionDecision: 'deny' }),
    preToolUse({ permissionDecision: 'deny', permissionDecisionReason: '' }),
  ]
  await using agent = await startAgent(
    outputs.flatMap((): Turn[] => [touch(), 'Done.']),
    { initialize: { hooks: guard } },
  )
  for (const output of outputs) {
    await agent.send(user('Go.'))
    await agent.send(success((await agent.take(isHookCall)).request_id, output))
    await agent.take(isResult)
    assert.deepEqual(lastToolResults(agent), ['Blocked by a hook.'])
  }
  await agent.finish()
  assert.equal(made(agent), false)
})

test('C30 a hook that answers `async` and never reports: nothing waits for it, and it decides nothing', async () => {
  await using agent = await startAgent([touch(), 'Done.'], { initialize: { hooks: guard } })
  await agent.send(user('Go.'))
  await agent.send(
    success((await agent.take(isHookCall)).request_id, { async: true, asyncTimeout: 100, decision: 'approve' }),
  )
  await agent.send(success((await agent.take(isQuestion)).request_id, { behavior: 'deny', message: 'No.' }))
  await agent.take(isResult)
  await agent.finish()
  assert.deepEqual([lastToolResults(agent), made(agent)], [['No.'], false])
})

test('C30 a hook that never answers: its timeout is honored, it is canceled, the tool does not run (DECISIONS A8)', async () => {
  const hooks = { PreToolUse: [{ hookCallbackIds: ['hook_0'], timeout: 0.3 }] }
  await using agent = await startAgent([touch(), 'Done.'], { initialize: { hooks } })
  await agent.send(user('Go.'))
  const { request_id: id } = await agent.take(isHookCall)
  await agent.take((line) => line.type === 'control_cancel_request' && line.request_id === id)
  await agent.take(isResult)
  await agent.send(success(id, preToolUse({ permissionDecision: 'allow' })))
  await agent.finish()
  assert.deepEqual(lastToolResults(agent), ['PreToolUse hook hook_0 failed: it took longer than 0.3 s'])
  assert.equal(made(agent), false)
})

test('C31 interrupt with no turn running: success, no effect', async () => {
  await using agent = await startAgent(['Hello.'])
  assert.deepEqual(await agent.ask({ subtype: 'interrupt' }), {
    subtype: 'success',
    request_id: 'ask-2',
    response: { still_queued: [] },
  })
  assert.equal((await agent.turn('Hi.')).result, 'Hello.')
  assert.equal((await agent.ask({ subtype: 'interrupt' })).subtype, 'success')
  await agent.finish()
  assert.deepEqual(
    agent.lines.map(({ type }) => type),
    ['control_response', 'control_response', 'system', 'assistant', 'result', 'control_response'],
  )
})

test('C33 set_permission_mode to an unknown value: an error, the mode stays', async () => {
  await using agent = await startAgent([touch(), 'Done.'])
  for (const mode of ['zzz', '', null, 7, {}, ['plan'], '__proto__', 'Default', ' plan', undefined]) {
    const { subtype, error, error_code: code } = await agent.ask({ subtype: 'set_permission_mode', mode })
    assert.deepEqual([subtype, code], ['error', 'invalid_mode'], JSON.stringify(mode))
    assert.match(String(error), /^Cannot set permission mode: must be one of acceptEdits, /)
  }
  const bypass = await agent.ask({ subtype: 'set_permission_mode', mode: 'bypassPermissions' })
  assert.deepEqual([bypass.subtype, bypass.error_code], ['error', 'bypass_not_launched'])
  await answerQuestion(agent, { behavior: 'deny', message: 'No.' })
  await agent.finish()
  assert.equal(agent.lines.find(({ subtype }) => subtype === 'init')?.permissionMode, 'default')
})

test('C35 set_model with an empty name: an error, the model stays', async () => {
  await using agent = await startAgent(['Hi.'])
  for (const model of ['', '  ']) {
    const { error } = await agent.ask({ subtype: 'set_model', model })
    assert.match(String(error), /set_model needs the name of a model/)
  }
  assert.equal((await agent.turn('Hello.')).result, 'Hi.')
  await agent.finish()
})

test('C36 set_max_thinking_tokens -1, 1e12 and the like: an error, the old value kept', async () => {
  await using agent = await startAgent(['Done.'])
  const set = (tokens: unknown) => agent.ask({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: tokens })
  assert.equal((await set(2048)).subtype, 'success')
  for (const tokens of [-1, 1e12, 0.5, '4096', {}, [4096], true, undefined]) {
    const { subtype, error_code: code, error } = await set(tokens)
    assert.deepEqual([subtype, code], ['error', 'invalid_request'], JSON.stringify(tokens))
    assert.match(String(error), /max_thinking_tokens must be /)
  }
  await agent.turn('Hi.')
  assert.deepEqual(agent.server.requests[0]?.body.thinking, { type: 'enabled', budget_tokens: 2048 })
  await agent.write(
    '{"type":"control_request","request_id":"n","request":{"subtype":"set_max_thinking_tokens","max_thinking_tokens":NaN}}\n',
  )
  await agent.finish({ code: 1 })
})

test('C38 rewind_files where a tracked path is now a link or a folder: skipped and reported, nothing written outside', async () => {
  const file_path = 'tracked'
  await using agent = await startAgent(
    [{ tools: [{ id: 'toolu_1', name: 'Write', input: { file_path, content: 'new' } }] }, 'Done.'],
    { env: { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' }, args: ['--replay-user-messages'] },
  )
  await agent.send(user('Hi.'))
  const { request_id: id } = await agent.take(isQuestion)
  const answer = success(id, { behavior: 'allow', updatedInput: { file_path, content: 'new' } })
  await agent.send(answer)
  // As observed, with this flag answers are given back as well.
  assert.deepEqual(await agent.take(answerTo(String(id))), answer)
  await agent.take(isResult)
  const user_message_id = agent.lines.find(({ isReplay }) => isReplay)?.uuid
  const tracked = join(agent.options.cwd, 'tracked')
  const outside = join(String(agent.options.env.HOME), 'outside')
  writeFileSync(outside, 'before')
  const rewind = (extra: object) => agent.ask({ subtype: 'rewind_files', user_message_id, ...extra })
  rmSync(tracked)
  symlinkSync(outside, tracked)
  const refusal = (reason: string, skippedLinks: number) => ({
    canRewind: false,
    error: `These files can't be put back: ${tracked} (${reason})`,
    skipped: [{ path: tracked, reason }],
    skippedLinks,
  })
  for (const extra of [{ dry_run: true }, {}]) {
    assert.deepEqual((await rewind(extra)).response, refusal('it is a symbolic link', 1))
  }
  rmSync(tracked)
  mkdirSync(tracked)
  writeFileSync(join(tracked, 'mine'), 'mine')
  const { keptAs, changedByOthers, ...response } = (await rewind({ force: true })).response ?? {}
  assert.deepEqual(response, refusal('a folder with other files stands in its place', 0))
  assert.deepEqual([typeof keptAs, changedByOthers], ['string', [tracked]])
  await agent.finish()
  assert.deepEqual([readFileSync(outside, 'utf8'), readFileSync(join(tracked, 'mine'), 'utf8')], ['before', 'mine'])
})

test('C40 control_cancel_request for a finished, unknown or missing request is ignored', async () => {
  await using agent = await startAgent(['Still here.'])
  await agent.ask({ subtype: 'mcp_status' })
  const cancel = (id: unknown) => ({ type: 'control_cancel_request', request_id: id })
  await agent.send(cancel('ask-2'), cancel('never'), cancel(null), cancel(7), cancel({}), {
    type: 'control_cancel_request',
  })
  assert.equal((await agent.turn('Are you there?')).result, 'Still here.')
  await agent.finish()
  assert.equal(agent.stderr(), '')
})
