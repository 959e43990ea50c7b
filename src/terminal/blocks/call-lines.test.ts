/** Calls on the board: what runs, with what it prints; what is through, as a block; agents with what they do. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LogMaker, later } from '../../../test/support/log-maker.js'
import type { LogItem } from '../../protocol/session-log/entries.js'
import { applyToView } from '../../view/session-view.js'
import { createSessionView } from '../../view/view-state.js'
import { plainStyles } from '../screen/styles.js'
import { CallLines, imageLines } from './call-lines.js'

function open() {
  let now = 100_000
  const view = createSessionView('open')
  const board = new CallLines({
    styles: plainStyles(),
    cwd: '/w',
    columns: () => 60,
    now: () => now,
    view: () => view,
  })
  const log = new LogMaker()
  const at = () => later(now - 100_000)
  const take = (item: LogItem) =>
    applyToView(view, item).flatMap((change) =>
      change.item.kind === 'tool' ? board.take(change.item, change.what).flatMap(({ lines }) => lines) : [],
    )
  const begin = (id: string, name: string, input: Record<string, unknown> = {}, parent?: string) =>
    take(log.call(id, name, input, parent === undefined ? { at: at() } : { parent, at: at() }))
  const result = (id: string, content: string, { isError = false, output = undefined as unknown } = {}) =>
    take(log.result(id, content, { isError, detail: output, at: at() }))
  const denied = (id: string, reason: string) =>
    take(log.system('permission_denied', { tool_use_id: id, tool_name: 'Bash', decision_reason: reason }))
  const progress = (id: string, output: string) =>
    take(log.delta({ type: 'tool_progress', tool_use_id: id, output, elapsed_time_seconds: 1 }))
  const wait = (ms: number) => {
    now += ms
  }
  return { board, view, log, take, begin, result, denied, progress, wait }
}

describe('a command', () => {
  test('shows its last lines while it runs, and for how long', () => {
    const { board, begin, progress, wait } = open()
    begin('t1', 'Bash', { command: 'make' })
    assert.deepEqual(board.live(), ['', 'o Bash make'])
    progress('t1', Array.from({ length: 9 }, (_, n) => `step ${n}\n`).join(''))
    wait(65_000)
    assert.deepEqual(board.live(), [
      ...['', 'o Bash make 1 min 5 s'],
      ...['  ` step 4', '    step 5', '    step 6', '    step 7', '    step 8'],
    ])
    assert.equal(board.runningCommand, 't1')
  })

  test('becomes a block when it is through, and is kept whole where it was folded', () => {
    const { board, begin, result } = open()
    begin('t1', 'Bash', { command: 'make' })
    const text = Array.from({ length: 20 }, (_, n) => `line ${n}`).join('\n')
    const lines = result('t1', text)
    assert.equal(lines[0], '* Bash make')
    assert.deepEqual([board.live(), board.folded.length], [[], 1])
    assert.equal(board.folded[0]?.title, 'Bash make')
    assert.equal(board.folded[0]?.whole(60).length, 21)
    // A second result is none.
    assert.deepEqual(result('t1', text), [])
  })

  test('that failed or was denied says why', () => {
    const { begin, result, denied } = open()
    begin('t1', 'Bash', { command: 'make' })
    assert.deepEqual(result('t1', 'Exit code 2', { isError: true }), ['* Bash make', '  ` Exit code 2'])
    begin('t2', 'Bash', { command: 'rm x' })
    assert.deepEqual(denied('t2', 'Denied by a rule.'), ['* Bash rm x', '  ` Denied by a rule.'])
    assert.deepEqual(denied('t2', 'again'), [])
    // Its result says it once more.
    assert.deepEqual(result('t2', 'Denied by a rule.', { isError: true }), [])
  })

  test('input that comes later takes the place of what was there', () => {
    const { board, begin, log, take } = open()
    take(log.begins({ type: 'tool_use', id: 't1', name: 'Bash', input: {} }))
    assert.deepEqual(board.live(), ['', 'o Bash'])
    begin('t1', 'Bash', { command: 'make' })
    assert.deepEqual(board.live(), ['', 'o Bash make'])
  })

  test('of many only the last four are shown, with how many more there are', () => {
    const { board, begin, take, log } = open()
    for (let n = 0; n < 6; n += 1) begin(`t${n}`, 'Read', { file_path: `/w/${n}` })
    assert.deepEqual(board.live(), [
      ...['', '2 more calls'],
      ...['', 'o Read 2', '', 'o Read 3', '', 'o Read 4', '', 'o Read 5'],
    ])
    const lines = take(log.end(0))
    assert.deepEqual(board.live(), [])
    assert.deepEqual(lines.slice(0, 2), ['* Read 0', '  ` It was not finished.'])
  })

  test('of blocks that unfold the last thirty are kept', () => {
    const { board } = open()
    for (let n = 0; n < 40; n += 1) board.keep({ title: `${n}`, whole: () => [] })
    assert.deepEqual([board.folded.length, board.folded[0]?.title], [30, '10'])
  })
})

describe('an agent', () => {
  test('shows what it does, how much it used, and in the end a line', () => {
    const { board, begin, result, take, log, wait } = open()
    begin('a1', 'Task', { subagent_type: 'explorer', description: 'Look' })
    begin('t1', 'Read', { file_path: '/w/a.ts' }, 'a1')
    begin('t2', 'Grep', { pattern: 'x' }, 'a1')
    const usage = { total_tokens: 12_000, tool_uses: 1 }
    take(log.system('task_progress', { task_id: 'k1', tool_use_id: 'a1', usage }))
    assert.deepEqual(board.live(), [
      ...['', 'o Agent explorer Look'],
      ...['  ` Read a.ts', '    Search x', '    2 tool uses · 12k tokens'],
    ])
    // Its own calls are no blocks.
    assert.deepEqual(result('t1', 'content'), [])
    assert.deepEqual(result('t2', 'found'), [])
    assert.match(board.live().join('\n'), /Search x/)
    wait(3000)
    assert.deepEqual(result('a1', 'It is there.'), ['* Agent explorer Look', '  ` 2 tool uses · 12k tokens · 3 s'])
    assert.match(board.folded[0]?.whole(60).join('\n') ?? '', /It is there\./)
  })

  test('that ends takes its calls with it', () => {
    const { board, begin, result, view } = open()
    begin('a1', 'Task', { description: 'Look' })
    begin('t1', 'Bash', { command: 'sleep' }, 'a1')
    result('a1', 'Interrupted', { isError: true })
    assert.deepEqual([view.open.openCalls.size, board.runningCommand], [0, undefined])
  })
})

describe('what is shown by other means', () => {
  test('todos stay until all are done', () => {
    const { board, begin, result } = open()
    const todos = (status: string) => ({ todos: [{ status, content: 'Look' }] })
    begin('t1', 'TodoWrite', todos('pending'))
    assert.deepEqual(result('t1', 'ok'), [])
    assert.deepEqual(board.live(), ['', '  [ ] Look'])
    begin('t2', 'TodoWrite', todos('completed'))
    assert.deepEqual(result('t2', 'ok'), ['* Todo list', '  [x] Look'])
    assert.deepEqual(board.live(), [])
  })

  test('a question shows what was answered; plans and task lists show nothing, unless they fail', () => {
    const { board, begin, result } = open()
    begin('t1', 'AskUserQuestion')
    assert.deepEqual(board.live(), [])
    assert.deepEqual(result('t1', 'Left'), ['* You answered', '  ` Left'])
    begin('t2', 'ExitPlanMode')
    assert.deepEqual(result('t2', 'ok'), [])
    begin('t3', 'TaskUpdate')
    assert.deepEqual(result('t3', 'No such task', { isError: true })[1], '  ` No such task')
  })
})

test('pictures are drawn where the terminal can', () => {
  const ports = { styles: plainStyles(), cwd: '/w', columns: () => 60, now: () => 0 }
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: 'AAAA' }
  const content = [
    { type: 'text' as const, text: 'x' },
    { type: 'image' as const, source },
  ]
  assert.deepEqual(imageLines(content, ports), [])
  const picture = ({ mediaType, data }: { mediaType: string; data: string }) => `<${mediaType} ${data}>`
  assert.deepEqual(imageLines(content, { ...ports, picture }), ['<image/png AAAA>'])
  assert.deepEqual(imageLines('text', { ...ports, picture }), [])
})
