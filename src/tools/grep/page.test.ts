/** Pages of a result and its three forms: what is shown, what the note says, and that nothing is lost between pages. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import type { FileMatches } from '../search/search-request.js'
import { formatCounts, formatFiles, formatLines } from './format.js'
import { clampToWholeNumber, pageOfResults } from './page.js'

const input = (more: { head_limit?: number; offset?: number; '-n'?: boolean } = {}) => ({ pattern: 'x', ...more })

describe('a page', () => {
  const page = (total: number, more: { head_limit?: number; offset?: number }) =>
    pageOfResults(total, (i) => `${i}`, input(more), 'lines')

  it('holds everything, and then says nothing about itself', () => {
    assert.deepEqual(page(3, {}), { shown: ['0', '1', '2'], note: '', applied: {} })
    assert.deepEqual(page(0, {}), { shown: [], note: '', applied: {} })
    assert.deepEqual(page(3, { head_limit: 3 }), { shown: ['0', '1', '2'], note: '', applied: { appliedLimit: 3 } })
  })

  it('says where it stands', () => {
    assert.deepEqual(page(5, { head_limit: 2, offset: 1 }), {
      shown: ['1', '2'],
      note: '[Showing 2 to 3 of 5 lines]',
      applied: { appliedLimit: 2, appliedOffset: 1 },
    })
    assert.deepEqual(page(5, { offset: 9 }), {
      shown: [],
      note: '[Showing none of 5 lines]',
      applied: { appliedOffset: 9 },
    })
  })

  it('ends where a reader has enough, and says how to go on', () => {
    const long = pageOfResults(5, () => 'x'.repeat(9_999), input(), 'files')
    assert.deepEqual(
      [long.shown.length, long.note],
      [3, '[Showing 1 to 3 of 5 files; set offset to 3 for more, or narrow the search]'],
    )
    // One at least, or nobody would ever come past it.
    const huge = pageOfResults(2, () => 'x'.repeat(50_000), input({ offset: 1 }), 'files')
    assert.deepEqual([huge.shown.length, huge.note], [1, '[Showing 2 to 2 of 2 files]'])
  })

  it('asks only for what it shows', () => {
    const asked: number[] = []
    pageOfResults(1_000, (i) => `${asked.push(i)}`, input({ offset: 5, head_limit: 2 }), 'lines')
    assert.deepEqual(asked, [5, 6])
  })

  it('after page holds all there is, each once', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 12 }), (lengths) => {
        const seen: number[] = []
        for (let offset = 0; offset < lengths.length; ) {
          const { shown, note } = pageOfResults(
            lengths.length,
            (i) => 'x'.repeat(lengths[i] ?? 0),
            input({ offset }),
            'lines',
          )
          shown.forEach((_, i) => void seen.push(offset + i))
          const [, next] = /set offset to (\d+)/.exec(note) ?? []
          offset = next === undefined ? lengths.length : Number(next)
        }
        assert.deepEqual(seen, [...lengths.keys()])
      }),
    )
  })

  it('takes odd numbers for sensible ones', () => {
    assert.deepEqual(
      [undefined, 0, -5, 1.9, Number.NaN, Number.POSITIVE_INFINITY, 1e300].map(clampToWholeNumber),
      [0, 0, 0, 1, 0, 1_000_000_000, 1_000_000_000],
    )
  })
})

const file = (path: string, more: Partial<FileMatches>): FileMatches => ({
  path,
  count: 0,
  block: '',
  time: 0,
  ...more,
})
const nameOf = (path: string) => path.slice('/w/'.length)

describe('a list of files', () => {
  it('names them and counts those that are shown', () => {
    const files = ['/w/a', '/w/b', '/w/c'].map((path) => file(path, {}))
    assert.deepEqual(formatFiles(files, nameOf, input({ head_limit: 2 })), {
      content: 'Found 2 files\na\nb\n\n[Showing 1 to 2 of 3 files]',
      output: { mode: 'files_with_matches', filenames: ['a', 'b'], numFiles: 2, appliedLimit: 2 },
    })
    assert.equal(formatFiles(files.slice(0, 1), nameOf, input()).content, 'Found 1 file\na')
    assert.equal(formatFiles([], nameOf, input()).content, 'No files found')
    assert.equal(
      formatFiles(files, nameOf, input({ offset: 7 })).content,
      'No files found\n\n[Showing none of 3 files]',
    )
  })
})

describe('counts', () => {
  it('are summed over what is shown', () => {
    const files = [file('/w/a', { count: 5 }), file('/w/b', { count: 1 }), file('/w/c', { count: 9 })]
    assert.deepEqual(formatCounts(files, nameOf, input({ offset: 1, head_limit: 1 })), {
      content: 'b:1\n\nFound 1 total occurrence across 1 file.\n\n[Showing 2 to 2 of 3 files]',
      output: {
        mode: 'count',
        numFiles: 1,
        filenames: [],
        content: 'b:1',
        numMatches: 1,
        appliedLimit: 1,
        appliedOffset: 1,
      },
    })
    assert.equal(
      formatCounts(files, nameOf, input()).content,
      'a:5\nb:1\nc:9\n\nFound 15 total occurrences across 3 files.',
    )
    assert.equal(
      formatCounts([], nameOf, input()).content,
      'No matches found\n\nFound 0 total occurrences across 0 files.',
    )
  })
})

describe('lines', () => {
  const files = [file('/w/a', { block: '1:x\n2-y:z\n--\n9:x' }), file('/w/b', { block: '3:12:x' })]
  const lines = (more: Parameters<typeof input>[0], named = true, hasContext = false) =>
    formatLines(files, { nameOf: named ? nameOf : undefined, hasContext }, input(more))

  it('have name and number, and the sign that tells matches from those around them', () => {
    assert.equal(lines({}).content, 'a:1:x\na-2-y:z\n--\na:9:x\nb:3:12:x')
    assert.equal(lines({ '-n': false }).content, 'a:x\na-y:z\n--\na:x\nb:12:x')
    assert.equal(lines({}, false).content, '1:x\n2-y:z\n--\n9:x\n3:12:x')
    assert.equal(lines({ '-n': false }, false).content, 'x\ny:z\n--\nx\n12:x')
  })

  it('of different files are parted where there are lines around them', () => {
    assert.equal(lines({}, true, true).content, 'a:1:x\na-2-y:z\n--\na:9:x\n--\nb:3:12:x')
    assert.equal(lines({}, true, true).output.numLines, 6)
  })

  it('keep a remark about binary data, with the name of its file', () => {
    const binary = [file('/w/a', { block: 'binary file matches (found "\\0" byte around offset 3)' })]
    const shown = (named: boolean) =>
      formatLines(binary, { nameOf: named ? nameOf : undefined, hasContext: false }, input({ '-n': false })).content
    assert.equal(shown(true), 'a: binary file matches (found "\\0" byte around offset 3)')
    assert.equal(shown(false), 'binary file matches (found "\\0" byte around offset 3)')
  })

  it('come in pages', () => {
    assert.deepEqual(lines({ head_limit: 1, offset: 3 }), {
      content: 'a:9:x\n\n[Showing 4 to 4 of 5 lines]',
      output: {
        mode: 'content',
        numFiles: 0,
        filenames: [],
        content: 'a:9:x',
        numLines: 1,
        appliedLimit: 1,
        appliedOffset: 3,
      },
    })
    assert.equal(formatLines([], { nameOf, hasContext: true }, input()).content, 'No matches found')
  })
})
