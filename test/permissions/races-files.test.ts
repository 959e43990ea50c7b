/** Write, Edit and NotebookEdit while the folder they were allowed to write to is swapped for a link that leads outside. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe } from 'node:test'
import { editTool } from '../../src/tools/edit/edit.js'
import { notebookEditTool } from '../../src/tools/notebook-edit/notebook-edit.js'
import { readTool } from '../../src/tools/read/read.js'
import { writeTool } from '../../src/tools/write/write.js'
import { sampledTest as it } from '../support/tier.js'
import { call, createGround, filesBelow, type Ground, type Raced, race, type Tally } from './races-ground.js'
import { Swapper } from './races-swapper.js'

describe('while its folder is swapped for a link to the outside', { skip: process.platform === 'win32' }, () => {
  let ground: Ground
  beforeEach(async () => {
    ground = await createGround()
  })
  afterEach(() => ground.dispose())

  const whileSwapping = async (one: (index: number) => Promise<Raced>, prepare?: () => void) => {
    const swapper = await Swapper.start(ground.swap)
    const tally = await race(ground, one, prepare ? { prepare } : {}).finally(() => swapper.stop())
    return tally
  }
  const check = ({ done, refused, outside }: Tally) => {
    assert.equal(outside, 0)
    // Otherwise there was no race.
    assert.ok(done > 0 && refused > 0, `${done} done, ${refused} refused`)
    const temporary = filesBelow(ground.project).filter((path) => basename(path).startsWith('.kedge-'))
    assert.deepEqual(temporary, [])
  }

  it('Write makes no file and no folder there', async () => {
    const { spot } = ground.swap
    const tally = await whileSwapping(async (index) => {
      const file_path = index % 2 ? join(spot, `new-${index}`) : join(spot, `folder-${index}`, 'deep', 'new')
      return call(writeTool, { file_path, content: 'x' }, ground)
    })
    check(tally)
    // What was reported as done is in the project, and nothing else.
    assert.equal(filesBelow(ground.project).length, tally.done + 1)
  })

  it('Read shows nothing of what is there', async () => {
    const { spot } = ground.swap
    const file_path = join(spot, 'file')
    for (const folder of [spot, ground.outside]) writeFileSync(join(folder, 'file'), folder)
    const shown = new Set<string>()
    const tally = await whileSwapping(() => call(readTool, { file_path }, ground, (text) => shown.add(String(text))))
    check(tally)
    assert.deepEqual(
      [...shown].map((text) => text.includes(ground.outside)),
      [false],
    )
  })

  const read = (path: string) => readTool.execute({ file_path: path }, ground.context)
  const edits: { name: string; file: string; content: (n: number) => string; edit: Edit }[] = [
    {
      name: 'Write',
      file: 'file',
      content: String,
      edit: (file_path, _, to) => call(writeTool, { file_path, content: String(to) }, ground),
    },
    {
      name: 'Edit',
      file: 'file',
      content: (n) => `number ${n}`,
      edit: (file_path, from, to) =>
        call(editTool, { file_path, old_string: `number ${from}`, new_string: `number ${to}` }, ground),
    },
    {
      name: 'NotebookEdit',
      file: 'book.ipynb',
      content: notebook,
      edit: (notebook_path, _, to) =>
        call(notebookEditTool, { notebook_path, cell_id: 'one', new_source: `number ${to}` }, ground),
    },
  ]
  for (const { name, file, content, edit } of edits) {
    it(`${name} changes no file there`, async () => {
      const { spot } = ground.swap
      const path = join(spot, file)
      writeFileSync(path, content(0))
      let last = 0
      const tally = await whileSwapping(
        async (index) => {
          await read(path)
          const end = await edit(path, last, index + 1)
          if (end === 'done') last = index + 1
          return end
        },
        // The same name and content, so that one file can be taken for the other.
        () => writeFileSync(join(ground.outside, file), content(last)),
      )
      check(tally)
      assert.deepEqual(readdirSync(spot), [file])
      assert.equal(readFileSync(path, 'utf8'), content(last))
    })
  }
})

type Edit = (path: string, from: number, to: number) => Promise<Raced>

function notebook(n: number): string {
  const cell = { cell_type: 'markdown', id: 'one', metadata: {}, source: [`number ${n}`] }
  return JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 })
}
