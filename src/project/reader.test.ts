import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createProblemCollector } from './file-problems.js'
import {
  findMarkdownFiles,
  listFolder,
  parseProjectMarkdown,
  type ReadingContext,
  readMarkdown,
  readProjectText,
  readTextReportingProblems,
  realFolderWithin,
} from './reader.js'
import { createTestProject, type TestProject } from './test-project.js'

let project: TestProject
let reading: ReadingContext
beforeEach(async () => {
  project = await createTestProject()
  reading = { files: project.options.files, problems: createProblemCollector() }
})
afterEach(() => project.dispose())

const at = (name: string) => join(project.root, name)
const text = async (name: string, within?: string) => {
  const found = await readProjectText(at(name), within, project.options.files)
  return project.tidy(found.kind === 'text' ? found.text : found.kind === 'absent' ? 'absent' : found.reason)
}
const problems = () => project.tidy(reading.problems.take())

describe('one file', () => {
  it('is read with its real path and its owner', async () => {
    await project.write({ 'a.md': 'hé', link: '-> a.md' })
    const found = await readProjectText(at('link'), project.root, project.options.files)
    assert.deepEqual(found, { kind: 'text', text: 'hé', real: at('a.md'), uid: process.getuid?.() ?? 0 })
  })

  it('may be absent, or something else', async () => {
    await project.write({ 'folder/x': '', nowhere: '-> gone', round: '-> round' })
    assert.equal(await text('none'), 'absent')
    assert.equal(await text('folder'), 'is not a file')
    assert.equal(await text('nowhere'), 'is a link that leads nowhere')
    assert.equal(await text('round'), 'is a link that leads nowhere')
    assert.equal(await text('folder/x/y'), 'absent')
  })

  it('links out of the folder are not followed, unless there is no folder to leave', async () => {
    await project.write({
      '~/secret.md': 's',
      out: '-> ../secret.md',
      'up/x': '',
      back: '-> ../project/a.md',
      'a.md': 'a',
    })
    assert.equal(await text('out', project.root), 'is a link that leads out of <project>')
    assert.equal(await text('out'), 's')
    assert.equal(await text('back', project.root), 'a')
    assert.equal(await text('a.md', at('up')), 'is a link that leads out of <project>/up')
  })

  it('a folder whose name only begins the same is outside', async () => {
    await project.write({ '~/project-two/x.md': 'x', link: '-> ../project-two/x.md' })
    assert.equal(await text('link', project.root), 'is a link that leads out of <project>')
  })

  it('has 256 KiB at most', async () => {
    await project.write({ fits: 'x'.repeat(256 * 1024), larger: 'x'.repeat(256 * 1024 + 1), empty: '' })
    assert.equal((await text('fits')).length, 256 * 1024)
    assert.equal(await text('larger'), 'is larger than 256 KiB')
    assert.equal(await text('empty'), '')
  })

  it('is UTF-8 without NUL; a mark at its start is none of its text', async () => {
    await writeFile(at('latin'), Buffer.from([0x68, 0xe9]))
    await writeFile(at('nul'), 'a\0b')
    await writeFile(at('marked'), '\ufeffa')
    assert.equal(await text('latin'), 'is not UTF-8 text')
    assert.equal(await text('nul'), 'is not UTF-8 text')
    assert.equal(await text('marked'), 'a')
  })

  it('a disk that fails is said with its code', async () => {
    await project.write({ 'a.md': 'x' })
    for (const [error, reason] of [
      [Object.assign(new Error('x'), { code: 'EIO' }), "can't be read (EIO)"],
      [new Error('x'), "can't be read (for an unknown reason)"],
    ] as const) {
      const files = {
        ...project.options.files,
        open: async () => {
          throw error
        },
      }
      assert.deepEqual(await readProjectText(at('a.md'), undefined, files), { kind: 'unusable', reason })
    }
  })

  it('what is wrong is told, what is absent is not', async () => {
    await project.write({ 'folder/x': '', 'a.md': 'a\u200bb\u202ec' })
    assert.deepEqual(await readTextReportingProblems(at('none'), undefined, reading), { kind: 'absent' })
    assert.deepEqual(problems(), [])
    await readTextReportingProblems(at('folder'), undefined, reading)
    assert.deepEqual(problems(), ['<project>/folder: is not a file. It is not used.'])
    const found = await readTextReportingProblems(at('a.md'), undefined, reading)
    assert.equal(found.kind === 'text' && found.text, 'abc')
    assert.deepEqual(problems(), ['<project>/a.md: 2 invisible characters were left out.'])
  })

  it('with fields on top, or not used when those can not be read', async () => {
    await project.write({
      'a.md': '---\nname: x\n---\nbody',
      'b.md': 'only body',
      'c.md': '---\nname: x\nname: y\n---\n',
    })
    const a = await readMarkdown(at('a.md'), undefined, reading)
    assert.equal(a?.fields.get('name')?.value, 'x')
    assert.equal(a?.body.trim(), 'body')
    assert.equal((await readMarkdown(at('b.md'), undefined, reading))?.fields.size, 0)
    assert.deepEqual(problems(), [])
    assert.equal(await readMarkdown(at('c.md'), undefined, reading), undefined)
    assert.deepEqual(problems(), ["<project>/c.md:3: has 'name' twice. The file is not used."])
    assert.equal(parseProjectMarkdown('/x.md', 'text', reading)?.body, 'text')
  })
})

describe('a tree of folders', () => {
  const paths = async (folder: string, within?: string) =>
    (await findMarkdownFiles(at(folder), within, reading)).map(({ segments }) => segments.join('/'))

  it('gives what ends with .md, in order, with the names on the way', async () => {
    await project.write({
      't/b.md': '',
      't/a/z.md': '',
      't/a/b/y.md': '',
      't/c.txt': '',
      't/.hidden.md': '',
      't/.h/x.md': '',
    })
    assert.deepEqual(await paths('t'), ['a/b/y.md', 'a/z.md', 'b.md'])
    assert.deepEqual(problems(), [])
  })

  it('may not be there', async () => {
    await project.write({ file: 'x' })
    assert.deepEqual(await paths('none'), [])
    assert.deepEqual(await paths('file'), [])
    assert.deepEqual(problems(), [])
  })

  it('links count as what they lead to, each folder once', async () => {
    await project.write({
      't/a/x.md': '',
      't/again': '-> a',
      't/up': '-> ..',
      't/l.md': '-> a/x.md',
      't/gone.md': '-> no',
    })
    const found = await paths('t')
    assert.ok(found.includes('a/x.md') && found.includes('l.md') && !found.includes('gone.md'))
    assert.equal(found.filter((path) => path.endsWith('/x.md') && !path.startsWith('up')).length, 1)
    assert.ok(problems().includes('<project>/t/gone.md: is a link that leads nowhere.'))
  })

  it('links out of the folder they belong to are not followed', async () => {
    await project.write({ '~/other/x.md': '', 't/out': '-> ../../other', 't/a.md': '' })
    assert.deepEqual(await paths('t', project.root), ['a.md'])
    assert.deepEqual(problems(), ['<project>/t/out: is a link that leads out of <project>. It is not used.'])
    assert.deepEqual(await paths('t'), ['a.md', 'out/x.md'])
  })

  it('is read six folders deep', async () => {
    await project.write({ 't/1/2/3/4/5/6/x.md': '', 't/y.md': '' })
    assert.deepEqual(await paths('t'), ['1/2/3/4/5/6/x.md', 'y.md'])
    assert.deepEqual(problems(), [])
    await project.write({ 't/1/2/3/4/5/6/7/x.md': '' })
    assert.deepEqual(await paths('t'), ['1/2/3/4/5/6/x.md', 'y.md'])
    assert.match(problems()[0] ?? '', /<project>\/t: holds more files or deeper folders than are read/)
  })

  it('gives 300 files at most, and says so', async () => {
    await project.write(Object.fromEntries(Array.from({ length: 301 }, (_, n) => [`t/${n}.md`, ''])))
    assert.equal((await paths('t')).length, 300)
    assert.equal(problems().length, 1)
  })
})

describe('one folder', () => {
  it('names and kinds, in order', async () => {
    await project.write({ 't/b/x': '', 't/a': '', 't/.dot': '', 't/lf': '-> a', 't/ld': '-> b', 't/lx': '-> gone' })
    assert.deepEqual(await listFolder(at('t'), reading), [
      { name: 'a', kind: 'file' },
      { name: 'b', kind: 'directory' },
      { name: 'ld', kind: 'directory' },
      { name: 'lf', kind: 'file' },
      { name: 'lx', kind: 'other' },
    ])
    assert.deepEqual(problems(), ['<project>/t/lx: is a link that leads nowhere.'])
  })

  it('that can not be read is told, one that is not there is not', async () => {
    const failing = (code: string): ReadingContext => ({
      ...reading,
      files: {
        ...reading.files,
        entries: async () => {
          throw Object.assign(new Error('x'), { code })
        },
      },
    })
    for (const code of ['ENOENT', 'ENOTDIR']) assert.deepEqual(await listFolder(at('t'), failing(code)), [])
    assert.deepEqual(problems(), [])
    assert.deepEqual(await listFolder(at('t'), failing('EACCES')), [])
    assert.deepEqual(problems(), ["<project>/t: can't be read (EACCES)."])
  })

  it('with very many entries is not read to its end', async () => {
    const entries = async (_: string, most?: number) =>
      Array.from({ length: Math.min(most ?? 5000, 5000) }, (_, n) => ({ name: `f${n}`, kind: 'file' as const }))
    const many = { ...reading, files: { ...reading.files, entries } as ReadingContext['files'] }
    assert.equal((await listFolder(at('t'), many)).length, 1000)
    assert.deepEqual(problems(), ['<project>/t: holds more than 1000 entries; not all are used.'])
  })

  it('its real path, where it lies inside', async () => {
    await project.write({ 'a/x': '', in: '-> a', out: '-> ../..' })
    assert.equal(await realFolderWithin(at('in'), project.root, reading), at('a'))
    assert.equal(await realFolderWithin(at('none'), project.root, reading), undefined)
    assert.deepEqual(problems(), [])
    assert.equal(await realFolderWithin(at('out'), project.root, reading), undefined)
    assert.equal(problems().length, 1)
  })
})
