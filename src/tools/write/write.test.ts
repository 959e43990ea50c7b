import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, link, mkdir, readdir, readFile, readlink, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { WorkspaceFiles } from '../../platform/files/files.js'
import { readTool } from '../read/read.js'
import { createTestContext, type TestContext } from '../test-context.js'
import { writeTool } from './write.js'

describe('Write', () => {
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
  const write = (file_path: string, content: string) => writeTool.execute({ file_path, content }, test.context)
  /** Both looks must refuse alike, and nothing may change. */
  const refusal = async (file_path: string, content: string) => {
    const checked = await writeTool.check?.({ file_path, content }, test.context)
    assert.deepEqual(await write(file_path, content), { ok: false, error: checked })
    return checked
  }

  it('makes a new file, with its folders', async () => {
    const path = at('deep/er/a.txt')
    assert.equal(await writeTool.check?.({ file_path: path, content: '' }, test.context), undefined)
    assert.deepEqual(await write(path, 'alpha\nbeta\n'), {
      ok: true,
      content: `File created successfully at: ${path}`,
      output: { type: 'create', filePath: path, content: 'alpha\nbeta\n', structuredPatch: [], originalFile: null },
    })
    assert.equal(await readFile(path, 'utf8'), 'alpha\nbeta\n')
    assert.deepEqual(await readdir(at('deep/er')), ['a.txt'])
  })

  it('replaces a file that was read, and again what it wrote itself', async () => {
    const path = await put('a.txt', 'alpha\ngamma\n')
    assert.deepEqual(await write(path, 'overwritten\n'), {
      ok: true,
      content: `The file ${path} has been updated successfully. Changed: line 1 (was 1-2).`,
      output: {
        type: 'update',
        filePath: path,
        content: 'overwritten\n',
        structuredPatch: [
          { oldStart: 1, oldLines: 2, newStart: 1, newLines: 1, lines: ['-alpha', '-gamma', '+overwritten'] },
        ],
        originalFile: 'alpha\ngamma\n',
      },
    })
    assert.equal((await write('a.txt', 'again')).ok, true)
    assert.equal(await readFile(path, 'utf8'), 'again')
  })

  it('must have read a file first', async () => {
    await writeFile(at('a.txt'), 'old')
    assert.equal(await refusal(at('a.txt'), 'new'), 'File has not been read yet. Read it first before writing to it.')
    assert.equal(await readFile(at('a.txt'), 'utf8'), 'old')
  })

  it('refuses a file that changed since, but not one that was only touched', async () => {
    const path = await put('a.txt', 'one')
    const { atime, mtime } = await stat(path)
    await writeFile(path, 'two')
    await utimes(path, atime, mtime)
    assert.equal(
      await refusal(path, 'new'),
      'File has changed since it was last read, by the user or by a program. Read it again before writing to it.',
    )
    assert.equal(await readFile(path, 'utf8'), 'two')
    await writeFile(path, 'one')
    await utimes(path, 1, 1)
    assert.equal((await write(path, 'new')).ok, true)
  })

  it('T29 refuses folders, read-only files and links to nowhere', async () => {
    await mkdir(at('folder'))
    assert.equal(
      await refusal(at('folder'), 'x'),
      `EISDIR: illegal operation on a directory, read '${at('folder')}'. That is a folder: list it with Glob "${at('folder')}/*".`,
    )
    const locked = await put('locked', 'old')
    await chmod(locked, 0o444)
    assert.equal(await refusal(locked, 'new'), `File is read-only: ${locked}`)
    assert.equal(await readFile(locked, 'utf8'), 'old')
    await symlink('nowhere', at('link'))
    assert.equal(await refusal(at('link'), 'x'), `The path is a symbolic link that leads nowhere: ${at('link')}`)
    assert.equal(await refusal('a\0b', 'x'), 'The path contains a NUL character.')
    assert.deepEqual((await readdir(test.folder)).sort(), ['folder', 'link', 'locked'])
  })

  it('T28 says what stands in the way of a new file', async () => {
    await writeFile(at('file'), 'x')
    const outcome = await write(at('file/below.txt'), 'x')
    assert.match(outcome.ok ? '' : outcome.error, /^Could not write .*\/file\/below\.txt: (ENOTDIR|EEXIST): [a-z ]+$/)
    const long = at('n'.repeat(300))
    assert.match((await refusal(long, 'x')) ?? '', /^ENAMETOOLONG: /)
  })

  it('T28 makes folders and files where permission was given for, not behind a link that came later', async () => {
    for (const name of ['a', 'b']) await mkdir(at(name))
    const swap = async (target: string) => {
      await rm(at('way'), { force: true })
      await symlink(target, at('way'))
    }
    await swap('a')
    const call = { file_path: at('way/deep/new.txt'), content: 'x' }
    assert.equal(await writeTool.check?.(call, test.context), undefined)
    await swap('b')
    const moved = {
      ok: false,
      error: 'The path leads to another file than when permission was asked: a link on the way has changed. Try again.',
    }
    assert.deepEqual(await writeTool.execute(call, test.context), moved)
    await swap('a')
    // Also when the link comes while the folders are made.
    const { files } = test.context.platform
    const racing: WorkspaceFiles = {
      ...files,
      async makeDirectory(path) {
        await rm(at('a'), { recursive: true })
        await symlink('b', at('a'))
        await files.makeDirectory(path)
      },
    }
    const context = { ...test.context, platform: { ...test.context.platform, files: racing } }
    assert.deepEqual(await writeTool.execute(call, context), moved)
    assert.deepEqual(await readdir(at('b')), [])
  })

  it('T28 makes nothing where the path led nowhere when permission was asked, though it leads somewhere by then', async () => {
    await mkdir(at('a'))
    await symlink('way', at('way'))
    const call = { file_path: at('way/new.txt'), content: 'x' }
    assert.match((await writeTool.check?.(call, test.context)) ?? '', /^ELOOP: /)
    assert.deepEqual(writeTool.facts(call, test.context), { kind: 'edit', path: at('way/new.txt') })
    await rm(at('way'))
    await symlink('a', at('way'))
    const outcome = await writeTool.execute(call, test.context)
    assert.match(outcome.ok ? '' : outcome.error, /^The path leads to another file than when permission was asked/)
    assert.deepEqual(await readdir(at('a')), [])
  })

  it('T28 does not replace a file that somebody else made meanwhile', async () => {
    const { files } = test.context.platform
    const racing: WorkspaceFiles = {
      ...files,
      async create(path, content) {
        await writeFile(path, 'theirs')
        await files.create(path, content)
      },
    }
    const context = { ...test.context, platform: { ...test.context.platform, files: racing } }
    assert.deepEqual(await writeTool.execute({ file_path: at('new.txt'), content: 'ours' }, context), {
      ok: false,
      error: `Could not write ${at('new.txt')}: another program has made a file there meanwhile. Read it first.`,
    })
    assert.equal(await readFile(at('new.txt'), 'utf8'), 'theirs')
    assert.deepEqual(await readdir(test.folder), ['new.txt'])
  })

  it('T29 leaves the old content when the disk is full', { skip: mountSkip() }, async () => {
    await mkdir(at('small'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', at('small')])
    try {
      const path = await put('small/a.txt', 'old')
      assert.deepEqual(await write(path, 'x'.repeat(100_000)), {
        ok: false,
        error: `Could not write ${path}: ENOSPC: no space left on device`,
      })
      assert.equal(await readFile(path, 'utf8'), 'old')
      assert.equal((await write(at('small/b.txt'), 'x'.repeat(100_000))).ok, false)
      assert.deepEqual(await readdir(at('small')), ['a.txt'])
      assert.equal((await write(path, 'new')).ok, true)
    } finally {
      execFileSync('umount', [at('small')])
    }
  })

  it('T29 leaves the old content when it can not be replaced', async () => {
    const path = await put('a.txt', 'old')
    const full = Object.assign(new Error("ENOSPC: no space left on device, write '.tmp'"), { code: 'ENOSPC' })
    const files: WorkspaceFiles = { ...test.context.platform.files, replace: () => Promise.reject(full) }
    const context = { ...test.context, platform: { ...test.context.platform, files } }
    const outcome = await writeTool.execute({ file_path: path, content: 'new' }, context)
    assert.deepEqual(outcome, { ok: false, error: `Could not write ${path}: ENOSPC: no space left on device` })
    assert.equal(await readFile(path, 'utf8'), 'old')
  })

  it('refuses a file with several names, because a change would reach or lose the others', async () => {
    const path = await put('a.txt', 'old')
    await link(path, at('b.txt'))
    assert.match(
      (await refusal(path, 'new')) ?? '',
      /^File has 2 hard links, and a change would reach or lose the others\. /,
    )
    assert.deepEqual([await readFile(path, 'utf8'), await readFile(at('b.txt'), 'utf8')], ['old', 'old'])
    await rm(at('b.txt'))
    assert.equal((await write(path, 'new')).ok, true)
  })

  it('notices a change up to the last moment', async () => {
    const path = await put('a.txt', 'old')
    const { files } = test.context.platform
    const racing: WorkspaceFiles = {
      ...files,
      async isWritable(name) {
        await writeFile(name, 'theirs')
        return files.isWritable(name)
      },
    }
    const context = { ...test.context, platform: { ...test.context.platform, files: racing } }
    assert.deepEqual(await writeTool.execute({ file_path: path, content: 'ours' }, context), {
      ok: false,
      error:
        'File has changed since it was last read, by the user or by a program. Read it again before writing to it.',
    })
    assert.equal(await readFile(path, 'utf8'), 'theirs')
    assert.deepEqual(await readdir(test.folder), ['a.txt'])
  })

  it('writes nothing once it is interrupted', async () => {
    const context = { ...test.context, signal: AbortSignal.abort() }
    const outcome = await writeTool.execute({ file_path: at('a.txt'), content: 'x' }, context)
    assert.deepEqual(outcome, { ok: false, error: 'Interrupted before the file was written.' })
    assert.deepEqual(await readdir(test.folder), [])
  })

  it('writes through a link to its target', async () => {
    const path = await put('a.txt', 'old')
    await symlink('a.txt', at('link'))
    assert.equal((await write(at('link'), 'new')).ok, true)
    assert.equal(await readFile(path, 'utf8'), 'new')
    assert.equal(await readlink(at('link')), 'a.txt')
  })

  it('keeps mode, encoding, mark and line ends', async () => {
    const utf16 = Buffer.from('\uFEFFold\r\nold\r\n', 'utf16le')
    const path = await put('u16.txt', utf16)
    await chmod(path, 0o751)
    const outcome = await write(path, 'né\nw\n')
    assert.deepEqual(outcome.ok && outcome.output, {
      type: 'update',
      filePath: path,
      content: 'né\nw\n',
      structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: ['-old', '-old', '+né', '+w'] }],
      originalFile: '\uFEFFold\r\nold\r\n',
    })
    assert.equal((await readFile(path)).toString('utf16le'), '\uFEFFné\r\nw\r\n')
    assert.equal((await stat(path)).mode & 0o7777, 0o751)
  })

  it('leaves plain files plain, and goes to UTF-8 where Latin-1 is not enough', async () => {
    const lf = await put('lf.txt', 'a\nb\n')
    await write(lf, 'x\r\ny\n')
    assert.equal(await readFile(lf, 'utf8'), 'x\r\ny\n')
    const latin1 = await put('latin1.txt', Buffer.from('café', 'latin1'))
    await write(latin1, 'thé')
    assert.equal(await readFile(latin1, 'latin1'), 'thé')
    await write(latin1, 'a → b')
    assert.equal(await readFile(latin1, 'utf8'), 'a → b')
  })

  it('states which path it changes', () => {
    const facts = writeTool.facts({ file_path: 'x/../y', content: '' }, test.context)
    assert.deepEqual(facts, { kind: 'edit', path: at('y') })
  })
})

/** Mounting needs root, and a container may forbid it even then. */
function mountSkip(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux'
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp'], { stdio: 'ignore' })
    return false
  } catch {
    return 'mounting is not allowed here'
  }
}
