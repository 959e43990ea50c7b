import assert from 'node:assert/strict'
import { chmod, readdir, readFile, readlink, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { readTool } from '../read/read.js'
import { createTestContext, type TestContext } from '../test-context.js'
import { editTool } from './edit.js'
import type { FileEditInput } from './edit-shapes.js'

describe('Edit', () => {
  let test: TestContext
  beforeEach(async () => {
    test = await createTestContext()
  })
  afterEach(() => test.dispose())

  const at = (name: string) => join(test.folder, name)
  const put = async (name: string, content: string | Uint8Array) => {
    await writeFile(at(name), content)
    await readTool.execute({ file_path: at(name) }, test.context)
    return at(name)
  }
  const input = (file_path: string, old_string: string, new_string: string, replace_all = false): FileEditInput => ({
    replace_all,
    file_path,
    old_string,
    new_string,
  })
  const edit = (...args: Parameters<typeof input>) => editTool.execute(input(...args), test.context)
  /** Both looks must refuse alike, and the file must stay as it is. */
  const refusal = async (...args: Parameters<typeof input>) => {
    const before = await readFile(args[0]).catch(() => undefined)
    const checked = await editTool.check?.(input(...args), test.context)
    assert.deepEqual(await edit(...args), { ok: false, error: checked })
    assert.deepEqual(await readFile(args[0]).catch(() => undefined), before)
    return checked
  }

  it('replaces one place', async () => {
    const path = await put('a.txt', 'alpha\nbeta\n')
    assert.equal(await editTool.check?.(input(path, 'beta', 'gamma'), test.context), undefined)
    assert.deepEqual(await edit(path, 'beta', 'gamma'), {
      ok: true,
      content: `The file ${path} has been updated successfully. Changed: line 2.`,
      output: {
        filePath: path,
        oldString: 'beta',
        newString: 'gamma',
        originalFile: 'alpha\nbeta\n',
        structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' alpha', '-beta', '+gamma'] }],
        userModified: false,
        replaceAll: false,
      },
    })
    assert.equal(await readFile(path, 'utf8'), 'alpha\ngamma\n')
    assert.equal((await edit(path, 'gamma', 'delta')).ok, true)
    assert.deepEqual(await readdir(test.folder), ['a.txt'])
  })

  it('replaces all', async () => {
    const path = await put('two.txt', 'x\nx\nlast')
    assert.deepEqual(await edit(path, 'x', 'y', true), {
      ok: true,
      content: `The file ${path} has been updated. All occurrences of 'x' were successfully replaced with 'y'. Changed: lines 1-2.`,
      output: {
        filePath: path,
        oldString: 'x',
        newString: 'y',
        originalFile: 'x\nx\nlast',
        structuredPatch: [
          {
            oldStart: 1,
            oldLines: 3,
            newStart: 1,
            newLines: 3,
            lines: ['-x', '-x', '+y', '+y', ' last', '\\ No newline at end of file'],
          },
        ],
        userModified: false,
        replaceAll: true,
      },
    })
  })

  it('makes a new file from an empty old_string', async () => {
    const path = at('new/n.txt')
    assert.deepEqual(await edit(path, '', 'created\n'), {
      ok: true,
      content: `The file ${path} has been updated successfully.`,
      output: {
        filePath: path,
        oldString: '',
        newString: 'created\n',
        originalFile: '',
        structuredPatch: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ['+created'] }],
        userModified: false,
        replaceAll: false,
      },
    })
    assert.equal(await readFile(path, 'utf8'), 'created\n')
    assert.equal((await edit(path, 'created', 'changed')).ok, true)
  })

  it('fills an empty file that was read', async () => {
    const path = await put('empty.txt', '')
    assert.equal((await edit(path, '', 'filled')).ok, true)
    assert.equal(await readFile(path, 'utf8'), 'filled')
  })

  it('T32 refuses with the reason, and leaves the file alone: nothing to replace, no change, not found, found twice', async () => {
    const path = await put('two.txt', 'x\nx\n')
    assert.equal(await refusal(path, 'zz', 'y'), 'String to replace not found in file.\nString: zz')
    assert.match(
      (await refusal(path, 'x', 'y')) ?? '',
      /^Found 2 matches of the string to replace, but replace_all is false\. .+\nString: x\nFound at lines 1, 2\.$/,
    )
    const same = 'No changes to make: old_string and new_string are exactly the same.'
    assert.equal(await refusal(path, 'x', 'x'), same)
    assert.equal(await refusal(at('none.txt'), '', ''), same)
    assert.match((await refusal(path, '', 'y')) ?? '', /^old_string is empty, but the file already has content\./)
    assert.equal(
      await refusal(at('none.txt'), 'a', 'b'),
      `File does not exist. Note: your current working directory is ${test.folder}.`,
    )
    assert.equal(
      await refusal(test.folder, 'a', 'b'),
      `EISDIR: illegal operation on a directory, read '${test.folder}'. That is a folder: list it with Glob "${test.folder}/*".`,
    )
    assert.equal(await refusal('a\0', 'a', 'b'), 'The path contains a NUL character.')
    await symlink('nowhere', at('link'))
    assert.equal(await refusal(at('link'), '', 'x'), `The path is a symbolic link that leads nowhere: ${at('link')}`)
  })

  it('T33 must have read the file, and as it is now', async () => {
    await writeFile(at('a.txt'), 'one')
    assert.equal(
      await refusal(at('a.txt'), 'one', 'two'),
      'File has not been read yet. Read it first before writing to it.',
    )
    await readTool.execute({ file_path: 'a.txt' }, test.context)
    await writeFile(at('a.txt'), 'one\nother\n')
    assert.equal(
      await refusal(at('a.txt'), 'one', 'two'),
      'File has changed since it was last read, by the user or by a program. Read it again before writing to it.',
    )
    await readTool.execute({ file_path: 'a.txt', limit: 1 }, test.context)
    assert.equal((await edit(at('a.txt'), 'other', 'two')).ok, true)
    assert.equal(test.context.session.readFiles.get(at('a.txt'))?.partial, true)
  })

  it('refuses read-only and binary files, and characters the encoding lacks', async () => {
    const locked = await put('locked', 'old')
    await chmod(locked, 0o444)
    assert.equal(await refusal(locked, 'old', 'new'), `File is read-only: ${locked}`)
    const latin1 = await put('latin1', Buffer.from('café', 'latin1'))
    assert.equal(
      await refusal(latin1, 'c', '→'),
      'The file is in Latin-1, which has no code for some character of new_string.',
    )
    const image = await put('a.gif', Buffer.from('GIF89a\x01\0\x01\0\0', 'latin1'))
    assert.equal(await refusal(image, 'G', 'X'), "The file is not text and can't be edited.")
  })

  it('T36 keeps mode, mark and line ends, and follows a link', async () => {
    const path = await put('a.sh', '\uFEFFone\r\ntwo\r\n')
    await chmod(path, 0o755)
    await symlink('a.sh', at('link'))
    const outcome = await edit(at('link'), 'one\ntwo', 'one\n2')
    assert.deepEqual(outcome.ok && outcome.output, {
      filePath: at('link'),
      oldString: 'one\ntwo',
      newString: 'one\n2',
      originalFile: '\uFEFFone\ntwo\n',
      structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' \uFEFFone', '-two', '+2'] }],
      userModified: false,
      replaceAll: false,
    })
    assert.equal(await readFile(path, 'utf8'), '\uFEFFone\r\n2\r\n')
    assert.equal((await stat(path)).mode & 0o7777, 0o755)
    assert.equal(await readlink(at('link')), 'a.sh')
  })

  it('T33 takes a file that was only touched, and refuses one that changed behind its time and size', async () => {
    const path = await put('a.txt', 'one')
    await utimes(path, 1, 1)
    assert.equal((await edit(path, 'one', 'two')).ok, true)
    const { atime, mtime } = await stat(path)
    await writeFile(path, 'six')
    await utimes(path, atime, mtime)
    assert.match((await refusal(path, 'six', 'ten')) ?? '', /^File has changed since it was last read/)
  })

  it('T36 keeps what a file is made of: encodings, marks, line ends, mode', async () => {
    const cases: [string, Buffer, Buffer][] = [
      ['LF', Buffer.from('a\nb\n'), Buffer.from('a\nX\nY\n')],
      ['CRLF', Buffer.from('a\r\nb\r\n'), Buffer.from('a\r\nX\r\nY\r\n')],
      ['mixed, more CRLF', Buffer.from('a\r\nb\r\nc\n'), Buffer.from('a\r\nX\r\nY\r\nc\n')],
      ['mixed, more LF', Buffer.from('a\nb\nc\r\n'), Buffer.from('a\nX\nY\nc\r\n')],
      ['no newline at the end', Buffer.from('a\r\nb'), Buffer.from('a\r\nX\r\nY')],
      ['UTF-8 with a mark', Buffer.from('\uFEFFa\nb\n'), Buffer.from('\uFEFFa\nX\nY\n')],
      ['UTF-16 LE', Buffer.from('\uFEFFa\r\nb', 'utf16le'), Buffer.from('\uFEFFa\r\nX\r\nY', 'utf16le')],
      ['UTF-16 BE', Buffer.from('\uFEFFa\nb', 'utf16le').swap16(), Buffer.from('\uFEFFa\nX\nY', 'utf16le').swap16()],
      ['Latin-1', Buffer.from('é\nb\n', 'latin1'), Buffer.from('é\nX\nY\n', 'latin1')],
    ]
    for (const [name, before, after] of cases) {
      const path = await put('file', before)
      await chmod(path, 0o741)
      const outcome = await edit(path, 'b', 'X\nY')
      assert.deepEqual([name, outcome.ok, await readFile(path)], [name, true, after])
      assert.equal((await stat(path)).mode & 0o7777, 0o741)
      await rm(path)
    }
  })

  it('there and back leaves the file as it was, byte for byte', async () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '→', '\n'), maxLength: 10 })
    const end = fc.constantFrom('\n', '\r\n')
    const encoding = fc.constantFrom<BufferEncoding[]>('utf8', 'utf16le')
    await fc.assert(
      fc.asyncProperty(word, word, word, end, encoding, fc.boolean(), async (...all) => {
        const [head, tail, middle, lineEnd, encodingName, replaceAll] = all
        const again = replaceAll ? `<${middle}>${head}` : ''
        const text = `\uFEFF\n${head}<${middle}>${again}${tail}`.replaceAll('\n', lineEnd)
        const original = Buffer.from(text, encodingName)
        const path = await put('file', original)
        const there = await edit(path, `<${middle}>`, `[${tail}]`, replaceAll)
        const back = await edit(path, `[${tail}]`, `<${middle}>`, replaceAll)
        assert.deepEqual([there.ok, back.ok], [true, true])
        assert.deepEqual(await readFile(path), original)
      }),
      { numRuns: byTier({ quick: 25, all: 100, long: 2000 }) },
    )
  })

  it('states which path it changes', () => {
    assert.deepEqual(editTool.facts(input('y', 'a', 'b'), test.context), { kind: 'edit', path: at('y') })
  })
})
