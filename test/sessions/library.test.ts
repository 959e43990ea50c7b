/** listSessions and its relatives, on disk and in a store: the same answers from both. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { InMemorySessionStore, type SessionStore, type SessionStoreEntry } from 'kedge'
import { nodeFiles } from '../../src/platform/files/files.js'
import { createPlatformIdentity } from '../../src/platform/identity.js'
import { createSessionFunctions } from '../../src/sessions/create-session-functions.js'
import { createJsonlSessionStore } from '../../src/sessions/jsonl-store.js'
import {
  createTestResumePorts,
  createTestSessionsFolder,
  formatTestTranscript,
  loadTestTranscript,
  summarizeTestMessages,
  TEST_SESSION_ID,
  testAssistantLine,
  testLineId,
  testToolCallLine,
  testToolResultLine,
  testTranscriptLine,
  testUserLine,
} from '../../src/sessions/test-sessions.js'
import { projectKey, transcriptFolderOfProject, transcriptPathInFolder } from '../../src/sessions/transcript-paths.js'

const CWD = '/project'
const LINES = [
  { type: 'queue-operation', operation: 'enqueue', timestamp: '2026-01-01T00:00:00.000Z', sessionId: TEST_SESSION_ID },
  testUserLine(1, 'First prompt'),
  testAssistantLine(2, 'Hi'),
  testUserLine(3, [{ type: 'text', text: 'second' }]),
  testToolCallLine(4, 'a'),
  testToolResultLine(5, 'a'),
  testAssistantLine(6, 'Done', { gitBranch: 'dev' }),
]

/** A library over a fresh folder, and how to put a session into either place. */
function world() {
  const at = createTestSessionsFolder(CWD)
  const { uuid } = createPlatformIdentity()
  const library = createSessionFunctions({ ...createTestResumePorts(), configDir: at.root, cwd: CWD, newId: uuid })
  return { at, library, [Symbol.dispose]: () => at[Symbol.dispose]() }
}

type Place = { name: string; options: { dir: string; sessionStore?: SessionStore } }

/** Runs a test on disk and with a store. */
function bothPlaces(name: string, body: (place: Place & ReturnType<typeof world>) => Promise<void>): void {
  test(`${name} (on disk)`, async () => {
    using all = world()
    all.at.write(formatTestTranscript(LINES))
    await body({ ...all, name: 'disk', options: { dir: CWD } })
  })
  test(`${name} (in a store)`, async () => {
    using all = world()
    const sessionStore = new InMemorySessionStore()
    await sessionStore.append(
      { projectKey: projectKey(CWD), sessionId: TEST_SESSION_ID },
      structuredClone(LINES) as SessionStoreEntry[],
    )
    await body({ ...all, name: 'store', options: { dir: CWD, sessionStore } })
  })
}

bothPlaces('listSessions and getSessionInfo say what a session is about', async ({ library, options, name }) => {
  const expected = {
    sessionId: TEST_SESSION_ID,
    summary: 'First prompt',
    firstPrompt: 'First prompt',
    gitBranch: 'dev',
    cwd: CWD,
    createdAt: 1_767_225_600_000,
  }
  const shown = (info: object | undefined) => {
    const { lastModified, fileSize, ...rest } = (info ?? {}) as { lastModified?: number; fileSize?: number }
    assert.ok(Number.isInteger(lastModified) && Math.abs(Date.now() - (lastModified ?? 0)) < 60_000)
    assert.equal(fileSize !== undefined, name === 'disk')
    return rest
  }
  const [first, ...others] = await library.listSessions(options)
  assert.deepEqual([shown(first), others], [expected, []])
  assert.deepEqual(shown(await library.getSessionInfo(TEST_SESSION_ID, options)), expected)
  assert.equal(await library.getSessionInfo(testLineId(9), options), undefined)
})

bothPlaces('getSessionMessages gives the conversation, whole or a page of it', async ({ library, options }) => {
  const all = await library.getSessionMessages(TEST_SESSION_ID, options)
  assert.deepEqual(
    all.map(({ type, uuid, session_id: session, parent_tool_use_id: tool }) => [type, uuid, session, tool]),
    [1, 2, 3, 4, 5, 6].map((n) => [n % 2 === 1 ? 'user' : 'assistant', testLineId(n), TEST_SESSION_ID, null]),
  )
  assert.deepEqual(all[0]?.message, { role: 'user', content: 'First prompt' })
  const page = await library.getSessionMessages(TEST_SESSION_ID, { ...options, offset: 2, limit: 2 })
  assert.deepEqual(
    page.map(({ uuid }) => uuid),
    [testLineId(3), testLineId(4)],
  )
  assert.deepEqual(await library.getSessionMessages(testLineId(9), options), [])
})

bothPlaces('renameSession and tagSession; the last one counts, null takes a tag away', async ({ library, options }) => {
  await library.renameSession(TEST_SESSION_ID, '  My\n title ', options)
  await library.tagSession(TEST_SESSION_ID, 'one', options)
  await library.tagSession(TEST_SESSION_ID, 'two', options)
  const named = await library.getSessionInfo(TEST_SESSION_ID, options)
  assert.deepEqual([named?.summary, named?.customTitle, named?.tag], ['My title', 'My title', 'two'])
  await library.tagSession(TEST_SESSION_ID, null, options)
  assert.equal((await library.getSessionInfo(TEST_SESSION_ID, options))?.tag, undefined)
  await assert.rejects(library.renameSession(TEST_SESSION_ID, ' ', options), {
    code: 'invalid_option',
    message: 'title must be non-empty',
  })
  await assert.rejects(library.tagSession(TEST_SESSION_ID, '', options), /tag must be non-empty/)
  await assert.rejects(library.renameSession(testLineId(9), 'x', options), { code: 'session_not_found' })
})

bothPlaces(
  'forkSession copies up to a message, under new ids, and leaves the original alone',
  async ({ library, options, at, name }) => {
    const before = name === 'disk' ? at.read() : ''
    const { sessionId } = await library.forkSession(TEST_SESSION_ID, { ...options, upToMessageId: testLineId(3) })
    const copies = await library.getSessionMessages(sessionId, options)
    assert.equal(copies.length, 3)
    assert.ok(
      copies.every(
        ({ uuid, session_id: session }) =>
          ![testLineId(1), testLineId(2), testLineId(3)].includes(uuid) && session === sessionId,
      ),
    )
    assert.equal((await library.getSessionInfo(sessionId, options))?.customTitle, 'First prompt (fork)')
    const named = await library.forkSession(TEST_SESSION_ID, { ...options, title: 'Other' })
    assert.equal((await library.getSessionInfo(named.sessionId, options))?.customTitle, 'Other')
    assert.equal((await library.getSessionMessages(named.sessionId, options)).length, 6)
    await assert.rejects(library.forkSession(TEST_SESSION_ID, { ...options, upToMessageId: testLineId(9) }), {
      code: 'message_not_found',
    })
    await assert.rejects(library.forkSession(testLineId(9), options), { code: 'session_not_found' })
    if (name !== 'disk') return
    assert.equal(at.read(), before)
    const copy = transcriptPathInFolder(at.folder, sessionId)
    const [first] = at.read(copy).split('\n')
    const { forkedFrom, parentUuid } = JSON.parse(first ?? '')
    assert.deepEqual([forkedFrom, parentUuid], [{ sessionId: TEST_SESSION_ID, messageUuid: testLineId(1) }, null])
    assert.deepEqual(summarizeTestMessages(await loadTestTranscript(copy)), [
      'user: First prompt',
      'assistant: Hi',
      'user: second',
    ])
  },
)

bothPlaces('deleteSession removes a session with all that belongs to it', async ({ library, options, at, name }) => {
  const others = ['file-history', 'session-env'].map((folder) => join(at.root, folder))
  if (name === 'disk') {
    mkdirSync(join(at.folder, TEST_SESSION_ID, 'subagents'), { recursive: true })
    for (const folder of others)
      for (const one of [TEST_SESSION_ID, 'other']) mkdirSync(join(folder, one), { recursive: true })
  }
  await library.deleteSession(TEST_SESSION_ID, options)
  assert.deepEqual([await library.listSessions(options), readdirSync(at.folder)], [[], []])
  if (name === 'disk') for (const folder of others) assert.deepEqual(readdirSync(folder), ['other'])
  if (name === 'disk')
    await assert.rejects(library.deleteSession(TEST_SESSION_ID, options), { code: 'session_not_found' })
})

bothPlaces('listSubagents and getSubagentMessages', async ({ library, options, at }) => {
  const subpath = 'subagents/agent-a1b2'
  const lines = [
    testUserLine(1, 'Do it.', { isSidechain: true }),
    testAssistantLine(2, 'Did.', { isSidechain: true }),
  ] as SessionStoreEntry[]
  const store = options.sessionStore ?? createJsonlSessionStore(nodeFiles, at.root)
  await store.append({ projectKey: projectKey(CWD), sessionId: TEST_SESSION_ID, subpath }, lines)
  assert.deepEqual(await library.listSubagents(TEST_SESSION_ID, options), ['a1b2'])
  const messages = await library.getSubagentMessages(TEST_SESSION_ID, 'a1b2', options)
  assert.deepEqual(
    messages.map(({ uuid }) => uuid),
    [testLineId(1), testLineId(2)],
  )
  assert.deepEqual(await library.getSubagentMessages(TEST_SESSION_ID, 'nobody', options), [])
  assert.deepEqual(await library.listSubagents(testLineId(9), options), [])
})

bothPlaces('S25: what is no id leads nowhere', async ({ library, options, at }) => {
  writeFileSync(join(at.root, 'secret.jsonl'), formatTestTranscript(LINES))
  const tricks = [
    '../../secret',
    '..',
    '',
    `../${TEST_SESSION_ID}`,
    `${TEST_SESSION_ID}\0`,
    'x'.repeat(300),
    `/etc/${TEST_SESSION_ID}`,
    '%2e%2e',
  ]
  for (const trick of tricks) {
    assert.equal(await library.getSessionInfo(trick, options), undefined)
    assert.deepEqual(await library.getSessionMessages(trick, options), [])
    assert.deepEqual(await library.listSubagents(trick, options), [])
    assert.deepEqual(await library.getSubagentMessages(TEST_SESSION_ID, `../${trick}`, options), [])
    for (const change of [
      library.renameSession(trick, 'x', options),
      library.tagSession(trick, 'x', options),
      library.deleteSession(trick, options),
      library.forkSession(trick, options),
    ])
      await assert.rejects(change, /Invalid sessionId/)
  }
  const store = createJsonlSessionStore(nodeFiles, at.root)
  for (const key of [
    { projectKey: '..', sessionId: TEST_SESSION_ID },
    { projectKey: 'p', sessionId: '..' },
    { projectKey: 'p', sessionId: TEST_SESSION_ID, subpath: '../../x' },
    { projectKey: 'p', sessionId: TEST_SESSION_ID, subpath: '' },
  ])
    await assert.rejects(store.load(key), /Invalid/)
})

/** One session per content; returns what the list says of each. */
async function described(contents: readonly (readonly (Record<string, unknown> | string)[])[]) {
  using all = world()
  const ids = contents.map((lines, i) => {
    const sessionId = `${String(i).padStart(8, '0')}-0000-4000-8000-000000000000`
    writeFileSync(transcriptPathInFolder(all.at.folder, sessionId), formatTestTranscript(lines))
    return sessionId
  })
  const list = await all.library.listSessions()
  return ids.map((sessionId) => list.find((info) => info.sessionId === sessionId))
}

test('the first prompt is what a person typed', async () => {
  const summaries = (
    await described([
      [
        testUserLine(1, '<local-command-caveat>x</local-command-caveat>', { isMeta: true }),
        testUserLine(2, 'real one'),
      ],
      [testUserLine(1, '<command-name>/foo</command-name> <command-args>x</command-args>'), testAssistantLine(2, 'x')],
      [testUserLine(1, '<command-name>/foo</command-name>'), testUserLine(2, 'real two')],
      [testUserLine(1, [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }]), testUserLine(2, 'real three')],
      [
        testUserLine(1, [
          { type: 'text', text: '<system-reminder>x</system-reminder>' },
          { type: 'text', text: 'real four' },
        ]),
      ],
      [testUserLine(1, '[Request interrupted by user]'), testUserLine(2, 'real five')],
      [testUserLine(1, 'Summary', { isCompactSummary: true }), testUserLine(2, 'real six')],
      [testUserLine(1, 'line one\nline two')],
      [testUserLine(1, 'L'.repeat(500))],
      ['{"torn', 'garbage', testUserLine(1, 'real seven')],
      [testUserLine(1, `${'document '.repeat(20_000)}`)],
    ])
  ).map((info) => info?.summary)
  assert.deepEqual(summaries.slice(0, 8), [
    'real one',
    '/foo',
    'real two',
    'real three',
    'real four',
    'real five',
    'real six',
    'line one line two',
  ])
  assert.deepEqual([summaries[8], summaries[9]], [`${'L'.repeat(200)}…`, 'real seven'])
  assert.match(summaries[10] ?? '', /^document document/)
})

test('what has nothing to show is not listed: no prompt, a sub-agent, no session file', async () => {
  const infos = await described([
    [],
    [{ type: 'queue-operation', operation: 'enqueue', sessionId: TEST_SESSION_ID }],
    [testAssistantLine(1, 'hello')],
    [testUserLine(1, 'aside', { isSidechain: true })],
  ])
  assert.deepEqual(infos, [undefined, undefined, undefined, undefined])
})

test('a title counts before a generated one, that before the last prompt, that before a summary', async () => {
  const more = {
    summary: { type: 'summary', summary: 'Sum' },
    last: { type: 'last-prompt', lastPrompt: 'Last' },
    ai: { type: 'ai-title', aiTitle: 'AI' },
    own: { type: 'custom-title', customTitle: 'Own', sessionId: TEST_SESSION_ID },
  }
  const infos = await described([
    [testUserLine(1, 'P'), more.summary],
    [testUserLine(1, 'P'), more.last, more.summary],
    [testUserLine(1, 'P'), more.ai, more.last],
    [testUserLine(1, 'P'), more.own, more.ai],
    [
      testUserLine(1, 'P'),
      more.own,
      ...Array.from({ length: 60 }, (_, i) => testAssistantLine(i + 2, 'x'.repeat(4000))),
    ],
  ])
  assert.deepEqual(
    infos.map((info) => info?.summary),
    ['Sum', 'Last', 'AI', 'Own', 'Own'],
  )
})

test('a title is found wherever it stands in a file that is hardly larger than what is read of it', async () => {
  const title = JSON.stringify({ type: 'custom-title', customTitle: 'Own', sessionId: TEST_SESSION_ID })
  const found = await described(
    Array.from({ length: 60 }, (_, i) => {
      // The title moves over the place where the first look ends.
      const filler = 'x'.repeat(64 * 1024 - 700 + i * 10)
      return [testUserLine(1, 'P'), testAssistantLine(2, filler), title, testAssistantLine(3, 'y'.repeat(30_000))]
    }),
  )
  assert.deepEqual(
    found.map((info) => info?.customTitle),
    found.map(() => 'Own'),
  )
})

test('newest first, in pages; a session that is in two folders is listed once', async () => {
  using all = world()
  const put = (n: number, folder = all.at.folder) => {
    mkdirSync(folder, { recursive: true })
    const path = transcriptPathInFolder(folder, `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`)
    writeFileSync(path, formatTestTranscript([testUserLine(1, `prompt ${n}`)]))
    utimesSync(path, n * 1000, n * 1000)
  }
  for (let n = 1; n <= 25; n += 1) put(n)
  const other = transcriptFolderOfProject({ configDir: all.at.root, cwd: '/elsewhere' })
  put(26, other)
  put(3, other)
  const prompts = async (options: Parameters<typeof all.library.listSessions>[0]) =>
    (await all.library.listSessions(options)).map(({ summary }) => Number(summary.split(' ')[1]))
  assert.deepEqual((await prompts({})).length, 26)
  assert.deepEqual(await prompts({ limit: 3 }), [26, 25, 24])
  assert.deepEqual(await prompts({ dir: CWD, limit: 3, offset: 1 }), [24, 23, 22])
  assert.deepEqual([(await prompts({ limit: 0 })).length, await prompts({ offset: 25 })], [26, [1]])
  assert.deepEqual(await prompts({ dir: '/nowhere' }), [])
})

test('worktrees of a repository share their sessions; a folder may be named through a link', async () => {
  using all = world()
  const main = join(all.at.root, 'main')
  const tree = join(all.at.root, 'tree')
  mkdirSync(join(main, 'sub'), { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.email=a@b', '-c', 'user.name=x', ...args], { cwd: main, stdio: 'ignore' })
  git('init')
  git('commit', '--allow-empty', '-m', 'x')
  git('worktree', 'add', tree)
  for (const [n, cwd] of [main, tree, join(main, 'sub')].entries()) {
    const path = transcriptPathInFolder(
      transcriptFolderOfProject({ configDir: all.at.root, cwd }),
      `0000000${n}-0000-4000-8000-000000000000`,
    )
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, formatTestTranscript([testUserLine(1, cwd.slice(all.at.root.length + 1))]))
  }
  const listed = async (dir: string, includeWorktrees?: boolean) =>
    (await all.library.listSessions({ dir, ...(includeWorktrees === undefined ? {} : { includeWorktrees }) }))
      .map(({ summary }) => summary)
      .sort()
  assert.deepEqual(await listed(main), ['main', 'tree'])
  assert.deepEqual(await listed(tree), ['main', 'tree'])
  assert.deepEqual(await listed(join(main, 'sub')), ['main', 'main/sub', 'tree'])
  assert.deepEqual(await listed(main, false), ['main'])
  symlinkSync(tree, join(all.at.root, 'link'))
  assert.deepEqual(await listed(join(all.at.root, 'link'), false), ['tree'])
})

test('sessions that a program began can be left out', async () => {
  using all = world()
  all.at.write(formatTestTranscript([testUserLine(1, 'by hand')]))
  writeFileSync(
    transcriptPathInFolder(all.at.folder, testLineId(2)),
    formatTestTranscript([testUserLine(1, 'by program', { entrypoint: 'sdk-ts' })]),
  )
  const shown = await all.library.listSessions({ includeProgrammatic: false })
  assert.deepEqual(
    shown.map(({ summary }) => summary),
    ['by hand'],
  )
})

test('after a compaction the messages begin with the summary; system lines on request', async () => {
  using all = world()
  const boundary = testTranscriptLine(3, 'system', {
    subtype: 'compact_boundary',
    parentUuid: null,
    logicalParentUuid: testLineId(2),
  })
  const lines = [
    testUserLine(1, 'Old.'),
    testAssistantLine(2, 'Old.'),
    boundary,
    testUserLine(4, 'Summary.', { isCompactSummary: true }),
    testUserLine(5, 'hidden', { isMeta: true }),
    testAssistantLine(6, 'New.'),
  ]
  all.at.write(formatTestTranscript(lines))
  const uuids = async (options: object) =>
    (await all.library.getSessionMessages(TEST_SESSION_ID, options)).map(({ uuid }) => uuid)
  assert.deepEqual(await uuids({}), [testLineId(4), testLineId(6)])
  assert.deepEqual(await uuids({ includeSystemMessages: true }), [testLineId(3), testLineId(4), testLineId(6)])
})

test('S28: a copy of a session that is being written is a session up to some line', async () => {
  using all = world()
  all.at.write(`${formatTestTranscript(LINES)}${JSON.stringify(testUserLine(7, 'half')).slice(0, 50)}`)
  const { sessionId } = await all.library.forkSession(TEST_SESSION_ID)
  assert.equal((await all.library.getSessionMessages(sessionId)).length, 6)
  for (const one of readFileSync(transcriptPathInFolder(all.at.folder, sessionId), 'utf8').trim().split('\n'))
    assert.doesNotThrow(() => JSON.parse(one))
})

test('a name for a session whose last line is torn stands on a line of its own', async () => {
  using all = world()
  all.at.write(`${formatTestTranscript(LINES)}{"torn`)
  await all.library.renameSession(TEST_SESSION_ID, 'Named')
  assert.equal((await all.library.getSessionInfo(TEST_SESSION_ID))?.customTitle, 'Named')
})

test('a store without lists says what is missing; one without delete keeps everything', async () => {
  using all = world()
  const memory = new InMemorySessionStore()
  const store: SessionStore = { append: (...args) => memory.append(...args), load: (key) => memory.load(key) }
  const options = { sessionStore: store, dir: CWD }
  await assert.rejects(all.library.listSessions(options), /sessionStore\.listSessions is not implemented/)
  await assert.rejects(
    all.library.listSubagents(TEST_SESSION_ID, options),
    /sessionStore\.listSubkeys is not implemented/,
  )
  await all.library.deleteSession(TEST_SESSION_ID, options)
  const slow: SessionStore = { ...store, listSessions: (project) => memory.listSessions(project) }
  await store.append({ projectKey: projectKey(CWD), sessionId: TEST_SESSION_ID }, LINES as SessionStoreEntry[])
  const [info] = await all.library.listSessions({ sessionStore: slow, dir: CWD })
  assert.equal(info?.summary, 'First prompt')
})

for (const [name, make] of [
  ['in memory', () => new InMemorySessionStore()],
  ['as files', (root: string) => createJsonlSessionStore(nodeFiles, root)],
] as const) {
  test(`a store ${name} gives back what was put in, in order, by key`, async () => {
    using at = createTestSessionsFolder()
    const store: SessionStore = make(at.root)
    const key = { projectKey: 'p', sessionId: TEST_SESSION_ID }
    const entry = (n: number): SessionStoreEntry => ({
      type: 'user',
      uuid: testLineId(n),
      deep: { unknown: [n, null, 'ü\n'] },
    })
    assert.equal(await store.load(key), null)
    await store.append(key, [entry(1), { type: 'mode', mode: 'x' }])
    await store.append({ ...key, subpath: 'subagents/agent-1' }, [entry(9)])
    await store.append({ ...key, sessionId: testLineId(2) }, [entry(3)])
    await store.append(key, [entry(2)])
    assert.deepEqual(await store.load(key), [entry(1), { type: 'mode', mode: 'x' }, entry(2)])
    assert.deepEqual(await store.load({ ...key, subpath: 'subagents/agent-1' }), [entry(9)])
    assert.deepEqual(await store.listSubkeys?.(key), ['subagents/agent-1'])
    const sessions = (await store.listSessions?.('p')) ?? []
    assert.deepEqual(sessions.map(({ sessionId }) => sessionId).sort(), [testLineId(2), TEST_SESSION_ID].sort())
    assert.ok(sessions.every(({ mtime }) => Number.isInteger(mtime)))
    assert.deepEqual(await store.listSessions?.('other'), [])
    await store.delete?.(key)
    assert.deepEqual([await store.load(key), await store.load({ ...key, subpath: 'subagents/agent-1' })], [null, null])
    assert.deepEqual((await store.load({ ...key, sessionId: testLineId(2) }))?.length, 1)
  })
}

test('InMemorySessionStore: nobody changes what it holds, a repeated entry counts once, and it has its helpers', async () => {
  const store = new InMemorySessionStore()
  const key = { projectKey: 'p', sessionId: TEST_SESSION_ID }
  const entry = { type: 'user', uuid: testLineId(1), message: { content: 'x' } }
  await store.append(key, [entry])
  entry.message.content = 'changed'
  await store.append(key, [entry, { type: 'mode' }, { type: 'mode' }])
  const kept = store.getEntries(key)
  assert.deepEqual(kept, [
    { type: 'user', uuid: testLineId(1), message: { content: 'x' } },
    { type: 'mode' },
    { type: 'mode' },
  ])
  const [loaded] = (await store.load(key)) ?? []
  if (loaded) loaded.type = 'changed'
  assert.equal(store.getEntries(key)[0]?.type, 'user')
  assert.equal(store.size, 1)
  store.clear()
  assert.deepEqual([store.size, await store.listSessionSummaries('p')], [0, []])
})

test('a folder that is not there, and files that are no sessions, are passed over', async () => {
  using all = world()
  for (const name of ['notes.jsonl', `${TEST_SESSION_ID}.jsonl.lock`, `${testLineId(3)}.json`])
    writeFileSync(join(all.at.folder, name), 'x')
  mkdirSync(transcriptPathInFolder(all.at.folder, testLineId(4)))
  symlinkSync('/dev/zero', transcriptPathInFolder(all.at.folder, testLineId(5)))
  assert.deepEqual(await all.library.listSessions(), [])
  const nowhere = createSessionFunctions({
    ...createTestResumePorts(),
    configDir: join(all.at.root, 'no'),
    cwd: CWD,
    newId: () => testLineId(1),
  })
  assert.deepEqual(await nowhere.listSessions(), [])
  assert.equal(existsSync(join(all.at.root, 'no')), false)
})
