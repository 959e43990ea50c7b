import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLedger } from '../../model/ledger.js'
import type { TranscriptCostLine } from '../../protocol/transcript.js'
import { createCountingIdentity, createTestTranscript } from '../test-conversation.js'
import { persistLedger } from './persist-ledger.js'

const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
const line = (more: Partial<Record<keyof TranscriptCostLine, unknown>>): TranscriptCostLine =>
  ({
    type: 'cost-entry',
    id: 'r1',
    model: 'big',
    usage,
    costUSD: 0.5,
    priced: true,
    prices: '2026',
    durationMs: 40,
    ok: true,
    sessionId: 'session',
    timestamp: '',
    ...more,
  }) as TranscriptCostLine

function start(before: readonly TranscriptCostLine[]) {
  const ledger = createLedger({ prices: { big: { input: 1_000_000, output: 0 } }, newId: () => 'new' })
  const { transcript, lines } = createTestTranscript(createCountingIdentity())
  persistLedger(ledger, before, transcript)
  /** What was written, in short. */
  const written = () =>
    lines.flatMap((one) => (one.type === 'cost-entry' || one.type === 'cost-open' ? [`${one.type} ${one.id}`] : []))
  return { ledger, lines, written }
}

test('what was spent before counts on, but not against what this run may spend', () => {
  const { ledger, written } = start([line({}), line({ id: 'r2', costUSD: 0.25, durationMs: 2 })])
  assert.deepEqual([ledger.all().costUsd, ledger.own().costUsd, ledger.all().apiMs], [0.75, 0, 42])
  assert.equal(ledger.all().modelUsage['big']?.inputTokens, 20)
  assert.deepEqual(written(), [])
})

test('a line that a store gives twice counts once', () => {
  const { ledger } = start([line({}), line({}), line({ type: 'cost-open', costUSD: 0.1 })])
  assert.equal(ledger.all().costUsd, 0.5)
})

test('lines without an id are each their own', () => {
  const { ledger } = start([line({ id: '' }), line({ id: undefined }), line({ id: '' })])
  assert.equal(ledger.all().costUsd, 1.5)
})

test('a request that was cut off counts as far as it is known, and is written down as over', () => {
  const open = line({ type: 'cost-open', id: 'r2', costUSD: 0.125, ok: false })
  const { ledger, written, lines } = start([line({}), open])
  assert.equal(ledger.all().costUsd, 0.625)
  assert.deepEqual(written(), ['cost-entry r2'])
  const [entry] = lines
  assert.ok(entry?.type === 'cost-entry')
  const { timestamp: _, ...rest } = entry
  assert.deepEqual(rest, {
    type: 'cost-entry',
    sessionId: 'session',
    id: 'r2',
    model: 'big',
    usage,
    costUSD: 0.125,
    priced: true,
    prices: '2026',
    durationMs: 40,
    ok: false,
  })
})

test('what a file holds adds up to the same when it is read again', () => {
  const first = start([line({}), line({ type: 'cost-open', id: 'r2', costUSD: 0.125 })])
  const again = first.lines.filter((one): one is TranscriptCostLine => one.type === 'cost-entry')
  const second = start([line({}), line({ type: 'cost-open', id: 'r2', costUSD: 0.125 }), ...again])
  assert.deepEqual([second.ledger.all().costUsd, second.written()], [first.ledger.all().costUsd, []])
})

test('from disk anything may come: what is no number counts as none, and without a model it is nothing', () => {
  const { ledger } = start([
    line({ costUSD: 'much', durationMs: -5, usage: { input_tokens: 'ten' }, prices: 7, priced: undefined }),
    line({ id: 'r2', costUSD: Number.NaN, usage: null }),
    line({ id: 'r3', model: undefined, costUSD: 9 }),
    line({ id: 'r4', model: 5, costUSD: 9 }),
  ])
  assert.deepEqual([ledger.all().costUsd, ledger.all().apiMs >= 0, ledger.unpricedModels()], [0, true, []])
})

test('a model without a price is remembered, and not warned of again', () => {
  const { ledger } = start([line({ model: 'odd', costUSD: 0, priced: false, prices: undefined })])
  assert.deepEqual([ledger.unpricedModels(), ledger.newlyUnpriced()], [['odd'], []])
})

test('from now on each request is written when it is announced and when it is over', () => {
  const { ledger, lines, written } = start([])
  const request = ledger.open('big', true)
  request.announce({ ...usage, output_tokens: 0 })
  request.close(usage, 12.6, true)
  assert.deepEqual(written(), ['cost-open new', 'cost-entry new'])
  const over = lines[1]
  assert.ok(over?.type === 'cost-entry')
  assert.deepEqual([over.durationMs, over.ok, over.longContext, over.prices], [13, true, true, 'settings'])
})
