import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitForPendingWork } from '../test-answering-server.js'
import type { ListedKind, ListKind } from './list-offer.js'
import { createListRefresher } from './refresh-lists.js'

type Found = ListedKind

/** Every question waits until the test answers it. */
function start() {
  const asked: { kind: ListKind; answer(found: Found): void; fail(problem: unknown): void }[] = []
  const found: unknown[] = []
  const state = { isCurrent: true, hasServer: true }
  const refresh = createListRefresher({
    list: (kind) =>
      state.hasServer ? new Promise<Found>((answer, fail) => void asked.push({ kind, answer, fail })) : undefined,
    isCurrent: () => state.isCurrent,
    onFound: ({ part, notes }) => void found.push([part, notes]),
  })
  return { refresh, asked, found, state }
}
const listed = (note: string): Found => ({ kind: 'tools', part: { tools: [] }, notes: [note], freshMs: 0 })
const nothing: Found = { kind: 'tools', part: {}, notes: [], freshMs: 0 }

test('any number of changes while a list is read make it be read once more, not once each', async () => {
  const { refresh, asked, found } = start()
  void refresh('tools')
  void refresh('tools')
  void refresh('tools')
  assert.equal(asked.length, 1)
  asked[0]?.answer(listed('old'))
  await waitForPendingWork()
  assert.equal(asked.length, 2)
  asked[1]?.answer(listed('new'))
  await waitForPendingWork()
  assert.equal(asked.length, 2)
  assert.deepEqual(found, [
    [{ tools: [] }, ['old']],
    [{ tools: [] }, ['new']],
  ])
  void refresh('tools')
  assert.equal(asked.length, 3, 'a later change is read again')
})

test('lists of different kinds do not wait for each other', () => {
  const { refresh, asked } = start()
  void refresh('tools')
  void refresh('prompts')
  assert.deepEqual(
    asked.map(({ kind }) => kind),
    ['tools', 'prompts'],
  )
})

test('what an old connection found is dropped, and it is not asked again', async () => {
  const { refresh, asked, found, state } = start()
  const done = refresh('resources')
  void refresh('resources')
  state.isCurrent = false
  asked[0]?.answer(nothing)
  await done
  assert.deepEqual([asked.length, found], [1, []])
})

test('a list that can not be read is a note; nobody to ask is nothing', async () => {
  const { refresh, asked, found, state } = start()
  const done = refresh('tools')
  asked[0]?.fail(new Error('went wrong'))
  await done
  assert.deepEqual(found, [[{}, ['went wrong']]])
  state.hasServer = false
  await refresh('tools')
  assert.equal(found.length, 1)
})
