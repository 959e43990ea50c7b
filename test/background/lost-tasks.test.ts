/** What a session left running when its process ended: whoever continues the session learns once that it doesn't run any more. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { InMemorySessionStore, query } from 'kedge'
import { collect, type ModelRequest } from 'kedge/testing'
import { unwrapKedgeLine } from '../../src/sessions/kedge-lines.js'
import { projectKey } from '../../src/sessions/transcript-paths.js'
import { eventually } from '../support/eventually.js'
import { bash, call, kedge, withModel } from '../support/stage.js'

const start = (command: string, description?: string) =>
  call('Bash', { command, description, run_in_background: true }, `toolu_${command.replace(/\W/g, '')}`)

const noticesIn = (request: ModelRequest | undefined) =>
  (request?.body.messages ?? []).flatMap(({ role, content }) => {
    if (role !== 'user' || typeof content === 'string') return []
    return content.flatMap((block) =>
      block.type === 'text' && block.text.startsWith('<task-notification>') ? [block.text] : [],
    )
  })
function outputOf(request: ModelRequest | undefined): { id: string; file: string } | undefined {
  const text = request?.toolResults[0]?.text ?? ''
  const [, id, file] = /ID: (\w+)\. Output is being written to: (.*)/.exec(text) ?? []
  return id && file ? { id, file } : undefined
}
const flags = ['-p', '--allowedTools', 'Bash']

test('a command that ended with kedge -p is told of once by --continue, with its id, its line and its output', async () => {
  const isUp = async (request: ModelRequest) => {
    const file = outputOf(request)?.file ?? assert.fail('no output file')
    await eventually('the command says that it is up', () => readFileSync(file, 'utf8').includes('up'))
    return { text: 'Started.' }
  }
  const turns = [start('echo up; sleep 300', 'Serve it'), isUp, 'It is gone.', 'Fine.']
  await withModel(turns, {}, async ({ server, options }) => {
    const first = await kedge([...flags, '--on-turn-end', 'cancel', 'Serve.'], options)
    assert.equal(first.code, 1, first.stderr)
    const { id, file } = outputOf(server.requests[1]) ?? assert.fail('no output file')

    const second = await kedge([...flags, '--continue', 'Is it up?'], options)
    assert.deepEqual([second.code, second.stdout], [0, 'It is gone.\n'], second.stderr)
    const [notice = '', ...more] = noticesIn(server.requests[2])
    assert.deepEqual(more, [])
    for (const part of [
      `<task-id>${id}</task-id>`,
      `<output-file>${file}</output-file>`,
      '<status>stopped</status>',
      'Background command "Serve it"',
      '<command>echo up; sleep 300</command>',
    ])
      assert.ok(notice.includes(part), `${part} is not in ${notice}`)
    assert.match(readFileSync(file, 'utf8'), /up/)

    const third = await kedge([...flags, '--continue', 'Go on.'], options)
    assert.deepEqual([third.code, third.stdout], [0, 'Fine.\n'], third.stderr)
    assert.deepEqual(noticesIn(server.requests[3]), [notice])
  })
})

test('a task whose end the model has read is not told of again', async () => {
  const idOf = (request: ModelRequest) => /ID: (\w+)/.exec(request.toolResults[0]?.text ?? '')?.[1] ?? ''
  let id = ''
  const turns = [
    start('true'),
    'Started.',
    // The notice of its end is a turn.
    start('echo read'),
    (request: ModelRequest) => call('TaskOutput', { task_id: idOf(request) }, 'toolu_look'),
    start('sleep 300'),
    (request: ModelRequest) => {
      id = idOf(request)
      return call('TaskStop', { task_id: id }, 'toolu_stop')
    },
    'All over.',
    'Yes.',
  ]
  await withModel(turns, { allowedTools: ['Bash'] }, async ({ server, options }) => {
    await collect(query({ prompt: 'Go.', options }))
    const before = noticesIn(server.requests.at(-1)).length
    const { result } = await collect(query({ prompt: 'Is all over?', options: { ...options, continue: true } }))
    assert.ok(result?.subtype === 'success' && result.result === 'Yes.', JSON.stringify(result))
    assert.ok(before <= 2 && id !== '')
    assert.equal(noticesIn(server.requests.at(-1)).length, before)
  })
})

test('a copy of a session hears that a command is not its own', async () => {
  await withModel(
    [start('sleep 300'), 'Started.', 'I see.'],
    { allowedTools: ['Bash'], onTurnEnd: 'detach' },
    async ({ server, options }) => {
      await using original = query({ prompt: 'Go.', options })
      let session = ''
      for await (const message of original) session = message.session_id ?? session
      await collect(query({ prompt: 'And?', options: { ...options, resume: session, forkSession: true } }))
      const [notice = ''] = noticesIn(server.requests.at(-1))
      assert.match(notice, /belongs to the session that this one was copied from/)
      assert.doesNotMatch(notice, /stopped/)
    },
  )
})

test('a turn that another process continues is told of it beside the results of its calls, and once', async () => {
  const sessionId = '5f3d1c1e-0000-4000-8000-000000000041'
  const turns = [start('sleep 300'), bash('echo a', 'toolu_cut'), 'Started.', 'It is gone.', 'Still gone.']
  await withModel(turns, { allowedTools: ['Bash'], onTurnEnd: 'cancel' }, async ({ server, options }) => {
    const whole = new InMemorySessionStore()
    await collect(query({ prompt: 'Go.', options: { ...options, sessionStore: whole, sessionId } }))
    const key = { projectKey: projectKey(options.cwd), sessionId }
    const entries = whole.getEntries(key)
    const cut = entries.findIndex((entry) => {
      const line = unwrapKedgeLine(entry) as { type?: string; toolUseId?: string } // of ours
      return line.type === 'tool-start' && line.toolUseId === 'toolu_cut'
    })
    const sessionStore = new InMemorySessionStore()
    await sessionStore.append(key, entries.slice(0, cut + 1))
    const later = { ...options, sessionStore, resume: sessionId }
    await collect(query({ options: { ...later, continueTurn: true } }))
    const [notice = '', ...more] = noticesIn(server.requests[3])
    assert.match(notice, /<command>sleep 300<\/command>/)
    assert.deepEqual(more, [])
    await collect(query({ prompt: 'And?', options: later }))
    assert.deepEqual(noticesIn(server.requests[4]), [notice])
  })
})
