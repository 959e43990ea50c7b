import assert from 'node:assert/strict'
import { it } from 'node:test'
import { previewChange } from './preview-change.js'

it('shows both texts and counts the lines', async () => {
  assert.deepEqual(await previewChange('/x', 'a\nb\nc\n', 'a\nB\nc\nd\n'), {
    type: 'diff',
    path: '/x',
    oldText: 'a\nb\nc\n',
    newText: 'a\nB\nc\nd\n',
    added: 2,
    removed: 1,
  })
})

it('a new file has no old text; an empty one has', async () => {
  const made = await previewChange('/x', null, 'a\n')
  assert.ok(made.type === 'diff')
  assert.deepEqual([made.oldText, made.added, made.removed], [null, 1, 0])
  const filled = await previewChange('/x', '', 'a\n')
  assert.equal(filled.type === 'diff' && filled.oldText, '')
})

it('is at most half a million characters, and says so when it is not all', async () => {
  const long = 'line\n'.repeat(120_000)
  const preview = await previewChange('/x', long, `${long}more\n`)
  assert.ok(preview.type === 'diff' && preview.cut)
  assert.ok((preview.oldText?.length ?? 0) + preview.newText.length <= 500_000)
  assert.deepEqual([preview.added, preview.removed], [1, 0])
  assert.equal('cut' in (await previewChange('/x', 'a', 'b')), false)
})
