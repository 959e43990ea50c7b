import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stepsToCarryOutRequest } from './carry-out.js'
import type { PracticeIntent } from './practice-request.js'
import type { PracticeCall, PracticeReport } from './practice-steps.js'
import type { PracticeToolOutcome } from './read-request.js'

const ALL = ['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep', 'TodoWrite', 'AskUserQuestion', 'ExitPlanMode']

/** Feeds these outcomes: text for what worked, `!text` for what did not. */
function play(
  request: PracticeIntent,
  outcomes: string[],
  tools = ALL,
): { calls: PracticeCall[]; report: PracticeReport; said: string[] } {
  const work = stepsToCarryOutRequest(request, 'the words', { cwd: '/repo', tools: new Set(tools) })
  const calls: PracticeCall[] = []
  const said: string[] = []
  const left = [...outcomes]
  let step = work.next()
  while (!step.done) {
    calls.push(step.value.call)
    said.push(step.value.say)
    const next = left.shift() ?? assert.fail(`nothing is left for ${step.value.call.name}`)
    const isError = next.startsWith('!')
    step = work.next({ isError, text: isError ? next.slice(1) : next } as PracticeToolOutcome)
  }
  assert.deepEqual(left, [])
  return { calls, report: step.value, said }
}

const without = (...names: string[]) => ALL.filter((name) => !names.includes(name))
const inputOf = ({ calls }: ReturnType<typeof play>, at = 0) => calls[at]?.input

describe('files', () => {
  test('lists those of a folder, without its name', () => {
    const done = play({ kind: 'list', pattern: '**/*', path: 'src' }, ['/repo/src/a.ts\n/repo/src/b.ts'])
    assert.deepEqual(done.calls, [{ name: 'Glob', input: { pattern: './*', path: '/repo/src' } }])
    assert.equal(done.report.text, 'The files in src:\n  a.ts\n  b.ts')
    assert.match(
      play({ kind: 'list', pattern: '*.md' }, ['No files found']).report.text,
      /There are no files matching \*\.md\./,
    )
  })

  test('lists with ls where there is only Bash; a pattern it can not', () => {
    const done = play({ kind: 'list', pattern: '**/*', path: "it's" }, [''], without('Glob'))
    assert.deepEqual(inputOf(done), { command: `ls -A -- '/repo/it'\\''s'` })
    const stopped = play({ kind: 'list', pattern: '*.ts' }, [], without('Glob'))
    assert.deepEqual(stopped.report.continues, false)
    assert.match(stopped.report.text, /the tool Glob/)
  })

  test('searches for what was said, not for what it would mean as an expression', () => {
    const done = play({ kind: 'search', text: 'a.b(c)' }, ['a.ts:1:a.b(c)'])
    assert.deepEqual(inputOf(done), { pattern: 'a\\.b\\(c\\)', output_mode: 'content' })
    assert.match(play({ kind: 'search', text: 'x' }, ['No matches found']).report.text, /^“x” occurs nowhere\.$/)
    const plain = play({ kind: 'search', text: '-e x', path: '/etc' }, ['x'], without('Grep'))
    assert.deepEqual(inputOf(plain), { command: "grep -rnF -e '-e x' -- '/etc'" })
  })

  test('reads, and shows the text without numbers and notes', () => {
    const shown = '     1→one\n     2→two\n\n<system-reminder>\nnote\n</system-reminder>\n'
    const done = play({ kind: 'read', path: '~/a.txt' }, [shown])
    assert.deepEqual(inputOf(done), { file_path: '~/a.txt' })
    assert.equal(done.report.text, '~/a.txt says:\n  one\n  two')
    const empty = '(The file exists but is empty.)'
    assert.equal(play({ kind: 'read', path: 'a' }, [empty]).report.text, 'a is empty.')
    assert.deepEqual(inputOf(play({ kind: 'read', path: 'a' }, ['x'], ['Bash'])), { command: "cat -- '/repo/a'" })
  })

  test('a long text is cut, and that is said', () => {
    const long = Array.from({ length: 60 }, (_, n) => `${String(n + 1).padStart(6)}→line`).join('\n')
    assert.match(play({ kind: 'read', path: 'a' }, [long]).report.text, /… \(and more, not shown here\)$/)
  })

  test('creates only where nothing is', () => {
    const request: PracticeIntent = { kind: 'create', path: 'a.txt', content: 'x' }
    const done = play(request, ['File created'])
    assert.deepEqual(inputOf(done), { file_path: '/repo/a.txt', content: 'x' })
    assert.deepEqual(done.report, { continues: true, text: 'File created' })
    const there = play(request, ['!File has not been read yet.'])
    assert.equal(there.report.continues, false)
    assert.match(there.report.text, /exists already, so I left it/)
  })

  test('writes over what is there, after a look at it', () => {
    const request: PracticeIntent = { kind: 'write', path: 'a.txt', content: 'x' }
    const done = play(request, ['!File has not been read yet.', '     1→old', 'File updated'])
    assert.deepEqual(
      done.calls.map(({ name }) => name),
      ['Write', 'Read', 'Write'],
    )
    assert.equal(done.report.text, 'File updated')
    assert.equal(play(request, ['!disk full']).report.continues, false)
    assert.equal(play(request, ['!File has changed since', '!gone']).report.continues, false)
  })

  test('edits after a look at it', () => {
    const request: PracticeIntent = { kind: 'edit', path: 'a.txt', from: 'x', to: 'y', all: true }
    const done = play(request, ['     1→x', 'Edited'])
    assert.deepEqual(inputOf(done, 1), {
      file_path: '/repo/a.txt',
      old_string: 'x',
      new_string: 'y',
      replace_all: true,
    })
    assert.equal('replace_all' in (inputOf(play({ ...request, all: false }, ['     1→x', 'ok']), 1) ?? {}), false)
    assert.match(play(request, [], without('Read')).report.text, /Edit, and Read before it/)
  })

  test('appends, to an empty file too, and not to one whose end it does not see', () => {
    const request: PracticeIntent = { kind: 'append', path: 'a.txt', content: 'new' }
    const done = play(request, ['     1→one\n     2→two', 'ok'])
    assert.deepEqual(
      done.calls.map(({ name }) => name),
      ['Read', 'Edit'],
    )
    const empty = play(request, ['(The file exists but is empty.)', 'ok'])
    assert.deepEqual(empty.calls[1], { name: 'Write', input: { file_path: '/repo/a.txt', content: 'new' } })
    const long = Array.from({ length: 2000 }, (_, n) => `${n + 1}→x`).join('\n')
    assert.match(play(request, [long]).report.text, /too long for me/)
  })
})

describe('commands', () => {
  const run = (outcome: string) => play({ kind: 'run', command: 'make' }, [outcome]).report

  test('what was printed', () => {
    assert.deepEqual(run('built'), { continues: true, text: 'The command printed:\n  built' })
    assert.deepEqual(run(''), { continues: true, text: 'The command printed nothing.' })
  })

  const failures: [outcome: string, text: RegExp][] = [
    ['!Exit code 2\nno rule', /^The command failed with exit code 2 and printed:\n {2}no rule$/],
    ['!Exit code 1', /^The command failed with exit code 1 and printed nothing\.$/],
    ['!<tool_use_error>no such tool</tool_use_error>', /^That did not work: no such tool$/],
    ['!Permission to use Bash was denied', /^That was refused: /],
    ['!not today', /^That was refused: not today$/],
    ['!This call was interrupted before it returned a result.', /^That was interrupted before it returned a result\.$/],
    ['!The session was cut off before this call began.', /^That was interrupted before this call began\.$/],
    ['![Request interrupted by user for tool use]', /^That was interrupted\.$/],
    ['!Error: spawn failed', /^That did not work: Error: spawn failed$/],
  ]
  for (const [outcome, text] of failures) {
    test(outcome, () => {
      assert.equal(run(outcome).continues, false)
      assert.match(run(outcome).text, text)
    })
  }
})

describe('plans', () => {
  const steps = [
    { text: 'read a', request: { kind: 'read', path: 'a' } as PracticeIntent },
    { text: 'tidy up', request: { kind: 'unknown' } as PracticeIntent },
  ]
  const statuses = ({ calls }: ReturnType<typeof play>) =>
    calls.flatMap(({ name, input }) =>
      name === 'TodoWrite' ? [(input['todos'] as { status: string }[]).map(({ status }) => status).join(' ')] : [],
    )

  test('step by step; what is not understood is only checked off, and that is said', () => {
    const done = play({ kind: 'plan', steps }, ['ok', '     1→x', 'ok', 'ok'])
    assert.deepEqual(statuses(done), ['in_progress pending', 'completed in_progress', 'completed completed'])
    assert.equal(done.report.continues, true)
    assert.match(done.report.text, /The plan is complete: 2 steps\.[\s\S]*only checked these off[\s\S]*“tidy up”/)
    assert.deepEqual(done.said.at(-1), 'I close the plan.')
  })

  test('stops at a step that fails, with what was done before', () => {
    const done = play({ kind: 'plan', steps }, ['ok', '!gone'])
    assert.equal(done.report.continues, false)
    assert.match(done.report.text, /gone[\s\S]*The plan stopped at “read a”\.$/)
  })

  test('not without the list', () => {
    assert.match(play({ kind: 'plan', steps }, [], without('TodoWrite')).report.text, /TodoWrite/)
    assert.equal(play({ kind: 'plan', steps }, ['!no']).report.continues, false)
  })
})

describe('questions', () => {
  const request: PracticeIntent = { kind: 'ask', question: 'tea or coffee?', options: ['tea', 'coffee'] }

  test('are put with their options', () => {
    const done = play(request, ['You chose tea.'])
    const questions = inputOf(done)?.['questions'] as { question: string; options: { label: string }[] }[] | undefined
    const question = questions?.[0]
    assert.deepEqual(
      [question?.question, question?.options.map(({ label }) => label)],
      ['tea or coffee?', ['tea', 'coffee']],
    )
    assert.equal(done.report.text, 'You chose tea.')
    assert.equal(play(request, ['']).report.text, 'You gave no answer.')
  })

  test('in plain words where nobody can be asked', () => {
    const plain = { continues: false, text: 'A question for you: tea or coffee?' }
    assert.deepEqual(play(request, [], without('AskUserQuestion')).report, plain)
    assert.deepEqual(play(request, ['!Answer questions?']).report, plain)
    assert.match(play(request, ['!no']).report.text, /^That was refused: no$/)
  })
})

test('a plan for the user to approve', () => {
  const request: PracticeIntent = { kind: 'propose', steps: ['look', 'mend'] }
  const done = play(request, ['The user has approved your plan.'])
  assert.deepEqual(done.calls, [{ name: 'ExitPlanMode', input: { plan: '# A plan\n\n1. look\n2. mend\n' } }])
  assert.match(done.report.text, /^You approved the plan\./)
  assert.match(play(request, ['!Not like that']).report.text, /Not like that/)
  assert.match(play(request, [], without('ExitPlanMode')).report.text, /ExitPlanMode/)
})

test('help, and what means nothing', () => {
  assert.match(play({ kind: 'help' }, []).report.text, /practice model[\s\S]*list the files in src/)
  assert.match(play({ kind: 'unknown' }, []).report.text, /I didn't understand “the words”/)
  assert.equal(play({ kind: 'unknown' }, []).report.continues, false)
})
