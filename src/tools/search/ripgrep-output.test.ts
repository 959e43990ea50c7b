/** What ripgrep prints, read: names with anything in them, output that was cut off, remarks, complaints. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { createRipgrepPathReader, parseCounts, parseFileMatches, parseRipgrepErrors } from './ripgrep-output.js'

describe('paths', () => {
  it('end with a NUL, hold anything else, and what was cut off counts for nothing', () => {
    const read = (text: string) => {
      const found: string[] = []
      createRipgrepPathReader((path) => found.push(path))(new TextEncoder().encode(text))
      return found
    }
    assert.deepEqual(read('/a b\0/c\nd\0/cut'), ['/a b', '/c\nd'])
    assert.deepEqual(read(''), [])
    assert.deepEqual(read('/cut'), [])
  })

  it('are the same however the bytes come', () => {
    const path = fc.string({
      unit: fc.constantFrom('a', '/', '\n', 'é', '😀', '\ufeff', ' '),
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(fc.array(path), fc.array(fc.integer({ min: 1, max: 5 })), (paths, cuts) => {
        const bytes = new TextEncoder().encode(paths.map((one) => `${one}\0`).join(''))
        const found: string[] = []
        const read = createRipgrepPathReader((one) => found.push(one))
        let at = 0
        for (const cut of [...cuts, bytes.length]) {
          read(bytes.subarray(at, at + cut))
          at += cut
        }
        assert.deepEqual(found, paths)
      }),
    )
  })
})

describe('counts', () => {
  it('belong to the name before them', () => {
    assert.deepEqual(parseCounts('/a\n1:2\x003\n/b\x0012\n'), [
      { path: '/a\n1:2', count: 3, block: '', time: 0 },
      { path: '/b', count: 12, block: '', time: 0 },
    ])
  })

  it('that were cut off are not told', () => {
    assert.deepEqual(parseCounts('/a\x003\n/b\x001'), [{ path: '/a', count: 3, block: '', time: 0 }])
    assert.deepEqual(parseCounts('/a'), [])
    assert.deepEqual(parseCounts(''), [])
  })
})

describe('blocks', () => {
  const file = (path: string, block: string) => ({ path, count: 0, block, time: 0 })

  it('are the lines of one file each', () => {
    assert.deepEqual(parseFileMatches('/a\x001:x\n2-y\n--\n9:z\n\n/b\n/c\x003:w\n'), [
      file('/a', '1:x\n2-y\n--\n9:z'),
      file('/b\n/c', '3:w'),
    ])
  })

  it('lose a last line that was cut off', () => {
    assert.deepEqual(parseFileMatches('/a\x001:x\n2:y'), [file('/a', '1:x')])
    assert.deepEqual(parseFileMatches('/a\x001:cut'), [])
    assert.deepEqual(parseFileMatches(''), [])
  })

  it('have the remark about binary data without the name in front', () => {
    const remark = 'WARNING: stopped searching binary file after match (found "\\0" byte around offset 7)'
    assert.deepEqual(parseFileMatches(`/a\x001:x\n/a: ${remark}\n`), [file('/a', `1:x\n${remark}`)])
    const matches = 'binary file matches (found "\\0" byte around offset 7)'
    assert.deepEqual(parseFileMatches(`/a: b: ${matches}\n`), [file('/a: b', matches)])
  })

  it('keep a line of a file that only looks like a remark', () => {
    assert.deepEqual(parseFileMatches('/a\x001:x\n/a: not a remark\n'), [file('/a', '1:x\n/a: not a remark')])
    assert.deepEqual(parseFileMatches('no name here\n'), [])
  })
})

describe('complaints', () => {
  it('are about files that could not be read, or about the request', () => {
    const errors = [
      'rg: /secret: Permission denied (os error 13)',
      'rg: IO error for operation on /gone: No such file or directory (os error 2)',
      'rg: IO error for operation on /loop: Too many levels of symbolic links (os error 40)',
      "/w/.gitignore: line 3: error parsing glob '[': unclosed character class",
      'rg: regex parse error:',
      '    (',
      '    ^',
      'error: unclosed group',
    ].join('\n')
    assert.deepEqual(parseRipgrepErrors(errors), {
      unread: ['/secret: Permission denied', '/loop: Too many levels of symbolic links'],
      error: 'regex parse error:\n    (\n    ^\nerror: unclosed group',
    })
  })

  it('are none where there was only nothing to search', () => {
    const nothing =
      "rg: No files were searched, which means ripgrep probably applied a filter you didn't expect.\nRunning with --debug will show why files are being skipped."
    assert.deepEqual(parseRipgrepErrors(nothing), { unread: [], error: '' })
    assert.deepEqual(parseRipgrepErrors(''), { unread: [], error: '' })
  })

  it('come with advice that can be followed, and without advice that can not', () => {
    const { error } = parseRipgrepErrors(
      'rg: the literal "\\n" is not allowed in a regex\n\nConsider enabling multiline mode with the --multiline flag (or -U for short).\nWhen multiline mode is enabled, new line characters can be matched.',
    )
    assert.equal(error, 'the literal "\\n" is not allowed in a regex\nSet multiline to match across lines.')
  })
})
