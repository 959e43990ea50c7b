import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as diff from 'diff'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { type PatchHunk, structuredPatch } from './structured-patch.js'

describe('structuredPatch', () => {
  const cases: [string, string, string, PatchHunk[]][] = [
    ['nothing', 'a\n', 'a\n', []],
    ['a changed line', 'alpha\nbeta\n', 'alpha\ngamma\n', [hunk(1, 2, 1, 2, [' alpha', '-beta', '+gamma'])]],
    ['from nothing', '', 'created\n', [hunk(1, 0, 1, 1, ['+created'])]],
    ['to nothing', 'a\nb\n', '', [hunk(1, 2, 1, 0, ['-a', '-b'])]],
    [
      'no newline at the end',
      'x\nlast',
      'y\nlast',
      [hunk(1, 2, 1, 2, ['-x', '+y', ' last', '\\ No newline at end of file'])],
    ],
    [
      'three lines of context',
      '1\n2\n3\n4\n5\n6\n7\n8\n9\n',
      '1\n2\n3\n4\nfive\n6\n7\n8\n9\n',
      [hunk(2, 7, 2, 7, [' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'])],
    ],
  ]
  for (const [name, before, after, expected] of cases) {
    it(name, async () => assert.deepEqual(await structuredPatch(before, after), expected))
  }

  it('shows a rewrite as one hunk', async () => {
    const lines = (word: string) => Array.from({ length: 3000 }, (_, i) => `${word} ${i}`)
    const frame = (middle: string[], end: string) =>
      ['a', 'b', 'c', 'd', ...middle, 'e', 'f', 'g', 'h'].join('\n') + end
    const old = lines('old')
    const now = lines('new').slice(1)
    const expected = [
      ...[' b', ' c', ' d'],
      ...old.map((line) => `-${line}`),
      ...now.map((line) => `+${line}`),
      ...[' e', ' f', ' g'],
    ]
    assert.deepEqual(await structuredPatch(frame(old, '\n'), frame(now, '\n')), [hunk(2, 3006, 2, 3005, expected)])
  })

  it('shows a rewrite that ends without a newline', async () => {
    const many = Array.from({ length: 1500 }, (_, i) => String(i))
    assert.deepEqual(await structuredPatch(`${many.join('\n')}\nend`, 'x'), [
      hunk(1, 1501, 1, 1, [
        ...many.map((line) => `-${line}`),
        '-end',
        '\\ No newline at end of file',
        '+x',
        '\\ No newline at end of file',
      ]),
    ])
  })
})

describe('structuredPatch, for any change', () => {
  const line = fc.constantFrom('a', 'b', 'c', '', 'x y')
  const text = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
    .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''))

  it('leads from the old text to the new one', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const hunks = await structuredPatch(before, after)
        const headers = { oldFileName: 'x', newFileName: 'x', oldHeader: undefined, newHeader: undefined }
        assert.equal(diff.applyPatch(before, { ...headers, index: undefined, hunks }), after)
      }),
      { numRuns: byTier({ quick: 125, all: 500, long: 20_000 }) },
    )
  })

  it('is that of the whole texts where one place changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(60), fc.nat(5), fc.array(fc.nat(9), { maxLength: 4 }), async (at, removed, added) => {
        const old = Array.from({ length: 60 }, (_, i) => `line ${i}`)
        const now = [...old]
        now.splice(at, removed, ...added.map((n) => `new ${n}`))
        const [before, after] = [`${old.join('\n')}\n`, `${now.join('\n')}\n`]
        const whole = diff.structuredPatch('', '', before, after, undefined, undefined, { context: 3 })
        assert.deepEqual(await structuredPatch(before, after), whole.hunks)
      }),
    )
  })
})

function hunk(oldStart: number, oldLines: number, newStart: number, newLines: number, lines: string[]): PatchHunk {
  return { oldStart, oldLines, newStart, newLines, lines }
}
