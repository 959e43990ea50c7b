import assert from 'node:assert/strict'
import { chmod, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { readTool } from '../read/read.js'
import { createTestContext, type TestContext } from '../test-context.js'
import { notebookEditTool } from './notebook-edit.js'
import type { NotebookEditInput } from './notebook-edit-shapes.js'

const CELL = { cell_type: 'code', id: 'c1', metadata: {}, source: ['print(1)'], outputs: [], execution_count: null }
const NOTEBOOK = JSON.stringify(
  { cells: [CELL], metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 5 },
  null,
  1,
)

describe('NotebookEdit', () => {
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
  const edit = (notebook_path: string, input: Partial<NotebookEditInput> = {}) =>
    notebookEditTool.execute({ notebook_path, new_source: 'print(2)', ...input }, test.context)
  /** Both looks must refuse alike, and the file must stay as it is. */
  const refusal = async (notebook_path: string, input: Partial<NotebookEditInput> = {}) => {
    const before = await readFile(notebook_path).catch(() => undefined)
    const checked = await notebookEditTool.check?.({ notebook_path, new_source: 'x', ...input }, test.context)
    assert.deepEqual(await edit(notebook_path, { new_source: 'x', ...input }), { ok: false, error: checked })
    assert.deepEqual(await readFile(notebook_path).catch(() => undefined), before)
    return checked
  }

  it('replaces a cell', async () => {
    const path = await put('book.ipynb', NOTEBOOK)
    const updated = NOTEBOOK.replace('print(1)', 'print(2)')
    const call = { notebook_path: path, cell_id: 'c1', new_source: 'print(2)' }
    assert.equal(await notebookEditTool.check?.(call, test.context), undefined)
    assert.deepEqual(await notebookEditTool.execute(call, test.context), {
      ok: true,
      content: 'Updated cell c1 with print(2)',
      output: {
        new_source: 'print(2)',
        cell_type: 'code',
        language: 'python',
        edit_mode: 'replace',
        cell_id: 'c1',
        error: '',
        notebook_path: path,
        original_file: NOTEBOOK,
        updated_file: updated,
      },
    })
    assert.equal(await readFile(path, 'utf8'), updated)
    assert.deepEqual(await readdir(test.folder), ['book.ipynb'])
    assert.equal((await edit(path, { cell_id: 'c1', new_source: 'print(3)' })).ok, true)
  })

  it('inserts and deletes cells', async () => {
    const path = await put('book.ipynb', NOTEBOOK)
    const inserted = await edit(path, {
      edit_mode: 'insert',
      cell_type: 'markdown',
      cell_id: 'c1',
      new_source: '# New',
    })
    assert.ok(inserted.ok)
    const { cells } = JSON.parse(await readFile(path, 'utf8'))
    assert.match(cells[1].id, /^[0-9a-f]{8}$/)
    assert.equal(inserted.content, `Inserted cell ${cells[1].id} with # New`)
    const deleted = await edit(path, { edit_mode: 'delete', cell_id: 'c1', new_source: '' })
    assert.equal(deleted.ok && deleted.content, 'Deleted cell c1')
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')).cells, [cells[1]])
  })

  it('must have read the notebook, and as it is now', async () => {
    await writeFile(at('book.ipynb'), NOTEBOOK)
    const unread = 'File has not been read yet. Read it first before writing to it.'
    assert.equal(await refusal(at('book.ipynb'), { cell_id: 'c1' }), unread)
    await readTool.execute({ file_path: at('book.ipynb') }, test.context)
    await writeFile(at('book.ipynb'), NOTEBOOK.replace('print(1)', 'print(7)'))
    assert.match((await refusal(at('book.ipynb'), { cell_id: 'c1' })) ?? '', /^File has changed since it was last read/)
  })

  it('refuses with the reason, and leaves the file alone', async () => {
    assert.equal(
      await refusal(at('none.ipynb'), { cell_id: 'c1' }),
      `File does not exist. Note: your current working directory is ${test.folder}.`,
    )
    assert.equal(
      await refusal(await put('book.txt', NOTEBOOK), { cell_id: 'c1' }),
      'The file is no Jupyter notebook: its name does not end in .ipynb. Use Edit for other files.',
    )
    assert.match(
      (await refusal(await put('a.ipynb', '{nope'), { cell_id: 'c1' })) ?? '',
      /^The notebook is not valid JSON/,
    )
    const path = await put('book.ipynb', NOTEBOOK)
    assert.match((await refusal(path, { cell_id: 'c9' })) ?? '', /^No cell has the id "c9"/)
    assert.match((await refusal(path)) ?? '', /^cell_id is missing/)
    assert.equal(await refusal('a\0.ipynb'), 'The path contains a NUL character.')
    await chmod(path, 0o444)
    assert.equal(await refusal(path, { cell_id: 'c1' }), `File is read-only: ${path}`)
    const latin1 = await put('latin1.ipynb', Buffer.from(NOTEBOOK.replace('print(1)', 'é'), 'latin1'))
    assert.equal(
      await refusal(latin1, { cell_id: 'c1', new_source: '→' }),
      'The file is in Latin-1, which has no code for some character of new_source.',
    )
  })

  it('keeps mark, mode and link', async () => {
    const path = await put('book.ipynb', `\uFEFF${NOTEBOOK}\n`)
    await chmod(path, 0o640)
    await symlink('book.ipynb', at('link.ipynb'))
    assert.equal((await edit(at('link.ipynb'), { cell_id: 'c1' })).ok, true)
    assert.equal(await readFile(path, 'utf8'), `\uFEFF${NOTEBOOK.replace('print(1)', 'print(2)')}\n`)
    assert.equal((await stat(path)).mode & 0o7777, 0o640)
    assert.equal(await readlink(at('link.ipynb')), 'book.ipynb')
  })

  it('states which path it changes', () => {
    const facts = notebookEditTool.facts({ notebook_path: 'x/../y.ipynb', new_source: '' }, test.context)
    assert.deepEqual(facts, { kind: 'edit', path: at('y.ipynb') })
  })
})
