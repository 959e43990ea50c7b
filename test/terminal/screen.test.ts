/** The screen as a whole: compared row by row at three widths, counted in bytes, and under everything that can happen to it. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { doesTerminalRewrapRows } from '../../src/terminal/screen/terminal-rewrap.js'
import { chooseSeed, Random } from '../fuzz/random.js'
import { byTier } from '../support/tier.js'
import { playRecorded } from './recorded-session.js'
import { assistant, result, toolResult } from './scripted-session.js'
import { openStage, type Stage } from './stage.js'

const KEYS_AND_EVENTS = byTier({ quick: 1_000, all: 10_000, long: 100_000 })

for (const columns of [40, 80, 160]) {
  test(`a recorded session at ${columns} columns is shown as it was looked at and found good`, async () => {
    const stage = await openStage({ columns, rows: 40 })
    playRecorded(stage.scripted)
    await stage.settle()
    const shown = `${stage.emulator.all().join('\n')}\n`
    const file = join(process.cwd(), 'test', 'terminal', 'screens', `recorded-${columns}.txt`)
    // `SCREENS=write npm test -- test/terminal/screen` after a change that was meant; look at them before they are committed.
    if (process.env['SCREENS'] === 'write') writeFileSync(file, shown)
    assert.equal(shown, readFileSync(file, 'utf8'))
    assert.ok(stage.emulator.all().every((row) => row.length <= columns))
  })
}

test('what has scrolled away is never painted again: the scrollback has each line once, however it was streamed', async () => {
  const stage = await openStage({ columns: 60, rows: 12 })
  stage.scripted.add({ kind: 'state', data: { status: 'running' } })
  for (let n = 0; n < 60; n += 1) {
    stage.scripted.says(
      `Paragraph number ${n} has a few words, and it is a little longer than one row of this narrow screen.\n`,
      5,
    )
    await stage.settle()
  }
  stage.scripted.message(result())
  await stage.settle()
  const all = stage.emulator.all().join('\n')
  for (let n = 0; n < 60; n += 1) assert.equal(all.split(`Paragraph number ${n} `).length, 2, `paragraph ${n}`)
  assert.equal(all.split('Ask first').length, 2, 'the last row is there once')
})

test('bytes and rows: a token costs few of them, a tick one row, nothing nothing', async () => {
  const stage = await openStage()
  stage.scripted.add({ kind: 'state', data: { status: 'running' } })
  const event = (inner: object) =>
    stage.scripted.delta({ type: 'stream_event', parent_tool_use_id: null, event: inner })
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
  await stage.settle()
  const before = { ...stage.region.painted }
  const TOKENS = 200
  for (let n = 0; n < TOKENS; n += 1) {
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `word${n % 10} ` } })
    await stage.settle()
  }
  const { bytes, rows, frames } = stage.region.painted
  // The token itself has six; the rest is going there and back, the clock, and beginning rows.
  assert.ok((bytes - before.bytes) / TOKENS <= 110, `${(bytes - before.bytes) / TOKENS} bytes for each token`)
  assert.ok(
    (rows - before.rows) / (frames - before.frames) <= 3,
    `${(rows - before.rows) / (frames - before.frames)} rows a frame`,
  )
  const ticks = { ...stage.region.painted }
  for (let n = 0; n < 10; n += 1) await stage.wait(1000)
  assert.ok(stage.region.painted.rows - ticks.rows <= 10, 'one row a second')
  stage.scripted.message(result())
  stage.scripted.add({ kind: 'state', data: { status: 'idle' } })
  await stage.wait(1000)
  const idle = stage.region.painted.bytes
  for (let n = 0; n < 10; n += 1) await stage.wait(1000)
  assert.equal(stage.region.painted.bytes, idle, 'who waits writes nothing')
})

test('100,000 lines of output leave nothing behind in memory', async () => {
  const stage = await openStage({ columns: 80, rows: 24 })
  stage.scripted.add({ kind: 'state', data: { status: 'running' } })
  stage.scripted.message(assistant([{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'yes' } }]))
  const piece = 'y'.repeat(60).concat('\n').repeat(100)
  for (let n = 0; n < 1000; n += 1) {
    stage.scripted.delta({
      type: 'tool_progress',
      tool_use_id: 't1',
      tool_name: 'Bash',
      parent_tool_use_id: null,
      output: piece,
    })
    if (n % 50 === 0) await stage.settle()
  }
  await stage.settle()
  // What is kept of it is the end, and what was written is what could be seen.
  assert.ok(JSON.stringify(stage.conversation.calls.live()).length < 5000)
  const bytes = stage.written.reduce((sum, text) => sum + text.length, 0)
  assert.ok(bytes < 100_000, `${bytes} bytes for ${1000 * piece.length}`)
})

for (const reflows of [true, false])
  test(`a window that becomes narrower and wider loses no line; ${reflows ? 'rows are wrapped anew' : 'rows are cut off, as by xterm'}`, async () => {
    const stage = await openStage({ columns: 100, rows: 24, reflows })
    for (let n = 0; n < 10; n += 1) stage.scripted.says(`Line number ${n}.\n`)
    await stage.type('something that is being typed')
    for (const columns of [60, 31, 100, 40, 90, 30]) await stage.resize(columns, 24)
    const all = stage.emulator.all().join('\n')
    for (let n = 0; n < 10; n += 1) assert.equal(all.split(`Line number ${n}.`).length, 2, `line ${n}:\n${all}`)
    assert.equal(all.split('something that is being').length, 2, all)
  })

test('which terminals cut rows off', () => {
  const cut = [{ XTERM_VERSION: 'XTerm(379)' }, { TERM: 'linux' }, { TERM: 'rxvt-unicode' }, { STY: '1.x' }]
  assert.deepEqual(
    cut.map((env) => doesTerminalRewrapRows(env)),
    [false, false, false, false],
  )
  assert.deepEqual(
    [doesTerminalRewrapRows({ TERM: 'xterm-256color' }), doesTerminalRewrapRows({ TERM: 'screen', TMUX: '/tmp/x' })],
    [true, true],
  )
})

test('pictures are drawn where the terminal can: as high as they are, and only what is one', async () => {
  const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const image = (data: string, media_type = 'image/png') => ({
    type: 'image',
    source: { type: 'base64', media_type, data },
  })
  const shown = async (env: Record<string, string>, data = PIXEL, type?: string) => {
    const stage = await openStage({ columns: 60, rows: 40, env: { KEDGE_NOTIFY: 'off', ...env } })
    stage.scripted.message(assistant([{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a.png' } }]))
    await stage.settle()
    stage.scripted.message(toolResult('t1', [image(data, type)]))
    stage.scripted.says('After it.')
    const text = (await stage.text()).split('\n')
    const written = stage.written.join('')
    const height = text.findIndex((row) => row.includes('After it.')) - text.findIndex((row) => row.includes('Read'))
    return { written, height }
  }
  const plain = await shown({ TERM_PROGRAM: 'Apple_Terminal' })
  // A square takes half as many rows as columns, and never more than twenty.
  for (const [env, mark] of [
    [{ TERM: 'xterm-kitty' }, `\u001b_Ga=T,f=100,q=2,C=1,c=40,r=20,m=0;${PIXEL}\u001b\\`],
    [{ TERM_PROGRAM: 'ghostty' }, '\u001b_Ga=T'],
    [
      { TERM_PROGRAM: 'WezTerm' },
      `\u001b]1337;File=inline=1;size=${Buffer.from(PIXEL, 'base64').length};width=40;height=20;preserveAspectRatio=1:${PIXEL}\u0007`,
    ],
    [{ TERM_PROGRAM: 'tmux', TMUX: '/tmp/x', KEDGE_IMAGES: 'iterm' }, '\u001b]1337;File=inline=1'],
  ] as const) {
    const { written, height } = await shown(env)
    assert.ok(written.includes(mark), JSON.stringify([env, written.slice(-400)]))
    assert.equal(height, plain.height + 20)
  }
  const hostile = `${PIXEL}\u0007\u001b]52;c;ZXZpbA==\u0007`
  for (const [env, data, type] of [
    [{ TERM: 'xterm-256color' }, PIXEL, 'image/png'],
    [{ TERM: 'tmux-256color', TMUX: '/tmp/x', KITTY_WINDOW_ID: '1' }, PIXEL, 'image/png'],
    [{ TERM_PROGRAM: 'iTerm.app', KEDGE_IMAGES: 'off' }, PIXEL, 'image/png'],
    [{ TERM_PROGRAM: 'iTerm.app' }, hostile, 'image/png'],
    [{ TERM_PROGRAM: 'iTerm.app' }, PIXEL, 'image/png:\u0007\u001b]52;c;ZXZpbA==\u0007'],
    [{ TERM: 'xterm-kitty' }, `${PIXEL}\u001b\\\u001b]0;owned\u0007`, 'image/png'],
    [{ TERM: 'xterm-kitty' }, PIXEL, 'image/jpeg'],
  ] as const) {
    const { written, height } = await shown(env, data, type)
    assert.doesNotMatch(written, /\u001b[_\]]/, JSON.stringify(env))
    assert.equal(height, plain.height)
  }
})

test('hostile output moves nothing: no cursor, no title, no clipboard, no colors that stay', async () => {
  const stage = await openStage({ rows: 40, env: { KEDGE_NOTIFY: 'off' } })
  const evil =
    'a\u001b[2J\u001b[1;1Hb\u001b]0;owned\u0007\u001b]52;c;ZXZpbA==\u0007\u009b31m\u202ereversed\u0000\u0008\u001b[?1049h\u001b[31m'
  stage.scripted.says(`${evil}\n\`\`\`\n${evil}\n\`\`\`\n| ${evil} | b |\n|---|---|\n| ${evil} | c |\n`)
  stage.scripted.message(assistant([{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: evil } }]))
  stage.scripted.delta({
    type: 'tool_progress',
    tool_use_id: 't1',
    tool_name: 'Bash',
    parent_tool_use_id: null,
    output: evil,
  })
  await stage.settle()
  stage.scripted.message(toolResult('t1', evil))
  stage.scripted.message({ type: 'system', subtype: 'informational', level: 'warning', content: evil })
  stage.scripted.ask({
    tool: { name: evil, input: { x: evil }, hash: 'h', useId: 't' },
    why: { layer: 'tool', text: evil },
  })
  await stage.settle()
  await stage.type(`/rename ${evil.replaceAll('\u001b', '')}\r`)
  const written = stage.written.join('')
  // Only what we write ourselves: styles, moves, erasing below, synchronized output, the cursor.
  const own = /\u001b\[(?:[\d;]*m|\d*[ABGJK]|\?(?:2026|25)[hl])/g
  assert.doesNotMatch(written.replaceAll(own, ''), /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]/)
  // None of ours is what it sent.
  assert.doesNotMatch(written, /\u001b\[2J|\u001b\[1;1H|\u001b\[\?1049/)
})

test('wide, combining and right-to-left characters keep every row in its place', async () => {
  const stage = await openStage({ columns: 40, rows: 30 })
  const text =
    '文字が多い行は二倍の幅を取るので、正しく折り返す必要がある。 e\u0301a\u0300 שלום עולם مرحبا 👩‍👩‍👧 🇩🇪 end\n'.repeat(
      3,
    )
  stage.scripted.says(text, 30)
  await stage.type('日本語のプロンプト')
  const screen = await stage.settle()
  assert.equal(stage.emulator.cursor().column, 2 + 18)
  assert.ok(screen.some((row) => row.startsWith('❯ 日本語のプロンプト')))
  assert.equal(screen.filter((row) => row.includes('Ask first')).length, 1)
})

test('a storm of resizes, in the middle of a stream, from 10 to 300 columns: one prompt, one last row, at the end', async () => {
  const random = new Random(chooseSeed(20261116))
  const stage = await openStage({ columns: 80, rows: 24 })
  stage.scripted.add({ kind: 'state', data: { status: 'running' } })
  for (let n = 0; n < 40; n += 1) {
    stage.scripted.says(`Number ${n}: ${'some words '.repeat(random.int(12))}\n`, 3)
    await stage.resize(10 + random.int(290), 6 + random.int(50))
  }
  stage.scripted.message(result())
  stage.scripted.add({ kind: 'state', data: { status: 'idle' } })
  await stage.resize(80, 24)
  const screen = await stage.settle()
  assert.equal(screen.filter((row) => row.includes('Ask first')).length, 1)
  assert.equal(screen.filter((row) => row.startsWith('❯')).length, 1)
})

/** What people and cats press. */
const KEYS = [
  ...[
    'a',
    'b ',
    '1',
    '2',
    'y',
    'n',
    'e',
    's',
    'x',
    '?',
    '/',
    '@',
    '!',
    '#',
    '文',
    '👍',
    '\r',
    '\r',
    '\t',
    '\u001b',
    '\u001b[A',
  ],
  ...[
    '\u001b[B',
    '\u001b[C',
    '\u001b[D',
    '\u001b[Z',
    '\u007f',
    '\u0001',
    '\u0005',
    '\u000b',
    '\u0015',
    '\u0017',
    '\u0012',
    '\u0014',
  ],
  ...[
    '\u000f',
    '\u0013',
    '\u0002',
    '\u001bm',
    '\u001b[3~',
    '\u001b[200~pasted\ntext\u001b[201~',
    '\u001b[O',
    '\u001b[I',
    '\u000c',
  ],
  ...[
    '\u001b[1;5C',
    '\u001b[13;2u',
    '\u001b]11;rgb:0/0/0\u0007',
    '\u001b[999;999R',
    '\u001b[',
    '\ud83d',
    'h\u0301',
    '\u0010',
    '\u000e',
  ],
]

async function mash(stage: Stage, random: Random, events: number): Promise<void> {
  const { scripted, conversation } = stage
  let shownAt = 0
  let open: string | undefined
  for (let n = 0; n < events; n += 1) {
    const choice = random.next()
    if (choice < 0.02 && open === undefined) {
      open = scripted.ask({ tool: { name: 'Bash', input: { command: `rm ${n}` }, hash: `h${n}`, useId: `t${n}` } }).id
      await stage.settle()
      shownAt = conversation.machine.now()
    } else if (choice < 0.03) scripted.says(`Words ${n}\n`, 2)
    else if (choice < 0.035) scripted.add({ kind: 'state', data: { status: random.chance(0.5) ? 'running' : 'idle' } })
    else if (choice < 0.045) await stage.resize(20 + random.int(120), 8 + random.int(40))
    else if (choice < 0.05 && open !== undefined) {
      scripted.add({ kind: 'withdrawn', data: { ask: open, reason: '' } })
      open = undefined
    } else conversation.input(random.pick(KEYS))
    if (n % 100 === 0) await stage.settle()
    const answered = scripted.answers.find(({ ask }) => ask === open)
    if (answered) {
      open = undefined
      assert.fail(
        `answered ${JSON.stringify(answered.answer)} ${conversation.machine.now() - shownAt} ms after it was shown`,
      )
    }
  }
}

test(`${KEYS_AND_EVENTS} keys and events at random: nothing breaks, nothing is ever approved, the prompt is still there`, async () => {
  const seed = chooseSeed(20261116)
  const random = new Random(seed)
  const stage = await openStage({ columns: 80, rows: 24 })
  // Ctrl-C, Ctrl-D and Ctrl-Z are left out, as they leave. Keys come without a pause of more than 40 ms: all of them are typed ahead.
  await mash(stage, random, KEYS_AND_EVENTS)
  assert.deepEqual(
    stage.scripted.answers.filter(({ answer }) => answer.kind === 'allow'),
    [],
  )
  await stage.resize(80, 24)
  stage.scripted.add({ kind: 'state', data: { status: 'idle' } })
  const screen = await stage.settle()
  assert.equal(screen.filter((row) => row.includes(' · main')).length, 1, screen.join('\n'))
})
