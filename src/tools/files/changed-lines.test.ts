import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeChangedLines } from './changed-lines.js'
import { structuredPatch } from './structured-patch.js'

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join('')

test('a change is told by the lines it left, and by those it found where they differ', async () => {
  const base = lines(1, 30)
  const cases: [string, string, string][] = [
    [base, base, ''],
    [base, base.replace('line 7\n', 'seven\n'), 'Changed: line 7.'],
    [base, base.replace('line 7\nline 8\n', 'a\nb\nc\n'), 'Changed: lines 7-9 (was 7-8).'],
    [base, base.replace('line 7\n', 'a\nline 7\n'), 'Changed: line 7 (new).'],
    [base, base.replace('line 7\nline 8\n', ''), 'Changed: 2 lines removed after line 6.'],
    [
      base,
      base.replace('line 7\n', '').replace('line 20\n', 'x\ny\n'),
      'Changed: line removed after line 6; lines 19-20 (was 20).',
    ],
    ['', 'a\nb\n', 'Changed: lines 1-2 (new).'],
    ['a', 'b', 'Changed: line 1.'],
  ]
  for (const [before, after, text] of cases)
    assert.equal(describeChangedLines(await structuredPatch(before, after)), text)
  const every = base.replace(/line (\d*[05])\n/g, 'x\n')
  assert.match(describeChangedLines(await structuredPatch(base, every)), /^Changed: line 5; .*; and 1 more places\.$/)
})
