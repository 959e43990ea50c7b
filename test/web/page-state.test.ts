/** Small decisions of the page: where an address leads, what was answered in words, what a token may be offered. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signal } from '@preact/signals'
import type { Ask, RuleSuggestion, SignedInCaller } from '../../web/state/server-types.js'
import { installPage } from './page-globals.js'

installPage()
const { parseRoute: placeOf, toSessionLink } = await import('../../web/state/route.js')
const { answerText } = await import('../../web/views/answer-text.js')
const { canEditToolInput, listOfferedRuleSuggestions } = await import('../../web/cards/caller-permissions.js')
const { serverClient: client } = await import('../../web/state/server.js')
const { completionsFor } = await import('../../web/composer/completions.js')

const { readStatusWithFailure } = await import('../../web/state/all-sessions.js')

test('a session that rests after a failed turn is shown as failed, and one at work as what it does', () => {
  for (const [status, shown] of [
    ['done', 'error'],
    ['idle', 'error'],
    ['running', 'running'],
    ['needs-you', 'needs-you'],
  ] as const) {
    assert.equal(readStatusWithFailure({ status, lastTurn: 'failed' }), shown)
    assert.equal(readStatusWithFailure({ status }), status)
  }
})

const rule = (name: string): RuleSuggestion => ({
  rule: name,
  scope: 'project' as const,
  update: {
    type: 'addRules',
    rules: [{ toolName: 'Bash', ruleContent: name }],
    behavior: 'allow',
    destination: 'localSettings',
  },
})
const ask: Ask = {
  id: 'a1',
  session: 's1',
  kind: 'permission',
  agent: [],
  since: '',
  why: { layer: 'tool', text: '' },
  suggestions: [rule('npm test'), rule('npm run')],
  tool: { name: 'Bash', input: { command: 'npm test' }, hash: 'h', useId: 'c1' },
}

describe('places', () => {
  const places: [hash: string, place: ReturnType<typeof placeOf>][] = [
    ['', { view: 'home' }],
    ['#/', { view: 'home' }],
    ['#/nowhere', { view: 'home' }],
    ['#/inbox', { view: 'inbox' }],
    ['#/new', { view: 'new' }],
    ['#/search?text=a%20b%26c', { view: 'search', text: 'a b&c' }],
    ['#/search', { view: 'search', text: '' }],
    ['#/s/abc', { view: 'session', id: 'abc' }],
    ['#/s/abc?ask=q1', { view: 'session', id: 'abc', ask: 'q1' }],
    ['#/s/abc?seq=12', { view: 'session', id: 'abc', seq: 12 }],
    ['#/s/abc?seq=-1', { view: 'session', id: 'abc' }],
    ['#/s/abc?seq=x', { view: 'session', id: 'abc' }],
    ['#/s/abc/replay?seq=3', { view: 'replay', id: 'abc', seq: 3 }],
    ['#/s/abc/details', { view: 'session', id: 'abc', isDetails: true }],
    ['#/s/', { view: 'home' }],
  ]
  for (const [hash, place] of places)
    test(hash || '(none)', () => {
      assert.deepEqual(placeOf(hash), place)
    })

  test('a link to a session leads there', () => {
    assert.deepEqual(placeOf(toSessionLink('abc', '?ask=q1')), { view: 'session', id: 'abc', ask: 'q1' })
  })
})

describe('what was answered, in words', () => {
  test('allowed: once, with other values, or from now on with the rules that were chosen', () => {
    const [first] = ask.suggestions
    assert.ok(first)
    assert.equal(answerText(ask, { kind: 'allow' }), 'Allowed Bash once')
    assert.equal(answerText(ask, { kind: 'allow', input: { command: 'ls' } }), 'Allowed Bash with an edited input')
    assert.equal(
      answerText(ask, { kind: 'allow', updates: [first.update] }),
      'Allowed Bash. Also allowed from now on: npm test',
    )
    // A rule that was not offered is not passed off as one that was.
    assert.equal(answerText(ask, { kind: 'allow', updates: [rule('rm').update] }), 'Allowed Bash once')
  })

  test('denied, with the message on one line and without controls', () => {
    assert.equal(answerText(ask, { kind: 'deny' }), 'Denied Bash')
    assert.equal(answerText(ask, { kind: 'deny', message: 'Not\nnow\u001b[31m.' }), 'Denied Bash: Not now.')
  })

  test('questions, plans and forms', () => {
    const answers = { 'Which?': 'Left', 'What?': ['a', 'b'] }
    assert.equal(answerText(ask, { kind: 'answers', answers }), 'Answered: Left · a, b')
    assert.match(
      answerText(ask, { kind: 'approve', mode: 'acceptEdits', plan: 'x' }),
      /^Approved the plan as edited, continuing in “.+”$/,
    )
    assert.equal(answerText(ask, { kind: 'approve' }), 'Approved the plan')
    assert.equal(answerText(ask, { kind: 'revise', comments: '' }), 'Sent the plan back')
    assert.equal(answerText(ask, { kind: 'revise', comments: 'Smaller.' }), 'Sent the plan back: Smaller.')
    assert.equal(answerText(ask, { kind: 'elicitation', action: 'decline' }), 'Declined the request')
  })
})

describe('what a token is offered', () => {
  const as = (...scopes: string[]): SignedInCaller => ({ id: 'p', name: 'Ada', scopes })

  test('with admin the rules as they are, without it for the session only', () => {
    assert.deepEqual(listOfferedRuleSuggestions(ask, as('admin')), ask.suggestions)
    const offered = listOfferedRuleSuggestions(ask, as('answer'))
    assert.deepEqual(
      offered.map(({ rule: name, scope }) => [name, scope]),
      [
        ['npm test', 'session'],
        ['npm run', 'session'],
      ],
    )
    for (const { update } of offered) assert.equal('destination' in update && update.destination, 'session')
    // What was offered to others is still what it was.
    assert.equal(ask.suggestions[0]?.scope, 'project')
  })

  test('an input may be edited by those who may send prompts', () => {
    for (const [scopes, may] of [
      [['admin'], true],
      [['prompt'], true],
      [['answer', 'read'], false],
      [[], false],
    ] as const)
      assert.equal(canEditToolInput(as(...scopes)), may, scopes.join())
    assert.equal(canEditToolInput(undefined), false)
  })
})

describe('what is offered while somebody writes', () => {
  const asked: string[] = []
  const me = signal<SignedInCaller | undefined>(undefined)
  const answers: Record<string, object> = {
    '/v1/sessions/s1/commands': {
      commands: [
        { name: 'compact', description: 'Summarize' },
        { name: 'Review', description: 'Look' },
      ],
    },
    '/v1/sessions/s1/files?text=sr%2Fa%3F&limit=8': { files: ['sr/a?.ts', 'my sr/a?b.ts'] },
  }
  const { fetch: before } = globalThis
  const fake = async (address: string) => {
    const { pathname, search } = new URL(address)
    const path = `${pathname}${search}`
    asked.push(path)
    const answer = answers[path]
    return Response.json(answer ?? { code: 'not_found' }, { status: answer ? 200 : 404 })
  }
  const completed = async (text: string, session = 's1') => {
    Object.assign(globalThis, { fetch: fake })
    try {
      return (await completionsFor({ client, me }, session, text, ['clear', 'compact'])).map(
        ({ text: one, length }) => [one, length],
      )
    } finally {
      Object.assign(globalThis, { fetch: before })
    }
  }

  test('commands at the very beginning, whatever their case, asked for once', async () => {
    assert.deepEqual(await completed('/'), [
      ['/compact', 1],
      ['/Review', 1],
      ['/btw', 1],
      ['/reload', 1],
    ])
    assert.deepEqual(await completed('/rev'), [['/Review', 4]])
    assert.deepEqual(await completed('/nothing'), [])
    assert.equal(asked.filter((path) => path.endsWith('/commands')).length, 1)
    for (const words of ['see /rev', '/review it', '']) assert.deepEqual(await completed(words), [], words)
  })

  test('files after an @, with what was written of them', async () => {
    assert.deepEqual(await completed('look at @sr/a?'), [
      ['@sr/a?.ts', 6],
      ['@my sr/a?b.ts', 6],
    ])
    // An address of mail is none, and a server that can't say offers nothing.
    assert.deepEqual(await completed('ada@sr/a?'), [])
    assert.deepEqual(await completed('@unknown'), [])
  })

  test('where the server can’t say, the names the session has; on other machines nothing is asked', async () => {
    assert.deepEqual(await completed('/c', 's2'), [
      ['/clear', 2],
      ['/compact', 2],
    ])
    me.value = { id: 'p', name: 'Ada', scopes: [], isCluster: true }
    asked.splice(0)
    assert.deepEqual(await completed('/cl', 's3'), [['/clear', 3]])
    assert.deepEqual([await completed('@a', 's3'), asked], [[], []])
  })
})
