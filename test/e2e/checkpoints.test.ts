/** File checkpoints through query(): what hosts see of them, in this process and with a child. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Options, type Query, query, type SDKMessage, type SDKUserMessage } from 'kedge'
import { bothWays, kinds } from './both-ways.js'

type Told = { query: Query; messages: SDKMessage[] }
type Id = NonNullable<SDKUserMessage['uuid']>

const allow: Options['canUseTool'] = async (_name, updatedInput) => ({ behavior: 'allow', updatedInput })
const ON: Options = { enableFileCheckpointing: true, canUseTool: allow }

/** One turn per id; `after` is called when one of them has its result. */
async function play(options: Options, ids: (Id | undefined)[], after: (told: Told, turn: number) => Promise<void>) {
  const messages: SDKMessage[] = []
  let next = () => {}
  async function* prompt(): AsyncGenerator<SDKUserMessage> {
    for (const [index, uuid] of ids.entries()) {
      const message = { role: 'user' as const, content: `Turn ${index + 1}.` }
      yield { type: 'user', message, parent_tool_use_id: null, session_id: '', ...(uuid ? { uuid } : {}) }
      await new Promise<void>((resolve) => {
        next = resolve
      })
    }
  }
  let results = 0
  const running = query({ prompt: prompt(), options })
  for await (const message of running) {
    messages.push(message)
    if (message.type !== 'result') continue
    results += 1
    await after({ query: running, messages }, results)
    next()
  }
  return messages
}

const ids = (count: number) => Array.from({ length: count }, () => randomUUID())

const write = (id: string, file_path: string, content: string) => ({
  tools: [{ id, name: 'Write', input: { file_path, content } }],
})

const history = ({ env }: Options) => join(env?.CLAUDE_CONFIG_DIR ?? '', 'file-history')

bothWays(
  'rewindFiles(): dry run, real, unknown message; the uuids are those that are replayed',
  () => [
    write('toolu_1', 'sub/f.txt', 'one\n'),
    'Wrote.',
    {
      tools: [{ id: 'toolu_2', name: 'Edit', input: { file_path: 'sub/f.txt', old_string: 'one', new_string: 'two' } }],
    },
    { tools: [{ id: 'toolu_3', name: 'Bash', input: { command: 'echo more > g.txt' } }] },
    'Edited.',
  ],
  { ...ON, extraArgs: { 'replay-user-messages': null } },
  async ({ options }) => {
    const [f, g] = [join(options.cwd, 'sub', 'f.txt'), join(options.cwd, 'g.txt')]
    const messages = await play(options, [undefined, undefined], async ({ query, messages }, turn) => {
      if (turn === 1) return
      const replayed = messages.flatMap((m) => (m.type === 'user' && 'isReplay' in m && m.isReplay && m.uuid) || [])
      const [first = '', second = ''] = replayed
      assert.equal(replayed.length, 2)
      assert.deepEqual(await query.rewindFiles(second, { dryRun: true }), {
        canRewind: true,
        filesChanged: [f, g],
        insertions: 1,
        deletions: 2,
      })
      assert.equal(readFileSync(f, 'utf8'), 'two\n')
      assert.deepEqual(await query.rewindFiles(second), { canRewind: true })
      assert.deepEqual([readFileSync(f, 'utf8'), existsSync(g)], ['one\n', false])
      assert.deepEqual(await query.rewindFiles(first), { canRewind: true })
      assert.deepEqual(readdirSync(options.cwd), [])
      await assert.rejects(query.rewindFiles('99999999-2222-4333-8444-555555555555'), {
        message: 'No file checkpoint found for this message.',
      })
    })
    assert.deepEqual(
      kinds(messages).filter((kind) => /result|persisted/.test(kind)),
      ['system/files_persisted', 'result', 'system/files_persisted', 'result'],
    )
    const persisted = messages.flatMap((m) => (m.type === 'system' && m.subtype === 'files_persisted' ? m : []))
    assert.deepEqual(
      persisted.map(({ files, failed }) => [files.map(({ filename, file_id }) => [filename, file_id.length]), failed]),
      [
        [[[f, 0]], []],
        [
          [
            [f, 64],
            [g, 0],
          ],
          [],
        ],
      ],
    )
    assert.match(persisted[0]?.processed_at ?? '', /^\d{4}-.*Z$/)
  },
)

bothWays(
  'rewindFiles() after a resume goes back to messages of the earlier process',
  () => [write('toolu_1', 'f.txt', 'one\n'), 'Wrote.', write('toolu_2', 'g.txt', 'two\n'), 'Wrote.'],
  ON,
  async ({ options }) => {
    const [first, second] = [randomUUID(), randomUUID()]
    const f = join(options.cwd, 'f.txt')
    writeFileSync(join(options.cwd, 'mine.txt'), 'mine')
    let session = ''
    await play(options, [first], async ({ messages }) => {
      session = messages[0]?.session_id ?? ''
    })
    await play({ ...options, resume: session }, [second], async ({ query }) => {
      assert.deepEqual(await query.rewindFiles(second), { canRewind: true })
      assert.deepEqual(readdirSync(options.cwd).sort(), ['f.txt', 'mine.txt'])
      writeFileSync(f, 'changed by the user')
      const refused = await query.rewindFiles(first)
      assert.deepEqual([refused.canRewind, refused.changedByOthers], [false, [f]])
      const { keptAs, ...forced } = await query.rewindFiles(first, { force: true })
      assert.deepEqual(forced, { canRewind: true, changedByOthers: [f] })
      assert.deepEqual(readdirSync(options.cwd), ['mine.txt'])
      await query.rewindFiles(String(keptAs))
      assert.equal(readFileSync(f, 'utf8'), 'changed by the user')
    })
  },
)

bothWays(
  'a fork goes back to messages of the session it was made from',
  () => [{ tools: [{ id: 'toolu_1', name: 'Bash', input: { command: 'echo new > f.txt' } }] }, 'Wrote.', 'Nothing.'],
  ON,
  async ({ options }) => {
    const [first] = ids(1)
    const f = join(options.cwd, 'f.txt')
    writeFileSync(f, 'old\n')
    let session = ''
    await play(options, [first], async ({ messages }) => {
      session = messages[0]?.session_id ?? ''
    })
    assert.equal(readFileSync(f, 'utf8'), 'new\n')
    await play({ ...options, resume: session, forkSession: true }, ids(1), async ({ query }) => {
      assert.deepEqual(await query.rewindFiles(first ?? ''), { canRewind: true })
    })
    assert.equal(readFileSync(f, 'utf8'), 'old\n')
  },
)

bothWays(
  'what was rewound has to be read again before it is edited',
  () => [
    { tools: [{ id: 'toolu_1', name: 'Read', input: { file_path: 'f.txt' } }] },
    { tools: [{ id: 'toolu_2', name: 'Edit', input: { file_path: 'f.txt', old_string: 'one', new_string: 'two' } }] },
    'Edited.',
    { tools: [{ id: 'toolu_3', name: 'Edit', input: { file_path: 'f.txt', old_string: 'one', new_string: 'six' } }] },
    'Tried.',
  ],
  ON,
  async ({ options, server }) => {
    writeFileSync(join(options.cwd, 'f.txt'), 'one')
    const [first] = ids(1)
    await play(options, [first, undefined], async ({ query }, turn) => {
      if (turn === 1) assert.deepEqual(await query.rewindFiles(first ?? ''), { canRewind: true })
    })
    assert.equal(readFileSync(join(options.cwd, 'f.txt'), 'utf8'), 'one')
    assert.match(JSON.stringify(server.requests.at(-1)?.body.messages), /File has changed since it was last read/)
  },
)

bothWays(
  'persistSession: false: checkpoints are kept in memory, and nothing on disk',
  () => [{ tools: [{ id: 'toolu_1', name: 'Bash', input: { command: 'rm f.txt' } }] }, 'Removed.'],
  { ...ON, persistSession: false },
  async ({ options }) => {
    const [id] = ids(1)
    writeFileSync(join(options.cwd, 'f.txt'), 'one')
    await play(options, [id], async ({ query }) => {
      assert.deepEqual(await query.rewindFiles(id ?? ''), { canRewind: true })
    })
    assert.equal(readFileSync(join(options.cwd, 'f.txt'), 'utf8'), 'one')
    assert.equal(existsSync(history(options)), false)
  },
)

bothWays(
  'without enableFileCheckpointing nothing is kept, and rewindFiles() says so',
  () => [write('toolu_1', 'f.txt', 'one\n'), 'Wrote.'],
  { canUseTool: allow },
  async ({ options }) => {
    const [id] = ids(1)
    const messages = await play(options, [id], async ({ query }) => {
      await assert.rejects(query.rewindFiles(id ?? ''), { message: 'File rewinding is not enabled.' })
    })
    assert.equal(existsSync(history(options)), false)
    assert.doesNotMatch(kinds(messages).join(), /persisted/)
  },
)

bothWays(
  'CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING turns checkpoints on as the option does',
  () => [write('toolu_1', 'f.txt', 'one\n'), 'Wrote.'],
  { canUseTool: allow, env: { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' } },
  async ({ options }) => {
    const [id] = ids(1)
    await play(options, [id], async ({ query }) => {
      assert.deepEqual(await query.rewindFiles(id ?? ''), { canRewind: true })
    })
    assert.deepEqual(readdirSync(options.cwd), [])
  },
)
