/** Calls as compact blocks: their title, and what came of them, folded and whole. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { textWidth } from '../screen/styled-text.js'
import { plainStyles } from '../screen/styles.js'
import { outcomeLines, textOfToolResult, titleLine, todoLines, toToolTitleParts } from './tool-lines.js'

const styles = plainStyles()
const CWD = '/home/ada/shop'
const call = (name: string, input: Record<string, unknown> = {}) => ({ name, input })
const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}`).join('\n')

type More = {
  input?: Record<string, unknown>
  output?: unknown
  isError?: boolean
  isWhole?: boolean
  columns?: number
}
function outcome(
  name: string,
  text: string,
  { input, output, isError = false, isWhole = false, columns = 60 }: More = {},
) {
  return outcomeLines(call(name, input), { content: text, isError, detail: output }, { columns, styles, isWhole })
}

describe('titles', () => {
  const titles: [name: string, input: Record<string, unknown>, shown: string][] = [
    ['Bash', { command: 'npm test' }, 'Bash npm test'],
    ['Read', { file_path: `${CWD}/a.ts` }, 'Read a.ts'],
    ['Write', { file_path: '/etc/hosts' }, 'Write /etc/hosts'],
    ['NotebookEdit', { notebook_path: `${CWD}/n.ipynb` }, 'Edit n.ipynb'],
    ['Glob', { pattern: '*.ts', path: `${CWD}/src` }, 'Find *.ts in src'],
    ['Grep', { pattern: 'TODO' }, 'Search TODO'],
    ['WebFetch', { url: 'https://example.com' }, 'Fetch https://example.com'],
    ['Task', { subagent_type: 'explorer', description: 'Look' }, 'Agent explorer Look'],
    ['Task', { description: 'Look' }, 'Agent Look'],
    ['TaskStop', { task_id: 'b1' }, 'Stop task b1'],
    ['Skill', { command: 'pdf' }, 'Skill pdf'],
    ['TodoWrite', {}, 'Todo list'],
    ['AskUserQuestion', {}, 'Questions'],
    ['ExitPlanMode', {}, 'Plan'],
    ['mcp__github__list_issues', { n: 1, owner: 'ada' }, 'github: list_issues ada'],
    ['Bash', { command: 7 }, 'Bash'],
  ]
  for (const [name, input, shown] of titles)
    test(shown, () => {
      assert.equal(titleLine(call(name, input), CWD, 80, styles), shown)
    })

  test('a title fits the screen, and can not steer it', () => {
    const title = titleLine(call('Bash', { command: `echo ${'x'.repeat(200)}` }), CWD, 30, styles)
    assert.ok(textWidth(title) <= 30, title)
    const { about } = toToolTitleParts(call('Bash', { command: 'a\u001b[2J\nb' }), CWD)
    assert.doesNotMatch(about, /[\u0000-\u001f]/)
  })
})

describe('what came of it', () => {
  test('a command: its last lines, the rest on demand', () => {
    const { lines: rows, isFolded } = outcome('Bash', lines(10))
    assert.deepEqual(rows, [
      '  ` ... 6 more lines (ctrl-o shows them)',
      ...['    line 7', '    line 8', '    line 9', '    line 10'],
    ])
    assert.equal(isFolded, true)
    assert.equal(outcome('Bash', lines(10), { isWhole: true }).lines.length, 10)
    // One line more is as short as a line that says so.
    assert.equal(outcome('Bash', lines(5)).isFolded, false)
  })

  test('a command that printed nothing says so; what hosts get comes before what the model reads', () => {
    assert.deepEqual(outcome('Bash', ' \n ').lines, ['  ` (nothing printed)'])
    assert.deepEqual(outcome('Bash', 'for the model', { output: { stdout: 'printed' } }).lines, ['  ` printed'])
  })

  test('an error: its beginning, without the tags around it', () => {
    const { lines: rows, isFolded } = outcome('Read', `<tool_use_error>${lines(9)}</tool_use_error>`, { isError: true })
    assert.equal(rows[0], '  ` line 1')
    assert.equal(rows.at(-1), '    ... 3 more lines (ctrl-o shows them)')
    assert.equal(isFolded, true)
  })

  test('reading and searching: how much', () => {
    assert.deepEqual(outcome('Read', lines(3)).lines, ['  ` 3 lines'])
    assert.deepEqual(outcome('Grep', lines(2)).lines, ['  ` 2 results'])
    assert.deepEqual(outcome('Glob', 'No files found').lines, ['  ` nothing found'])
    assert.deepEqual(outcome('Read', lines(3), { isWhole: true }).lines.length, 3)
  })

  test('a change: how many lines, then the lines themselves', () => {
    const output = { structuredPatch: [{ oldStart: 3, newStart: 3, lines: [' a', '-b', '+c'] }] }
    const rows = outcome('Edit', 'ok', { output }).lines
    assert.equal(rows[0], '  ` +1 −1')
    assert.deepEqual(
      rows.slice(1).map((row) => row.trim()),
      ['3   a', '4 - b', '4 + c'],
    )
    const long = {
      structuredPatch: [
        {
          oldStart: 1,
          newStart: 1,
          lines: lines(40)
            .split('\n')
            .map((line) => `+${line}`),
        },
      ],
    }
    const folded = outcome('Edit', 'ok', { output: long })
    assert.deepEqual([folded.lines.length, folded.isFolded], [26, true])
  })

  test('a new file: its first lines', () => {
    const rows = outcome('Write', 'ok', { output: { type: 'create', content: 'one\ntwo\n' } }).lines
    assert.deepEqual(rows, ['  ` new, 2 lines', '    one', '    two'])
  })

  test('todos: each with its state; what runs says what is done', () => {
    const todos = [
      { status: 'completed', content: 'Look' },
      { status: 'in_progress', content: 'Write', activeForm: 'Writing' },
      { status: 'pending', content: 'Test' },
      'no todo',
    ]
    const rows = ['  [x] Look', '  [ ] Writing', '  [ ] Test']
    assert.deepEqual(todoLines(todos, 60, styles), rows)
    assert.deepEqual(outcome('TodoWrite', 'ok', { input: { todos } }).lines, rows)
    assert.deepEqual(todoLines('none', 60, styles), [])
  })

  test('long lines are wrapped, and nothing is wider than the screen', () => {
    for (const columns of [20, 40, 80])
      for (const row of outcome('Bash', 'x'.repeat(500), { columns, isWhole: true }).lines)
        assert.ok(row.length <= columns, `${row.length} > ${columns}`)
  })
})

test('results of several blocks', () => {
  const image = {
    type: 'image' as const,
    source: { type: 'base64' as const, media_type: 'image/png' as const, data: '' },
  }
  assert.equal(textOfToolResult({ content: [{ type: 'text', text: 'a' }, image] }), 'a\n[image]')
  assert.equal(textOfToolResult({ content: '' }), '')
})
