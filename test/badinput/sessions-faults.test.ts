/**
 * Rows S of the bad-input catalog that need a fault at the right moment, and those of checkpoints, as a host meets them. At every
 * write, system call and byte: `test/sessions/`, `test/checkpoints/`.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { deleteSession } from 'kedge'
import { startModelServer, type TestOptions, type Turn, testOptions } from 'kedge/testing'
import { type FileSystem, nodeFiles } from '../../src/platform/files/files.js'
import { TEST_SESSION_ID, testLineId } from '../../src/sessions/test-sessions.js'
import { transcriptFolderOfProject, transcriptPathInFolder } from '../../src/sessions/transcript-paths.js'
import { acknowledged, ask, lookAround } from '../sessions/stage.js'
import { sampledTest as test } from '../support/tier.js'
import { type Agent, startAgent } from './agent-process.js'

const pathOf = ({ cwd, env }: TestOptions) =>
  transcriptPathInFolder(transcriptFolderOfProject({ configDir: env.CLAUDE_CONFIG_DIR ?? '', cwd }), TEST_SESSION_ID)

const CHECKPOINTS = { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' }
const MAY_EDIT = ['--allowedTools', 'Write,Edit,Read']

const write = (file_path: string, content: string): Turn => ({
  tools: [{ name: 'Write', input: { file_path, content } }],
})
const edit = (file_path: string, old_string: string, new_string: string): Turn => ({
  tools: [
    { name: 'Read', input: { file_path } },
    { name: 'Edit', input: { file_path, old_string, new_string } },
  ],
})

/** A turn whose message has an id of ours. */
async function turn(agent: Agent, uuid: string): Promise<void> {
  const message = { role: 'user', content: 'Go.' }
  await agent.send({ type: 'user', session_id: '', message, parent_tool_use_id: null, uuid })
  const { is_error, errors } = await agent.take(({ type }) => type === 'result')
  assert.equal(is_error, false, errors?.join())
}

async function rewind(agent: Agent, uuid: string): Promise<Record<string, unknown>> {
  const { response, error } = await agent.ask({ subtype: 'rewind_files', user_message_id: uuid })
  return response ?? { error }
}

/** The agent runs in the folders of another test agent. */
const inside =
  ({ cwd, env }: TestOptions) =>
  (cli: string, args: string[]): [string, string[]] => [
    'env',
    ['-C', cwd, `CLAUDE_CONFIG_DIR=${env.CLAUDE_CONFIG_DIR}`, process.execPath, cli, ...args],
  ]

describe('S: faults, and checkpoints', () => {
  test('S18 EIO when a line is flushed: not durable, never tried again, told once before anything else goes out', async () => {
    await using server = await startModelServer(lookAround)
    await using options = testOptions(server, { env: { KEDGE_SYNC_SESSIONS: '1' } })
    writeFileSync(join(options.cwd, 'notes.txt'), 'milk\n')
    let appends = 0
    let told = 0
    const unsaved: string[] = []
    const files: FileSystem = {
      ...nodeFiles,
      appendSync(path, content, how) {
        appends += 1
        nodeFiles.appendSync(path, content, how)
        // As a failing fsync: the bytes are there, nobody knows for how long.
        if (appends === 4) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' })
      },
    }
    const { result, code } = await ask('Go.', {
      ...options,
      files,
      argv: ['--session-id', TEST_SESSION_ID],
      onMessage({ type, subtype, uuid, content }) {
        if (subtype === 'informational' && /can't be saved any more.*EIO/.test(content ?? '')) told += 1
        const isAcknowledged = (type === 'assistant' || type === 'user') && uuid !== undefined
        if (isAcknowledged && appends >= 4 && told === 0) unsaved.push(uuid)
      },
    })
    assert.deepEqual([code, result?.is_error, told, unsaved, appends], [0, false, 1, [], 4])
  })

  test('S19 kill -9: what was sent is in the file, and the session goes on', async () => {
    // Words only: another model would use the ids of its calls again.
    await using server = await startModelServer(() => 'Going on.')
    const killed = await startAgent(lookAround, {
      args: ['--session-id', TEST_SESSION_ID, '--allowedTools', 'Read'],
      prepare: ({ cwd }) => writeFileSync(join(cwd, 'notes.txt'), 'milk\n'),
    })
    try {
      await killed.send({
        type: 'user',
        session_id: '',
        message: { role: 'user', content: 'Look.' },
        parent_tool_use_id: null,
      })
      await killed.take(({ type }) => type === 'assistant')
      killed.child.kill('SIGKILL')
      await once(killed.child, 'close')
      const saved = readFileSync(pathOf(killed.options), 'utf8')
      const sent = acknowledged(killed.lines)
      assert.ok(sent.length > 0)
      for (const uuid of sent) assert.ok(saved.includes(`"uuid":"${uuid}"`), uuid)
      const env = { ...killed.options.env, ...server.env() }
      const again = await ask('Go on.', { cwd: killed.options.cwd, env, argv: ['--resume', TEST_SESSION_ID] })
      assert.deepEqual([again.code, again.result?.is_error], [0, false], again.stderr)
    } finally {
      await killed.options[Symbol.asyncDispose]()
      await killed.server.close()
    }
  })

  test('S33 a kept copy that is missing or damaged: that file is not put back and named, the others are', async () => {
    await using agent = await startAgent([edit('a', 'a', 'x'), edit('b', 'b', 'x'), edit('c', 'c', 'x'), 'Done.'], {
      args: ['--session-id', TEST_SESSION_ID, ...MAY_EDIT],
      env: CHECKPOINTS,
      prepare: ({ cwd }) => {
        for (const name of ['a', 'b', 'c']) writeFileSync(join(cwd, name), name)
      },
    })
    await turn(agent, testLineId(1))
    const folder = join(agent.options.env.CLAUDE_CONFIG_DIR ?? '', 'file-history', TEST_SESSION_ID)
    for (const name of readdirSync(folder)) {
      const content = readFileSync(join(folder, name), 'utf8')
      if (content === 'a') rmSync(join(folder, name))
      if (content === 'b') writeFileSync(join(folder, name), 'Y')
    }
    const { canRewind, skipped } = await rewind(agent, testLineId(1))
    assert.equal(canRewind, true)
    assert.deepEqual(skipped, [
      { path: join(agent.options.cwd, 'a'), reason: 'its kept copy is missing' },
      { path: join(agent.options.cwd, 'b'), reason: 'its kept copy is damaged' },
    ])
    const now = ['a', 'b', 'c'].map((name) => readFileSync(join(agent.options.cwd, name), 'utf8'))
    assert.deepEqual(now, ['x', 'x', 'c'])
    await agent.finish()
  })

  test('S36 a rewind of a file outside the working directory: only with permission', async () => {
    await using server = await startModelServer([write('../elsewhere/out.txt', 'changed'), 'Done.'])
    await using options = testOptions(server, { env: CHECKPOINTS })
    const folder = join(options.cwd, '..', 'elsewhere')
    const out = join(folder, 'out.txt')
    mkdirSync(folder)
    const allowed = ['--add-dir', folder, ...MAY_EDIT]
    const first = await ask('Go.', { ...options, argv: ['--session-id', TEST_SESSION_ID, ...allowed] })
    assert.deepEqual([first.code, readFileSync(out, 'utf8')], [0, 'changed'], first.stderr)
    const uuid = /"messageId":"([^"]+)"/.exec(readFileSync(pathOf(options), 'utf8'))?.[1] ?? ''
    for (const [args, isAllowed] of [
      [[], false],
      [allowed, true],
    ] as const) {
      await using agent = await startAgent([], {
        args: ['--resume', TEST_SESSION_ID, ...args],
        env: CHECKPOINTS,
        command: inside(options),
      })
      const { canRewind, error } = await rewind(agent, uuid)
      assert.deepEqual([canRewind, existsSync(out)], [isAllowed, !isAllowed], String(error))
      if (!isAllowed) assert.match(String(error), /out\.txt \(it is outside the working directories/)
      await agent.finish()
    }
  })

  test('S37 a rewind that is killed half-way: the second one finishes it, and no file is half-written', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `${i}.txt`)
    const old = (name: string) => `first\n${`${name}\n`.repeat(2000)}`
    const tools = names.flatMap((name) => [
      { name: 'Read', input: { file_path: name, limit: 1 } },
      {
        name: 'Edit',
        input: { file_path: name, old_string: `${name}\n${name}\n`, new_string: 'x', replace_all: true },
      },
    ])
    await using agent = await startAgent([{ tools }, 'Done.'], {
      args: ['--session-id', TEST_SESSION_ID, ...MAY_EDIT],
      env: CHECKPOINTS,
      prepare: ({ cwd }) => {
        for (const name of names) writeFileSync(join(cwd, name), old(name))
      },
    })
    const { options } = agent
    const read = () => names.map((name) => readFileSync(join(options.cwd, name), 'utf8'))
    await turn(agent, testLineId(1))
    const edited = read()
    assert.ok(edited.every((text, i) => text !== old(names[i] ?? '')))
    await agent.send({
      type: 'control_request',
      request_id: 'killed',
      request: { subtype: 'rewind_files', user_message_id: testLineId(1) },
    })
    const isBack = () => read().some((text, i) => text === old(names[i] ?? ''))
    while (!isBack()) await new Promise((resolve) => setTimeout(resolve, 1))
    agent.child.kill('SIGKILL')
    await once(agent.child, 'close')
    for (const [i, text] of read().entries())
      assert.ok(text === edited[i] || text === old(names[i] ?? ''), `${i} is half-written`)
    await using second = await startAgent([], {
      args: ['--resume', TEST_SESSION_ID],
      env: CHECKPOINTS,
      command: inside(options),
    })
    assert.deepEqual(await rewind(second, testLineId(1)), { canRewind: true })
    assert.deepEqual(read(), names.map(old))
    assert.deepEqual(readdirSync(options.cwd).sort(), [...names].sort(), 'nothing else is left there')
    await second.finish()
  })

  test('S40 two edits of one file in one turn: what was before the first comes back', async () => {
    await using agent = await startAgent([edit('a.txt', 'one', 'two'), edit('a.txt', 'two', 'three'), 'Done.'], {
      args: ['--session-id', TEST_SESSION_ID, ...MAY_EDIT],
      env: CHECKPOINTS,
      prepare: ({ cwd }) => writeFileSync(join(cwd, 'a.txt'), 'one\n'),
    })
    await turn(agent, testLineId(1))
    assert.equal(readFileSync(join(agent.options.cwd, 'a.txt'), 'utf8'), 'three\n')
    assert.deepEqual(await rewind(agent, testLineId(1)), { canRewind: true })
    assert.equal(readFileSync(join(agent.options.cwd, 'a.txt'), 'utf8'), 'one\n')
    await agent.finish()
  })

  test('S41 a session is removed while an agent has it open: it stays, and goes on', async () => {
    await using agent = await startAgent(['One.', 'Two.'], { args: ['--session-id', TEST_SESSION_ID] })
    await agent.turn('First.')
    const { CLAUDE_CONFIG_DIR: before } = process.env
    process.env.CLAUDE_CONFIG_DIR = agent.options.env.CLAUDE_CONFIG_DIR
    try {
      await assert.rejects(deleteSession(TEST_SESSION_ID, { dir: agent.options.cwd }), { code: 'session_in_use' })
    } finally {
      if (before === undefined) delete process.env.CLAUDE_CONFIG_DIR
      else process.env.CLAUDE_CONFIG_DIR = before
    }
    assert.equal((await agent.turn('Second.')).result, 'Two.')
    await agent.finish()
  })
})
