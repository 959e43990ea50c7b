import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { parsePracticeIntent } from './grammar.js'
import { ABILITY_EXAMPLES } from './practice-answer.js'
import type { PracticeIntent } from './practice-request.js'
import { takeOutQuotes } from './quoting.js'

const read = (text: string): PracticeIntent => {
  const quoted = takeOutQuotes(text)
  return parsePracticeIntent(quoted.text, quoted)
}
const all = '**/*'

const ROWS: [text: string, request: PracticeIntent][] = [
  ['help', { kind: 'help' }],
  ['What can you do?', { kind: 'help' }],

  ['propose a plan: tidy up, then test', { kind: 'propose', steps: ['tidy up', 'test'] }],
  ['present the plan for today: one; two', { kind: 'propose', steps: ['one', 'two'] }],

  ['list the files', { kind: 'list', pattern: all }],
  ['Please list all files here.', { kind: 'list', pattern: all }],
  ['show me the files in this folder', { kind: 'list', pattern: all }],
  ['which files are there?', { kind: 'list', pattern: all }],
  ['ls', { kind: 'list', pattern: all }],
  ['list the files in src', { kind: 'list', pattern: all, path: 'src' }],
  ['list the files in the folder src/deep.', { kind: 'list', pattern: all, path: 'src/deep' }],
  ['list the files in "my folder"', { kind: 'list', pattern: all, path: 'my folder' }],
  ['list src', { kind: 'list', pattern: all, path: 'src' }],
  ['list the files in .', { kind: 'list', pattern: all, path: '.' }],
  ['list the files in ..', { kind: 'list', pattern: all, path: '..' }],
  ['list the *.ts files in src', { kind: 'list', pattern: '**/*.ts', path: 'src' }],
  ['find all files named *.md', { kind: 'list', pattern: '**/*.md' }],
  ['find files matching src/*.ts', { kind: 'list', pattern: 'src/*.ts' }],

  ['read notes.txt', { kind: 'read', path: 'notes.txt' }],
  ['Could you please read the file notes.txt?', { kind: 'read', path: 'notes.txt' }],
  ['show me the contents of README', { kind: 'read', path: 'README' }],
  ['open `my notes.txt`.', { kind: 'read', path: 'my notes.txt' }],
  ['what is in notes.txt?', { kind: 'read', path: 'notes.txt' }],
  ["What's in notes.txt?", { kind: 'read', path: 'notes.txt' }],
  ['what does notes.txt say?', { kind: 'read', path: 'notes.txt' }],
  ['read /etc/hosts thanks!', { kind: 'read', path: '/etc/hosts' }],

  ['search for TODO', { kind: 'search', text: 'TODO' }],
  ['search for "to do" in src', { kind: 'search', text: 'to do', path: 'src' }],
  ['search src for TODO', { kind: 'search', text: 'TODO', path: 'src' }],
  ['search for milk in all files.', { kind: 'search', text: 'milk' }],
  ['find the word milk in notes.txt', { kind: 'search', text: 'milk', path: 'notes.txt' }],
  ['where is createServer?', { kind: 'search', text: 'createServer' }],

  ['create notes.txt with Hello there.', { kind: 'create', path: 'notes.txt', content: 'Hello there.' }],
  ['create notes.txt with yes please', { kind: 'create', path: 'notes.txt', content: 'yes please' }],
  ['create a file called notes containing "a then b; c"', { kind: 'create', path: 'notes', content: 'a then b; c' }],
  ['make a new file a/b.txt that says hi', { kind: 'create', path: 'a/b.txt', content: 'hi' }],
  ['create an empty file called x.txt', { kind: 'create', path: 'x.txt', content: '' }],
  ['create x.txt', { kind: 'create', path: 'x.txt', content: '' }],
  [
    'create a.js with ```js\nconst a = `b`\nread a\n```',
    { kind: 'create', path: 'a.js', content: 'const a = `b`\nread a\n' },
  ],
  [
    'create notes.txt with these lines:\nread me\n"then" run',
    { kind: 'create', path: 'notes.txt', content: 'read me\n"then" run' },
  ],
  ['create notes.txt with:\none\ntwo', { kind: 'create', path: 'notes.txt', content: 'one\ntwo' }],
  ['write hello to greeting.txt', { kind: 'write', path: 'greeting.txt', content: 'hello' }],
  ['put "to be" into a file called hamlet', { kind: 'write', path: 'hamlet', content: 'to be' }],
  ['overwrite a.txt with b', { kind: 'write', path: 'a.txt', content: 'b' }],

  ['replace a with b in x.txt', { kind: 'edit', path: 'x.txt', from: 'a', to: 'b', all: false }],
  [
    'change "a to b" to "c in d" in `the file.txt`',
    { kind: 'edit', path: 'the file.txt', from: 'a to b', to: 'c in d', all: false },
  ],
  ['replace all cats with dogs in x.txt', { kind: 'edit', path: 'x.txt', from: 'cats', to: 'dogs', all: true }],
  ['in x.txt, change a to b', { kind: 'edit', path: 'x.txt', from: 'a', to: 'b', all: false }],
  ['replace "a" with "" in x.txt', { kind: 'edit', path: 'x.txt', from: 'a', to: '', all: false }],
  ['append bye to x.txt', { kind: 'append', path: 'x.txt', content: 'bye' }],
  ['add the line "see to it" to the end of x.txt', { kind: 'append', path: 'x.txt', content: 'see to it' }],

  ['run npm test', { kind: 'run', command: 'npm test' }],
  ['run npm test please.', { kind: 'run', command: 'npm test' }],
  ['run the command `echo "hi" | wc -l`', { kind: 'run', command: 'echo "hi" | wc -l' }],
  ['execute: echo "it\'s"', { kind: 'run', command: 'echo "it\'s"' }],
  ['run git add .', { kind: 'run', command: 'git add .' }],

  ['ask me: tea or coffee?', { kind: 'ask', question: 'tea or coffee?', options: ['tea', 'coffee'] }],
  [
    'ask me which drink I want: tea, coffee, or water',
    { kind: 'ask', question: 'which drink I want: tea, coffee, or water', options: ['tea', 'coffee', 'water'] },
  ],
  ['ask me whether I am sure', { kind: 'ask', question: 'whether I am sure', options: ['Yes', 'No'] }],
  [
    'plan: list the files, read "a, b.txt" and then tidy up',
    {
      kind: 'plan',
      steps: [
        { text: 'list the files', request: { kind: 'list', pattern: all } },
        { text: 'read "a, b.txt"', request: { kind: 'read', path: 'a, b.txt' } },
        { text: 'tidy up', request: { kind: 'unknown' } },
      ],
    },
  ],
  [
    'make a plan to build a house:\n1. read a.txt\n2. sing',
    {
      kind: 'plan',
      steps: [
        { text: 'read a.txt', request: { kind: 'read', path: 'a.txt' } },
        { text: 'sing', request: { kind: 'unknown' } },
      ],
    },
  ],
  [
    'plan cook and eat',
    {
      kind: 'plan',
      steps: [
        { text: 'cook', request: { kind: 'unknown' } },
        { text: 'eat', request: { kind: 'unknown' } },
      ],
    },
  ],
]

/** A wrong guess would write or run something. */
const UNKNOWN = [
  '',
  'Hi',
  'What is the meaning of life?',
  'make dinner',
  'create happiness',
  'make a cake with chocolate',
  'create a file with hello',
  'create a folder called src',
  'write a poem to mom',
  'run the tests',
  'run `ls` in src',
  'plan',
  `read ${'x'.repeat(3000)} y`,
]

describe('readRequest', () => {
  for (const [text, request] of ROWS) it(JSON.stringify(text), () => assert.deepEqual(read(text), request))
  for (const text of UNKNOWN) {
    it(`does not understand ${JSON.stringify(text.slice(0, 40))}`, () =>
      assert.deepEqual(read(text), { kind: 'unknown' }))
  }

  it('understands everything it offers', () => {
    assert.deepEqual(
      ABILITY_EXAMPLES.map((ability) => read(ability).kind),
      ['list', 'read', 'search', 'create', 'edit', 'append', 'run', 'plan', 'ask', 'propose'],
    )
  })

  it('takes any quoted text as it is', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((value) => !/["\n]/.test(value))
    fc.assert(
      fc.property(text, text, text, (path, from, to) => {
        const request = read(`replace "${from}" with "${to}" in "${path}"`)
        assert.deepEqual(request, { kind: 'edit', path, from, to, all: false })
      }),
    )
  })
})
