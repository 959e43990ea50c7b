import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { notUnderstoodText, practiceHelp } from './practice-answer.js'
import type { PracticeToolOutcome } from './read-request.js'
import { type PracticeTestCall, playPracticeTurn } from './test-conversation.js'

const ok = (text: string): PracticeToolOutcome => ({ text, isError: false })
const error = (text: string): PracticeToolOutcome => ({ text, isError: true })

/** The calls a prompt leads to and the last words, with these outcomes in order. */
async function follow(
  prompt: string,
  outcomes: PracticeToolOutcome[],
  tools?: string[],
): Promise<{ calls: PracticeTestCall[]; last?: string }> {
  const { calls, said } = await playPracticeTurn(prompt, (_, index) => outcomes[index] ?? error('too many calls'), {
    tools,
  })
  assert.equal(calls.length, outcomes.length)
  return { calls, last: said.at(-1) }
}

describe('decide', () => {
  it('lists', async () => {
    assert.deepEqual(await follow('list the files in src', [ok('/project/src/a.ts\n/project/src/deep/b.ts')]), {
      calls: [{ name: 'Glob', input: { pattern: './*', path: '/project/src' } }],
      last: 'The files in src:\n  a.ts\n  deep/b.ts',
    })
    assert.equal(
      (await follow('list the *.md files', [ok('No files found')])).last,
      'There are no files matching **/*.md.',
    )
    assert.deepEqual(await follow('list the files in "it\'s"', [ok('a\nb')], ['Bash']), {
      calls: [{ name: 'Bash', input: { command: "ls -A -- '/project/it'\\''s'" } }],
      last: "The files in it's:\n  a\n  b",
    })
  })

  it('reads', async () => {
    assert.deepEqual(
      await follow('read ~/a', [ok('     1→x\n     2→\n\n<system-reminder>\nnote\n</system-reminder>\n')]),
      {
        calls: [{ name: 'Read', input: { file_path: '~/a' } }],
        last: '~/a says:\n  x',
      },
    )
    const long = Array.from({ length: 50 }, (_, i) => `${String(i + 1).padStart(6)}→line`).join('\n')
    const { last } = await follow('read a', [ok(long)])
    assert.equal(last, `a says:\n${'  line\n'.repeat(40)}  … (and more, not shown here)`)
    const empty = '(The file exists but is empty.)'
    assert.equal((await follow('read a', [ok(empty)])).last, 'a is empty.')
    assert.deepEqual(await follow('read a', [ok('x')], ['Bash']), {
      calls: [{ name: 'Bash', input: { command: "cat -- '/project/a'" } }],
      last: 'a says:\n  x',
    })
  })

  it('searches for the text as it is', async () => {
    assert.deepEqual(await follow('search for `a(b)` in src', [ok('src/x.ts:2:a(b)')]), {
      calls: [{ name: 'Grep', input: { pattern: 'a\\(b\\)', path: '/project/src', output_mode: 'content' } }],
      last: '“a(b)” occurs here:\n  src/x.ts:2:a(b)',
    })
    assert.equal((await follow('search for x', [ok('No matches found')])).last, '“x” occurs nowhere.')
    const { calls } = await follow('search for x', [ok('')], ['Bash'])
    assert.deepEqual(calls, [{ name: 'Bash', input: { command: "grep -rnF -e 'x' -- '/project'" } }])
  })

  it('creates, but only writes over a file when asked to write', async () => {
    const write = { name: 'Write', input: { file_path: '/project/a.txt', content: 'hi' } }
    const exists = error(
      '<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>',
    )
    assert.deepEqual(await follow('create a.txt with hi', [ok('File created successfully at: /project/a.txt')]), {
      calls: [write],
      last: 'File created successfully at: /project/a.txt',
    })
    assert.deepEqual(await follow('create a.txt with hi', [exists]), {
      calls: [write],
      last: 'a.txt exists already, so I left it as it is. To replace it, say: write … to a.txt',
    })
    assert.deepEqual(await follow('write hi to a.txt', [exists, ok('     1→old'), ok('Updated.')]), {
      calls: [write, { name: 'Read', input: { file_path: '/project/a.txt' } }, write],
      last: 'Updated.',
    })
  })

  it('reads before it edits or appends', async () => {
    const file_path = '/project/a.txt'
    assert.deepEqual(await follow('replace all x with y in a.txt', [ok('     1→x x'), ok('Updated.')]), {
      calls: [
        { name: 'Read', input: { file_path } },
        { name: 'Edit', input: { file_path, old_string: 'x', new_string: 'y', replace_all: true } },
      ],
      last: 'Updated.',
    })
    assert.deepEqual(await follow('append y to a.txt', [ok('     1→x\n     2→'), ok('Updated.')]), {
      calls: [
        { name: 'Read', input: { file_path, limit: 2000 } },
        { name: 'Edit', input: { file_path, old_string: 'x\n', new_string: 'x\ny\n' } },
      ],
      last: 'Updated.',
    })
    const long = Array.from({ length: 2000 }, (_, i) => `${String(i + 1).padStart(6)}→x`).join('\n')
    assert.equal(
      (await follow('append y to a.txt', [ok(long)])).last,
      'a.txt is too long for me: I do not see its end.',
    )
    const missing = error('File does not exist. Note: your current working directory is /project.')
    assert.equal((await follow('replace x with y in a.txt', [missing])).last, `That did not work: ${missing.text}`)
  })

  it('runs commands and tells failures from refusals', async () => {
    const last = async (outcome: PracticeToolOutcome) => (await follow('run make', [outcome])).last
    assert.equal(await last(ok('built')), 'The command printed:\n  built')
    assert.equal(await last(ok('')), 'The command printed nothing.')
    assert.equal(
      await last(error('Exit code 2\nno rule')),
      'The command failed with exit code 2 and printed:\n  no rule',
    )
    assert.equal(await last(error('Exit code 1')), 'The command failed with exit code 1 and printed nothing.')
    assert.equal(await last(error('not today')), 'That was refused: not today')
    assert.equal(await last(error('The user said no')), 'That was refused: The user said no')
    assert.equal(await last(error('Cannot find module x')), 'That did not work: Cannot find module x')
    assert.equal(
      await last(error('The command uses a file: Permission to use Bash has been denied.')),
      'That was refused: The command uses a file: Permission to use Bash has been denied.',
    )
    assert.equal(await last(error('<tool_use_error>empty</tool_use_error>')), 'That did not work: empty')
  })

  it('plans, does what it understands, and says what it did not do', async () => {
    const { calls, last } = await follow('plan: run ls, dream', [ok(''), ok('a'), ok(''), ok('')])
    const todos = (...status: string[]) => ({
      name: 'TodoWrite',
      input: {
        todos: ['run ls', 'dream'].map((content, i) => ({
          content,
          status: status[i],
          activeForm: `Working on: ${content}`,
        })),
      },
    })
    assert.deepEqual(calls, [
      todos('in_progress', 'pending'),
      { name: 'Bash', input: { command: 'ls' } },
      todos('completed', 'in_progress'),
      todos('completed', 'completed'),
    ])
    assert.equal(
      last,
      'The command printed:\n  a\n\nThe plan is complete: 2 steps.\n\nI only checked these off, without doing anything, because I do not understand them: “dream”.',
    )
    const stopped = await follow('plan: run ls, dream', [ok(''), error('no')])
    assert.equal(stopped.last, 'That was refused: no\n\nThe plan stopped at “run ls”.')
  })

  it('asks with the tool, or in plain text', async () => {
    assert.deepEqual(await follow('ask me: tea or coffee?', [ok('You answered: tea')]), {
      calls: [
        {
          name: 'AskUserQuestion',
          input: {
            questions: [
              {
                question: 'tea or coffee?',
                header: 'Question',
                options: [
                  { label: 'tea', description: 'Answer with tea' },
                  { label: 'coffee', description: 'Answer with coffee' },
                ],
                multiSelect: false,
              },
            ],
          },
        },
      ],
      last: 'You answered: tea',
    })
    const headless = await follow('ask me: tea or coffee?', [error('Answer questions?')])
    assert.equal(headless.last, 'A question for you: tea or coffee?')
    const none = () => ok('')
    const first = await playPracticeTurn('ask me: tea or coffee?', none, { tools: [] })
    assert.deepEqual(first.said, ['A question for you: tea or coffee?'])
    const second = await playPracticeTurn('tea', none, { tools: [], before: first.messages })
    assert.deepEqual(second.said, ['You answered “tea”. I am the practice model, so nothing follows from it.'])
    const third = await playPracticeTurn('tea', none, { tools: [], before: second.messages })
    assert.deepEqual(third.said, [notUnderstoodText('tea')])
  })

  it('carries out several requests, and stops at the first that does not come off', async () => {
    const prompt = 'read a then run b then list the files'
    assert.deepEqual((await follow(prompt, [ok('     1→x'), ok('y'), ok('/project/a')])).last?.split('\n\n'), [
      'a says:\n  x',
      'The command printed:\n  y',
      'The files:\n  a',
    ])
    assert.deepEqual((await follow(prompt, [ok('     1→x'), error('no')])).last?.split('\n\n'), [
      'a says:\n  x',
      'That was refused: no',
      'I stopped there. Not done: “list the files”.',
    ])
  })

  it('is honest about what it does not know or have', async () => {
    assert.equal((await follow('Write me a poem', [])).last, notUnderstoodText('Write me a poem'))
    assert.equal((await follow('help', [])).last, practiceHelp())
    assert.equal(
      (await follow('run ls', [], ['Read'])).last,
      'I would need the tool Bash for that, which this session does not have.',
    )
    const many = Array.from({ length: 20 }, () => ok('x'))
    assert.match((await follow('run x\n'.repeat(21), many)).last ?? '', /20 requests of one message at most/)
  })
})
