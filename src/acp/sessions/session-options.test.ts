import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRequestedSession } from './session-options.js'

const wish = (request: object) =>
  readRequestedSession({ cwd: '/w', mcpServers: [], ...request }, { settingSources: ['user'] }, (name) => ({
    type: 'http',
    url: `client:${name}`,
  }))
const refused = (request: object) => {
  try {
    wish(request)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test('a client adds to the prompt of a session, or puts its own in its place', () => {
  const content = [{ type: 'text', text: 'Be brief.' }]
  const preset = { type: 'preset', preset: 'claude_code' }
  const prompt = (request: object) => wish(request).options.systemPrompt
  assert.equal(prompt({}), undefined)
  assert.deepEqual(prompt({ systemPrompt: { mode: 'append', content } }), { ...preset, append: 'Be brief.' })
  assert.equal(prompt({ systemPrompt: { mode: 'override', content } }), 'Be brief.')
  assert.equal(prompt({ _meta: { systemPrompt: 'Old way.' } }), 'Old way.')
  assert.deepEqual(prompt({ _meta: { systemPrompt: { append: 'More.' } } }), { ...preset, append: 'More.' })
})

test('options of clients are passed on, except those that are ours; a mode, a model and an effort are chosen', () => {
  const options = {
    betas: ['b'],
    cwd: '/other',
    resume: 'x',
    pathToClaudeCodeExecutable: '/bin/sh',
    permissionMode: 'plan',
    model: 'opus',
  }
  const { options: given, ...rest } = wish({ _meta: { claudeCode: { options, emitRawSDKMessages: true } } })
  assert.deepEqual(Object.keys(given).sort(), ['betas', 'mcpServers', 'settingSources'])
  assert.deepEqual(rest, { mode: 'plan', model: 'opus', wantsRaw: true, problems: [] })
})

test('folders and servers of every kind; a server we can not use is a problem, not an end', () => {
  const { options, problems } = wish({
    additionalDirectories: ['/a'],
    _meta: { additionalRoots: ['/b', 7], disableBuiltInTools: true },
    mcpServers: [
      { name: 'one', command: 'run', args: ['x'], env: [{ name: 'K', value: 'v' }] },
      { type: 'http', name: 'two', url: 'https://x', headers: [{ name: 'H', value: 'v' }] },
      { type: 'acp', name: 'three', serverId: '3' },
      { name: 'one', command: 'other', args: [], env: [] },
    ],
  })
  assert.deepEqual([options.additionalDirectories, options.tools], [['/a', '/b'], []])
  assert.deepEqual(options.mcpServers, {
    one: { type: 'stdio', command: 'run', args: ['x'], env: { K: 'v' } },
    two: { type: 'http', url: 'https://x', headers: { H: 'v' } },
    three: { type: 'http', url: 'client:three' },
  })
  assert.deepEqual(problems, ['one: there is another server of this name'])
})

test('what makes no sense is refused by name', () => {
  assert.deepEqual(
    [
      { cwd: 'here' },
      { cwd: '/a/../b' },
      { additionalDirectories: ['x'] },
      { _meta: { claudeCode: { options: { model: {} } } } },
    ].map(refused),
    [
      'cwd must be an absolute path, not "here".',
      'cwd must be an absolute path, not "/a/../b".',
      'additionalDirectories must be absolute paths, not "x".',
      '_meta.claudeCode.options.model must be a text.',
    ],
  )
  assert.match(refused({ _meta: { claudeCode: { options: { permissionMode: 'yolo' } } } }) ?? '', /must be one of/)
})
