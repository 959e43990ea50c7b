/**
 * Rows S of the bad-input catalog, session files, as an agent meets them that is to go on with one. In more detail, and for
 * every byte: `src/sessions/*.test.ts`, `test/sessions/`. Other rows: `sessions-faults.test.ts`.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe } from 'node:test'
import { query } from 'kedge'
import { collect, startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { ownerProcessChecker } from '../../src/platform/processes/owner-process.js'
import {
  formatTestTranscript,
  TEST_SESSION_ID,
  testAssistantLine,
  testLineId,
  testTranscriptLine,
  testUserLine as userLine,
} from '../../src/sessions/test-sessions.js'
import { transcriptFolderOfProject, transcriptPathInFolder } from '../../src/sessions/transcript-paths.js'
import { sampledTest as test } from '../support/tier.js'
import { type AgentSetup, KEY, readTranscript, startAgent } from './agent-process.js'

type Line = Record<string, unknown> | string

const CONVERSATION = [
  userLine(1, 'One.'),
  testAssistantLine(2, 'Eins.'),
  userLine(3, 'Two.'),
  testAssistantLine(4, 'Zwei.'),
]
const pathOf = ({ cwd, env }: TestOptions) =>
  transcriptPathInFolder(transcriptFolderOfProject({ configDir: env.CLAUDE_CONFIG_DIR ?? '', cwd }), TEST_SESSION_ID)

function place(options: TestOptions, content: string | Uint8Array): void {
  mkdirSync(dirname(pathOf(options)), { recursive: true })
  writeFileSync(pathOf(options), content)
}

/** An agent that resumes a session with this content, and the next answer. */
function resuming(content: string | Uint8Array | readonly Line[], setup: AgentSetup = {}) {
  const bytes = typeof content === 'string' || content instanceof Uint8Array ? content : formatTestTranscript(content)
  return startAgent(['Drei.'], {
    args: ['--resume', TEST_SESSION_ID],
    prepare: (options) => place(options, bytes),
    ...setup,
  })
}

/** The session goes on: the model reads these texts in this order, people read this note, and the rules of every row hold. */
async function goesOn(content: Parameters<typeof resuming>[0], said: RegExp, note?: RegExp): Promise<void> {
  await using agent = await resuming(content, { isDamaged: true })
  assert.equal((await agent.turn('Three.')).result, 'Drei.')
  assert.match(JSON.stringify(agent.server.requests[0]?.body.messages), said)
  if (note) assert.match(agent.stderr(), note)
  else assert.equal(agent.stderr(), '')
  await agent.finish()
  const last = readFileSync(pathOf(agent.options), 'utf8').trim().split('\n').at(-1) ?? ''
  assert.doesNotThrow(() => JSON.parse(last), 'the next line stands by itself')
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const ALL = /One\..*Eins\..*Two\..*Zwei\..*Three\./

describe('S: session files', () => {
  test('S02 the last line torn: dropped with a note, all whole records kept', async () => {
    const torn = JSON.stringify(userLine(5, 'Never acknowledged.'))
    for (const length of [1, torn.length - 1])
      await goesOn(
        formatTestTranscript(CONVERSATION) + torn.slice(0, length),
        ALL,
        /^Note: the session file ends in the middle of line 5: \d+ bytes were dropped$/m,
      )
    await goesOn(formatTestTranscript(CONVERSATION).slice(0, -1), ALL)
  })

  test('S03 half a record and a whole one on one line: the whole one is recovered', async () => {
    const [one, two, three, four] = CONVERSATION.map((record) => JSON.stringify(record))
    const spliced = [one ?? '', two ?? '', `${one?.slice(0, 70)}${three}`, four ?? '']
    await goesOn(spliced, ALL, /^Note: line 3 .* damaged and was skipped; 1 whole record\(s\) on it were kept$/m)
  })

  test('S06 one bad line of 7,000: the others are loaded, the note names it', async () => {
    const lines: Line[] = Array.from({ length: 7000 }, (_, i) =>
      i % 2 === 0 ? userLine(i + 1, `Q${i + 1}.`) : testAssistantLine(i + 1, `A${i + 1}.`),
    )
    lines[4000] = '{"type":"user","uuid":'
    await using agent = await resuming(lines, { isDamaged: true })
    assert.equal((await agent.turn('Three.')).result, 'Drei.')
    assert.match(agent.stderr(), /^Note: line 4001 of the session file is damaged and was skipped$/m)
    const sent = JSON.stringify(agent.server.requests[0]?.body.messages)
    assert.equal(sent.match(/"[QA]\d+\."/g)?.length, 6999)
    await agent.finish()
  })

  test('S08 a repeated uuid: the first counts, no message twice', async () => {
    const lines = [...CONVERSATION, userLine(1, 'Twice.')]
    await using agent = await resuming(lines)
    await agent.turn('Three.')
    const sent = JSON.stringify(agent.server.requests[0]?.body.messages)
    assert.match(sent, ALL)
    assert.doesNotMatch(sent, /Twice/)
    await agent.finish()
  })

  test('S09 parentUuid missing, unknown, in a circle; two children: one valid chain, no endless loop', async () => {
    const [one, two, three, four] = CONVERSATION
    const note = /Note: \d line\(s\) of the session follow one that is lost/
    for (const parentUuid of [undefined, testLineId(77), testLineId(4)])
      await goesOn([one ?? '', two ?? '', { ...three, parentUuid }, four ?? ''], ALL, note)
    await goesOn(
      [...CONVERSATION, testAssistantLine(5, 'Later.', { parentUuid: testLineId(3) })],
      /One\..*Eins\..*Two\..*Later\..*Three\./,
    )
  })

  test('S12 records out of time order: the order of the file counts', async () => {
    const times = CONVERSATION.map((record, i) => ({ ...record, timestamp: new Date(2e12 - i * 1e6).toISOString() }))
    await goesOn(times, ALL)
  })

  test('S13 a record of an unknown type or a newer version: kept on disk, skipped in memory', async () => {
    const strange = JSON.stringify({
      ...testTranscriptLine(9, 'hologram', { version: '9.9.9', beams: [1] }),
      parentUuid: testLineId(2),
    })
    await using agent = await resuming([...CONVERSATION.slice(0, 2), strange, ...CONVERSATION.slice(2)])
    await agent.turn('Three.')
    assert.match(JSON.stringify(agent.server.requests[0]?.body.messages), ALL)
    await agent.finish()
    assert.ok(readFileSync(pathOf(agent.options), 'utf8').split('\n').includes(strange))
  })

  test('S15 a line of 200 MB: passed over within bounds', async () => {
    await using server = await startModelServer(['Drei.'])
    await using options = testOptions(server)
    place(options, formatTestTranscript(CONVERSATION.slice(0, 2)))
    await new Promise<void>((resolve, reject) => {
      const file = createWriteStream(pathOf(options), { flags: 'a' }).on('error', reject).on('finish', resolve)
      file.write('{"type":"user","padding":"')
      for (let i = 0; i < 200; i += 1) file.write('x'.repeat(1024 * 1024))
      file.end(`"}\n${formatTestTranscript(CONVERSATION.slice(2))}`)
    })
    const program = `
      const { query } = await import(${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)})
      const before = process.memoryUsage().rss
      let result, note = ''
      const options = { resume: ${JSON.stringify(TEST_SESSION_ID)}, model: 'claude-sonnet-4-5-20250929', stderr: (text) => (note += text) }
      for await (const message of query({ prompt: 'Three.', options })) if (message.type === 'result') result = message.result
      const peak = process.resourceUsage().maxRSS * 1024
      console.log(JSON.stringify({ result, note, grown: Math.round((peak - before) / 1048576) }))`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { ...options, stdio: 'pipe' })
    const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
    assert.equal(stderr, '')
    const { result, note, grown } = JSON.parse(stdout)
    assert.equal(result, 'Drei.')
    assert.match(note, /Note: line 3 of the session file is longer than 33554432 bytes and was skipped/)
    assert.ok(grown < 200, `memory grew by ${grown} MB`)
    assert.match(JSON.stringify(server.requests[0]?.body.messages), ALL)
  })

  test('S22 a stale lock, also one whose pid was given again: taken over', async () => {
    const own = ownerProcessChecker.own()
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    for (const stale of [{ ...own, pid: dead }, { ...own, started: own.started - 5 }, {}, 'garbage']) {
      await using agent = await resuming(CONVERSATION, {
        prepare(options) {
          place(options, formatTestTranscript(CONVERSATION))
          writeFileSync(`${pathOf(options)}.lock`, JSON.stringify(stale))
          // What names nobody counts for a second.
          spawnSync('touch', ['-d', '10 seconds ago', `${pathOf(options)}.lock`])
        },
      })
      assert.equal((await agent.turn('Three.')).result, 'Drei.')
      await agent.finish()
      assert.equal(existsSync(`${pathOf(agent.options)}.lock`), false)
    }
  })

  test('S23 the file is deleted while the agent runs: reported once, no crash', async () => {
    await using agent = await startAgent(['First.', 'Second.', 'Third.'], { args: ['--session-id', TEST_SESSION_ID] })
    await agent.turn('One.')
    rmSync(pathOf(agent.options))
    assert.deepEqual([(await agent.turn('Two.')).result, (await agent.turn('Three.')).result], ['Second.', 'Third.'])
    assert.equal(agent.stderr().match(/can't be saved any more/g)?.length, 1)
    assert.equal(agent.lines.filter(({ subtype }) => subtype === 'informational').length, 1)
  })

  test('S25 an id that is none, with `../`, a NUL, 300 characters, another path: refused as an id', async () => {
    await using server = await startModelServer([])
    await using options = testOptions(server)
    writeFileSync(join(options.env.CLAUDE_CONFIG_DIR ?? '', 'secret.jsonl'), formatTestTranscript(CONVERSATION))
    for (const bad of [
      '../../secret',
      `${TEST_SESSION_ID}/../x`,
      'x'.repeat(300),
      `/root/.claude/projects/p/${TEST_SESSION_ID}`,
      `${TEST_SESSION_ID}\0`,
      ' ',
    ]) {
      const resumed = await collect(query({ prompt: 'x', options: { ...options, resume: bad } }))
      assert.equal(resumed.result?.terminal_reason, 'resume_failed')
      assert.match(
        resumed.result?.subtype === 'error_during_execution' ? (resumed.result.errors[0] ?? '') : '',
        /^No conversation found with session ID: /,
      )
      const named = await collect(query({ prompt: 'x', options: { ...options, sessionId: bad } }))
      assert.match(
        named.result?.subtype === 'error_during_execution' ? (named.result.errors[0] ?? '') : '',
        /^Invalid session ID/,
      )
    }
    assert.equal(server.requests.length, 0)
  })

  test('S28 a fork while the source is being written: a consistent beginning of it', async () => {
    await using agent = await startAgent(['Drei.'], {
      args: ['--resume', TEST_SESSION_ID, '--fork-session', '--session-id', testLineId(7)],
      prepare: (options) =>
        place(options, formatTestTranscript(CONVERSATION) + JSON.stringify(userLine(5, 'half')).slice(0, 60)),
      isDamaged: true,
    })
    assert.equal((await agent.turn('Three.')).result, 'Drei.')
    assert.match(JSON.stringify(agent.server.requests[0]?.body.messages), ALL)
    const copy = join(dirname(pathOf(agent.options)), `${testLineId(7)}.jsonl`)
    await agent.finish()
    for (const one of readFileSync(copy, 'utf8').trim().split('\n')) assert.doesNotThrow(() => JSON.parse(one))
    assert.match(readFileSync(pathOf(agent.options), 'utf8'), /[^\n]$/, 'the source is left as it is')
  })

  test('S29 a compaction that was killed half-way: the old history still loads', async () => {
    const about = {
      subtype: 'compact_boundary',
      parentUuid: null,
      logicalParentUuid: testLineId(4),
      content: 'Conversation compacted',
    }
    const boundary = JSON.stringify(testTranscriptLine(5, 'system', about))
    await goesOn(`${formatTestTranscript(CONVERSATION)}${boundary}\n`, ALL)
    await goesOn(formatTestTranscript(CONVERSATION) + boundary.slice(0, 60), ALL, /ends in the middle/)
    const summary = JSON.stringify(userLine(6, 'Summary.', { isCompactSummary: true }))
    await goesOn(`${formatTestTranscript(CONVERSATION)}${boundary}\n${summary.slice(0, 90)}`, ALL, /ends in the middle/)
  })

  test('S31 a transcript with secrets: file 0600, folder 0700, and no key in the debug log', async () => {
    const tools = [{ name: 'Bash', input: { command: 'echo $ANTHROPIC_API_KEY' } }]
    await using agent = await startAgent([{ tools }, 'Done.'], {
      args: ['--debug', '--allowedTools', 'Bash(echo:*)', '--session-id', TEST_SESSION_ID],
    })
    await agent.turn('Show it.')
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    const path = pathOf(agent.options)
    assert.deepEqual([mode(path), mode(dirname(path)), mode(dirname(dirname(path)))], ['600', '700', '700'])
    assert.ok(!agent.stderr().includes(KEY))
  })

  test('zeros, a byte order mark, other newlines, wrong types, deep nesting: nothing poisons the session', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const [one, two, three, four] = CONVERSATION.map((record) => JSON.stringify(record))
    const dos = `\uFEFF${[one, two, three, four].join('\r\n')}\r\n`
    await goesOn(dos, ALL)
    const zeros = new TextEncoder().encode(`${formatTestTranscript(CONVERSATION)}${'\0'.repeat(5000)}`)
    await goesOn(zeros, ALL, /ends in the middle of line 5: 5000 bytes were dropped/)
    const odd = [
      one ?? '',
      two ?? '',
      '[]',
      '{"type":7,"uuid":{}}',
      '{"type":"user","uuid":"x","message":[]}',
      `{"type":"user","uuid":"y","parentUuid":null,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"z","content":${deep}}]}}`,
      three ?? '',
      four ?? '',
    ]
    await goesOn(odd, ALL, /Note: /)
  })

  test('a good line after a bad session is saved as if nothing had been', async () => {
    await using agent = await resuming(`${formatTestTranscript(CONVERSATION)}{"torn`)
    await agent.turn('Three.')
    await agent.finish()
    const lines = readTranscript(agent.options)
    const added = lines.slice(CONVERSATION.length).filter(({ uuid }) => uuid !== undefined)
    assert.deepEqual([added[0]?.parentUuid, added[1]?.parentUuid], [testLineId(4), added[0]?.uuid])
  })
})
