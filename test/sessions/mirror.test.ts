/** What a host that keeps sessions itself gets from an agent, line by line, and what it can ask of the disk. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startModelServer, testOptions } from 'kedge/testing'
import { runAgent } from '../../src/agent/run-agent.js'
import { type FileSystem, nodeFiles } from '../../src/platform/files/files.js'
import { nodePlatform } from '../../src/platform/node-platform.js'
import { TEST_SESSION_ID, testAssistantLine, testUserLine } from '../../src/sessions/test-sessions.js'
import { createChannelPair } from '../../src/transport/channel.js'
import { ask, FLAGS, lookAround, type Message } from './stage.js'

test('--session-mirror: every line of the session as a transcript_mirror line, after it is on disk', async () => {
  await using server = await startModelServer(lookAround)
  await using options = testOptions(server)
  writeFileSync(join(options.cwd, 'notes.txt'), 'milk\n')
  const mirrored: unknown[] = []
  const early: unknown[] = []
  let path = ''
  const onMessage = (message: Message) => {
    if (message.type !== 'transcript_mirror') return
    const { filePath = '', entries = [] } = message
    path = filePath
    for (const entry of entries) {
      mirrored.push(entry)
      if (!existsSync(path) || !readFileSync(path, 'utf8').includes(JSON.stringify(entry))) early.push(entry)
    }
  }
  const run = await ask('Look.', { ...options, argv: ['--session-mirror'], onMessage })
  assert.equal(run.code, 0)
  assert.deepEqual(early, [])
  assert.deepEqual(
    mirrored,
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  )
  const plain = await ask('Look.', options)
  assert.ok(!plain.messages.some(({ type }) => type === 'transcript_mirror'))
})

test('--resume-from-host: the session comes as the first lines, and only then', async () => {
  await using server = await startModelServer(['Drei.'])
  await using options = testOptions(server)
  const play = async (...first: object[]) => {
    const [host, agent] = createChannelPair<object, object>()
    for (const message of first) void host.send(message)
    void host.send({
      type: 'user',
      session_id: '',
      message: { role: 'user', content: 'Two.' },
      parent_tool_use_id: null,
    })
    host.end()
    const code = await runAgent({
      argv: [...FLAGS, '--resume', TEST_SESSION_ID, '--resume-from-host'],
      env: options.env,
      cwd: options.cwd,
      home: options.env.HOME ?? '',
      platform: nodePlatform(),
      channel: agent,
      stderr: () => {},
      signal: new AbortController().signal,
    })
    const messages: Message[] = []
    // The agent's own messages.
    for await (const message of host.incoming) messages.push(message as Message)
    return { code, result: messages.find(({ type }) => type === 'result') }
  }
  const good = await play(
    { type: 'session_entries', entries: [testUserLine(1, 'One.')], more: true },
    { type: 'session_entries', entries: [testAssistantLine(2, 'Eins.')], more: false },
  )
  assert.deepEqual([good.code, good.result?.result], [0, 'Drei.'])
  assert.match(JSON.stringify(server.requests[0]?.body.messages), /One\..*Eins\..*Two\./)
  const missing = await play()
  assert.match(missing.result?.errors?.[0] ?? '', /the host did not send the session first/)
  const cutOff = await play({ type: 'session_entries', entries: [], more: true })
  assert.equal(cutOff.code, 1)
})

test('KEDGE_SYNC_SESSIONS: lines are flushed to the disk before they are acknowledged', async () => {
  await using server = await startModelServer(() => 'Hi.')
  await using options = testOptions(server)
  const ways = async (env: Record<string, string | undefined>) => {
    const seen: (boolean | undefined)[] = []
    const files: FileSystem = {
      ...nodeFiles,
      appendSync(path, content, how) {
        seen.push(how?.sync)
        nodeFiles.appendSync(path, content, how)
      },
    }
    await ask('x', { cwd: options.cwd, env: { ...options.env, ...env }, files })
    return [...new Set(seen)]
  }
  assert.deepEqual([await ways({ KEDGE_SYNC_SESSIONS: '1' }), await ways({})], [[true], [false]])
})
