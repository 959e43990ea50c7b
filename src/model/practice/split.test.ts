import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { splitRequests } from './split.js'

/** What each message is taken for: the kind of every request, with its words. */
const ROWS: [text: string, requests: [kind: string, words: string][]][] = [
  [
    'list the files then read a.txt',
    [
      ['list', 'list the files'],
      ['read', 'read a.txt'],
    ],
  ],
  [
    'list the files, and then read a.txt',
    [
      ['list', 'list the files'],
      ['read', 'read a.txt'],
    ],
  ],
  [
    'list the files; read a.txt',
    [
      ['list', 'list the files'],
      ['read', 'read a.txt'],
    ],
  ],
  [
    'List the files. Read a.txt.',
    [
      ['list', 'List the files'],
      ['read', 'Read a.txt.'],
    ],
  ],
  [
    'list the files, read a.txt and run ls',
    [
      ['list', 'list the files'],
      ['read', 'read a.txt'],
      ['run', 'run ls'],
    ],
  ],
  [
    'list the files\n\nread a.txt',
    [
      ['list', 'list the files'],
      ['read', 'read a.txt'],
    ],
  ],
  [
    'Please do this:\n1. list the files\n2) read a.txt',
    [
      ['list', 'list the files'],
      ['read', 'read a.txt'],
    ],
  ],
  [
    'create a.txt with "x" then run `cat a.txt`',
    [
      ['create', 'create a.txt with "x"'],
      ['run', 'run `cat a.txt`'],
    ],
  ],

  // Text is text unless both sides are requests.
  ['create a.txt with salt and pepper, then stir', [['create', 'create a.txt with salt and pepper, then stir']]],
  ['create a.txt with hello, read me', [['create', 'create a.txt with hello, read me']]],
  [
    'create a.txt with hello then read a.txt',
    [
      ['create', 'create a.txt with hello'],
      ['read', 'read a.txt'],
    ],
  ],
  ['search for salt and pepper', [['search', 'search for salt and pepper']]],
  ['create a.txt with:\nlist the files\nread b', [['create', 'create a.txt with: \nlist the files\nread b']]],

  // A command line keeps its own semicolons.
  ['run cd src; ls; find . -name x', [['run', 'run cd src; ls; find . -name x']]],
  [
    'run ls -a; list the files',
    [
      ['run', 'run ls -a'],
      ['list', 'list the files'],
    ],
  ],
  ['run x && b, c and d', [['run', 'run x && b, c and d']]],
  ['plan: list the files then read a.txt; sing', [['plan', 'plan: list the files then read a.txt; sing']]],

  [
    'list the files\nmake me a sandwich',
    [
      ['list', 'list the files'],
      ['unknown', 'make me a sandwich'],
    ],
  ],
  ['list the files then make me a sandwich', [['unknown', 'list the files then make me a sandwich']]],
  ['', []],
  [' \n... \n', []],
]

describe('splitRequests', () => {
  for (const [text, requests] of ROWS) {
    it(JSON.stringify(text), () => {
      assert.deepEqual(
        splitRequests(text).map(({ request, words }) => [request.kind, words]),
        requests,
      )
    })
  }

  it('reads long prose and endless lists in no time', () => {
    const prose = 'read a and then change it to b in c, or '.repeat(20_000)
    assert.deepEqual(
      splitRequests(prose).map(({ request }) => request.kind),
      ['unknown'],
    )
    assert.equal(splitRequests('list the files\n'.repeat(50_000)).length, 21)
    splitRequests('"'.repeat(20_001) + '“'.repeat(20_000) + '`'.repeat(20_001))
    splitRequests(`change ${'a to b in c '.repeat(160)}`)
  })
})
