import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { WorkspaceFiles } from '../../platform/files/files.js'
import { createTestContext, type TestContext } from '../test-context.js'
import type { CallContext } from '../tool.js'
import { readTool } from './read.js'
import type { FileReadInput } from './read-shapes.js'

describe('Read', () => {
  let test: TestContext
  beforeEach(async () => {
    test = await createTestContext()
  })
  afterEach(() => test.dispose())

  const put = async (name: string, content: string | Uint8Array) => {
    const path = join(test.folder, name)
    await writeFile(path, content)
    return path
  }
  const read = (file_path: string, rest: Partial<FileReadInput> = {}) =>
    readTool.execute({ file_path, ...rest }, test.context)
  const error = async (file_path: string, rest: Partial<FileReadInput> = {}) => {
    const outcome = await read(file_path, rest)
    return outcome.ok ? assert.fail(JSON.stringify(outcome)) : outcome.error
  }
  /** The numbered lines alone. */
  const shown = async (file_path: string, rest: Partial<FileReadInput> = {}) => {
    const outcome = await read(file_path, rest)
    if (!outcome.ok || typeof outcome.content !== 'string') return assert.fail(JSON.stringify(outcome))
    return outcome.content.split('\n\n(Lines ')[0] ?? ''
  }

  it('numbers the lines; a newline at the end counts as an empty line for hosts only', async () => {
    const path = await put('a.txt', 'alpha\nbeta\n')
    assert.deepEqual(await read(path), {
      ok: true,
      content: '     1→alpha\n     2→beta',
      output: {
        type: 'text',
        file: { filePath: path, content: 'alpha\nbeta\n', numLines: 3, startLine: 1, totalLines: 3 },
      },
    })
  })

  it('takes a range, and says what else there is', async () => {
    const path = await put('three.txt', '1\n2\n3')
    assert.deepEqual(await read(path, { offset: 2, limit: 1 }), {
      ok: true,
      content: '     2→2\n\n(Lines 2 to 2 of 3. Use offset to read on.)',
      output: { type: 'text', file: { filePath: path, content: '2', numLines: 1, startLine: 2, totalLines: 3 } },
    })
    assert.equal(await shown(path, { offset: -4, limit: 2.9 }), '     1→1\n     2→2')
  })

  it('says which line an offset that is no line number was taken for', async () => {
    const path = await put('three.txt', '1\n2\n3')
    for (const [offset, line] of [
      [-1, 1],
      [0, 1],
      [1.5, 1],
      [2.5, 2],
    ] as const) {
      const { content } = (await read(path, { offset })) as { content: string }
      const note = `(offset is a line number, counted from 1: ${offset} was read as ${line}.)`
      assert.ok(content.endsWith(`     3→3\n\n${note}`), content)
    }
    const { content } = (await read(path, { offset: 3 })) as { content: string }
    assert.equal(content, '     3→3')
  })

  it('says so when there is nothing to show', async () => {
    const empty = await put('empty.txt', '')
    assert.deepEqual(await read(empty), {
      ok: true,
      content: '(The file exists but is empty.)',
      output: { type: 'text', file: { filePath: empty, content: '', numLines: 1, startLine: 1, totalLines: 1 } },
    })
    const three = await put('three.txt', '1\n2\n3')
    assert.deepEqual(await read(three, { offset: 9 }), {
      ok: true,
      content: '(Line 9 is past the end: the file has 3 lines.)',
      output: { type: 'text', file: { filePath: three, content: '', numLines: 0, startLine: 9, totalLines: 3 } },
    })
    assert.deepEqual(await read(three, { limit: 0 }), {
      ok: true,
      content: '(No lines were asked for: limit must be at least 1.)',
      output: { type: 'text', file: { filePath: three, content: '', numLines: 0, startLine: 1, totalLines: 3 } },
    })
  })

  it('shows every line unless told otherwise, and cuts one after 2000 characters', async () => {
    const path = await put('long.txt', `${'x'.repeat(2005)}\n${'line\n'.repeat(3000)}`)
    const lines = (await shown(path)).split('\n')
    assert.equal(lines.length, 3001)
    assert.equal(lines[0], `     1→${'x'.repeat(2000)}… [5 more characters in this line]`)
    assert.equal(lines.at(-1), '  3001→line')
    assert.equal(await shown(path, { offset: 3001 }), '  3001→line')
  })

  it('refuses more tokens than fit, but not a part of the file', async () => {
    const path = await put('huge.txt', `${'y'.repeat(1999)}\n`.repeat(500))
    const tooMuch = (tokens: number) =>
      `The requested lines are more than the ${tokens} tokens that can be read at once (the file has 977 KB in 500 lines). Read a part of it with offset and limit, or search it with Grep.`
    assert.equal(await error(path), tooMuch(25_000))
    assert.equal(await error(path, { limit: 51 }), tooMuch(25_000))
    assert.equal((await shown(path, { limit: 48 })).split('\n').length, 48)
    assert.equal((await shown(path, { offset: 400, limit: 2 })).length, 2 * 2006 + 1)
    const env = { ...test.context.env, CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS: '1000' }
    test = { ...test, context: { ...test.context, env } }
    assert.equal(await error(path, { limit: 2 }), tooMuch(1000))
    assert.equal((await shown(path, { limit: 1 })).length, 2006)
    // Characters beyond ASCII count for more.
    assert.match(
      await error(await put('cjk.txt', '語'.repeat(1100))),
      /^The requested lines are more than the 1000 tokens/,
    )
  })

  it('keeps no more of a line, however long, than it shows', async () => {
    const path = await put('one-line.txt', 'é'.repeat(3_000_000))
    const outcome = await read(path)
    assert.ok(outcome.ok && typeof outcome.content === 'string')
    assert.match(outcome.content, /^ {5}1→é{2000}… \[about 5\.\d MB more in this line\]/)
    assert.ok(outcome.content.length < 3000)
    assert.ok(JSON.stringify(outcome.output).length < 10_000)
    const two = await put('two-lines.txt', `${'x'.repeat(5000)}\nend\n`)
    const whole = await read(two)
    assert.deepEqual(whole.ok && whole.output, {
      type: 'text',
      file: { filePath: two, content: `${'x'.repeat(5000)}\nend\n`, numLines: 3, startLine: 1, totalLines: 3 },
    })
  })

  it('reads a part of a file that is too large for a whole', async () => {
    const path = await put('large.log', '0123456789abcde\n'.repeat(64 * 1024))
    const big = join(test.folder, 'big.log')
    execFileSync('sh', ['-c', 'for i in $(seq 60); do cat "$1"; done > "$2"', 'sh', path, big])
    assert.equal(
      await error(big),
      'File is too large (60.0 MB) to be read as a whole. Read a part of it with offset and limit, or search it with Grep.',
    )
    const total = 60 * 64 * 1024 + 1
    const outcome = await read(big, { offset: total - 1, limit: 5 })
    assert.deepEqual(outcome.ok && outcome.output, {
      type: 'text',
      file: {
        filePath: big,
        content: '0123456789abcde\n',
        numLines: 2,
        startLine: total - 1,
        totalLines: total,
      },
    })
    await truncate(big, 30 * 1024 ** 3)
    assert.match(await error(big, { limit: 1 }), /^File is too large \(30720\.0 MB\)\./)
  })

  it('stops when it is told to, in the middle of a file', async () => {
    // Sparse, so that it costs no space; the mark makes it text.
    const path = await put('sparse.txt', Buffer.from([0xff, 0xfe]))
    await truncate(path, 8 * 1024 ** 3)
    const controller = new AbortController()
    const { files } = test.context.platform
    let pieces = 0
    const watched: WorkspaceFiles = {
      ...files,
      async open(name) {
        const { stat, file } = await files.open(name)
        if (!file) return { stat, file }
        const counted = async (buffer: Uint8Array, position: number) => {
          pieces += 1
          if (pieces === 10) controller.abort()
          return file.read(buffer, position)
        }
        return { stat, file: { ...file, read: counted } }
      },
    }
    const context = {
      ...test.context,
      platform: { ...test.context.platform, files: watched },
      signal: controller.signal,
    }
    const outcome = await readTool.execute({ file_path: path, limit: 1 }, context)
    assert.deepEqual(outcome, { ok: false, error: 'Interrupted while the file was being read.' })
    assert.ok(pieces < 20, `${pieces} pieces`)
    assert.deepEqual(await readTool.execute({ file_path: path, limit: 1 }, context), outcome)
  })

  it('answers an abort also while the disk does not answer', async () => {
    const path = await put('slow.txt', 'x')
    const controller = new AbortController()
    const { files } = test.context.platform
    const closed: string[] = []
    let release: () => void = () => assert.fail()
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const stuck: WorkspaceFiles = {
      ...files,
      async open(name) {
        const { stat, file } = await files.open(name)
        assert.ok(file)
        const close = () => file.close().then(() => void closed.push(name))
        const read = () => {
          controller.abort()
          return released.then(() => 0)
        }
        return { stat, file: { stat, read, close } }
      },
    }
    const context = {
      ...test.context,
      platform: { ...test.context.platform, files: stuck },
      signal: controller.signal,
    }
    assert.deepEqual(await readTool.execute({ file_path: path }, context), {
      ok: false,
      error: 'Interrupted while the file was being read.',
    })
    assert.deepEqual(closed, [])
    release()
    while (closed.length === 0) await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(closed, [path])
  })

  it('T24 shows odd text faithfully: no newline at the end, CR alone, UTF-16, a mark', async () => {
    assert.equal(await shown(await put('none', 'a\nb')), '     1→a\n     2→b')
    assert.equal(await shown(await put('crlf', 'a\r\nb\r\n')), '     1→a\n     2→b')
    assert.equal(await shown(await put('cr', 'a\rb')), '     1→a\rb')
    assert.equal(await shown(await put('bom', '\uFEFFé\n')), '     1→é')
    const utf16 = Buffer.from('\uFEFFé→\r\n', 'utf16le')
    assert.equal(await shown(await put('le', utf16)), '     1→é→')
    assert.equal(await shown(await put('be', Buffer.from(utf16).swap16())), '     1→é→')
    assert.equal(await shown(await put('latin1', Buffer.from('café', 'latin1'))), '     1→café')
  })

  it('says what is missing or a folder', async () => {
    const missing = `File does not exist. Note: your current working directory is ${test.folder}.`
    assert.equal(await error(join(test.folder, 'none')), missing)
    assert.equal(await error(join(await put('file', 'x'), 'below')), missing)
    assert.equal(
      await error(test.folder),
      `EISDIR: illegal operation on a directory, read '${test.folder}'. That is a folder: list it with Glob "${test.folder}/*".`,
    )
    await symlink('nowhere', join(test.folder, 'link'))
    assert.equal(await error(join(test.folder, 'link')), missing)
    await symlink('loop', join(test.folder, 'loop'))
    assert.match(await error(join(test.folder, 'loop')), /^ELOOP: /)
  })

  it('T21 refuses what is no file, without waiting for it: a pipe, a socket, a device', {
    skip: process.platform === 'win32',
  }, async () => {
    const pipe = join(test.folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const socket = join(test.folder, 'socket')
    const server = createServer().listen(socket)
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      for (const path of [pipe, socket, '/dev/zero']) {
        const expected = `Not a regular file but a pipe, socket or device, which can't be read: ${path}`
        assert.equal(await error(path), expected)
      }
    } finally {
      server.close()
    }
  })

  it('T21 does not wait for kernel messages', { skip: process.platform !== 'linux' }, async () => {
    // Readable or not depends on the machine; that it comes back at all is the point.
    assert.equal(typeof (await read('/proc/kmsg')).ok, 'boolean')
  })

  it('says why it may not', { skip: process.getuid?.() === 0 }, async () => {
    const path = await put('locked', 'x')
    await chmod(path, 0)
    assert.equal(await error(path), `EACCES: permission denied, open '${path}'`)
  })

  it('names what is not text', async () => {
    const cases: [string, string | Uint8Array, string][] = [
      ['a.bin', Uint8Array.of(0, 1, 2), 'binary .bin file'],
      ['data', Uint8Array.of(0, 1, 2), 'binary file'],
      ['a.zip', 'PK\x03\x04\0\0', 'ZIP archive or office document'],
      ['prog', Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'), 'ELF program'],
      ['a.heic', Buffer.from('\0\0\0\x18ftypheic\0', 'latin1'), 'HEIC or AVIF image'],
      ['odd.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(9, 'a')]), 'binary .txt file'],
    ]
    for (const [name, content, kind] of cases) {
      const path = await put(name, content)
      assert.equal(await error(path), `Can't show ${path} as text: it is a ${kind}.`)
    }
  })

  it('shows notebooks as cells, and broken ones as text', async () => {
    const cell = { cell_type: 'code', id: 'c1', source: 'print(1)', outputs: [] }
    const path = await put('n.ipynb', JSON.stringify({ cells: [cell], metadata: {} }))
    assert.deepEqual(await read(path), {
      ok: true,
      content: [{ type: 'text', text: '<cell id="c1">print(1)</cell id="c1">' }],
      output: {
        type: 'notebook',
        file: {
          filePath: path,
          cells: [{ cellType: 'code', source: 'print(1)', cell_id: 'c1', language: 'python' }],
        },
      },
    })
    assert.equal(await shown(await put('bad.ipynb', '{nope')), '     1→{nope')
  })

  it('remembers what it read, by real path', async () => {
    const path = await put('a.txt', 'one\ntwo\n')
    await symlink('a.txt', join(test.folder, 'link'))
    await read(join(test.folder, 'link'), { limit: 1 })
    const { mtimeMs: _, ...partial } = test.context.session.readFiles.get(path) ?? assert.fail()
    await read('a.txt')
    const { mtimeMs, ...whole } = test.context.session.readFiles.get(path) ?? assert.fail()
    assert.deepEqual(whole, { ...partial, partial: false })
    assert.deepEqual({ size: whole.size, was: partial.partial, time: mtimeMs > 0 }, { size: 8, was: true, time: true })
    assert.deepEqual([...test.context.session.readFiles.keys()], [path])
  })

  it('T25 reads the file that permission was asked for, or none', async () => {
    await mkdir(join(test.folder, 'a'))
    await mkdir(join(test.folder, 'b'))
    await put('a/file', 'harmless')
    await put('b/file', 'secret')
    const swap = async (target: string) => {
      await rm(join(test.folder, 'way'), { force: true })
      await symlink(target, join(test.folder, 'way'))
    }
    const input = { file_path: join(test.folder, 'way/file') }
    await swap('a')
    assert.equal(await readTool.check?.(input, test.context), undefined)
    // What is judged is where the path leads, not only how it is written.
    assert.deepEqual(readTool.facts(input, test.context), {
      kind: 'read',
      paths: [input.file_path, join(test.folder, 'a/file')],
    })
    await swap('b')
    assert.deepEqual(await readTool.execute(input, test.context), {
      ok: false,
      error: 'The path leads to another file than when permission was asked: a link on the way has changed. Try again.',
    })
    await swap('a')
    assert.equal((await readTool.execute(input, test.context)).ok, true)
  })

  it('T25 notices a folder that becomes a link between the look and the open', async () => {
    await mkdir(join(test.folder, 'a'))
    await mkdir(join(test.folder, 'b'))
    await put('a/file', 'harmless')
    await put('b/file', 'secret')
    const { files } = test.context.platform
    const racing: WorkspaceFiles = {
      ...files,
      async open(path) {
        await rename(join(test.folder, 'a'), join(test.folder, 'gone'))
        await symlink('b', join(test.folder, 'a'))
        return files.open(path)
      },
    }
    const context = { ...test.context, platform: { ...test.context.platform, files: racing } }
    const outcome = await readTool.execute({ file_path: join(test.folder, 'a/file') }, context)
    assert.match(outcome.ok ? JSON.stringify(outcome) : outcome.error, /^ESTALE: the file was replaced meanwhile/)
  })

  it('T25 keeps reading the file it opened when another takes its name, and says so when it is gone', async () => {
    const path = await put('file', 'first\n'.repeat(300_000))
    const { files } = test.context.platform
    const racing = (act: () => Promise<void>): CallContext => {
      const open: WorkspaceFiles['open'] = async (name) => {
        const opened = await files.open(name)
        await act()
        return opened
      }
      return { ...test.context, platform: { ...test.context.platform, files: { ...files, open } } }
    }
    const replaced = racing(async () => {
      await writeFile(`${path}.new`, 'second')
      await rename(`${path}.new`, path)
    })
    const outcome = await readTool.execute({ file_path: path, offset: 300_000, limit: 1 }, replaced)
    assert.deepEqual(outcome.ok && outcome.output, {
      type: 'text',
      file: { filePath: path, content: 'first', numLines: 1, startLine: 300_000, totalLines: 300_001 },
    })
    await rm(path)
    assert.equal(await error(path), `File does not exist. Note: your current working directory is ${test.folder}.`)
  })

  it('states which path it reads', async () => {
    const facts = (file_path: string) => readTool.facts({ file_path }, test.context)
    assert.deepEqual(facts('/etc/../etc/hosts'), { kind: 'read', paths: ['/etc/hosts'] })
    assert.deepEqual(facts('sub/x'), { kind: 'read', paths: [join(test.folder, 'sub/x')] })
    // HOME of the test context is the folder.
    await mkdir(join(test.folder, '.config'))
    assert.deepEqual(facts('~/.config'), { kind: 'read', paths: [join(test.folder, '.config')] })
    assert.equal(await readTool.check?.({ file_path: 'a\0b' }, test.context), 'The path contains a NUL character.')
    assert.equal(await readTool.check?.({ file_path: 'a' }, test.context), undefined)
    assert.match((await readTool.check?.({ file_path: 'a', pages: 'x' }, test.context)) ?? '', /^Invalid pages: "x"\./)
  })
})
