import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { nodeFiles } from '../../platform/files/files.js'
import { openSharedTaskList, type SharedTaskList } from './shared-task-list.js'

describe('a shared task list', () => {
  let root = ''
  let folder = ''
  let assigned: string[] = []
  let list: SharedTaskList
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kedge-tasks-'))
    folder = join(root, 'alpha')
    assigned = []
    list = openSharedTaskList({
      files: nodeFiles,
      whileLocked: (_, work) => work(),
      folder,
      onAssigned: async ({ id, owner }, by) => void assigned.push(`${by} gave #${id} to ${owner}`),
    })
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const lead = () => list.as({ name: 'team-lead', leads: true })
  const mate = (name: string) => list.as({ name, leads: false })
  const make = (subject: string) => lead().create({ subject, description: `${subject} in full` })
  const refusal = async (update: ReturnType<ReturnType<typeof lead>['update']>) => {
    const result = await update
    return result.ok ? undefined : result.problem
  }

  it('is one file per task, as observed', async () => {
    assert.deepEqual(await lead().list(), [])
    await make('one')
    await make('two')
    await lead().update('2', { addBlockedBy: ['1'], metadata: { a: 1 } })
    await mate('bob').update('1', { status: 'in_progress' })
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    const one = { id: '1', subject: 'one', description: 'one in full', owner: 'bob', status: 'in_progress' }
    assert.equal(read('1.json'), `${JSON.stringify({ ...one, blocks: ['2'], blockedBy: [] }, null, 2)}\n`)
    const two = { id: '2', subject: 'two', description: 'two in full', status: 'pending', blocks: [], blockedBy: ['1'] }
    assert.equal(read('2.json'), `${JSON.stringify({ ...two, metadata: { a: 1 } }, null, 2)}\n`)
    assert.deepEqual(
      (await mate('ann').list()).map(({ id, owner }) => [id, owner]),
      [
        ['1', 'bob'],
        ['2', undefined],
      ],
    )
  })

  it('gives no number twice', async () => {
    await make('one')
    await make('two')
    await lead().update('2', { status: 'deleted' })
    assert.deepEqual((await make('three')).id, '3')
    unlinkSync(join(folder, '3.json'))
    assert.deepEqual((await make('four')).id, '4')
    assert.deepEqual(readdirSync(folder).sort(), ['.highwatermark', '1.json', '4.json'])
  })

  it('lets only the owner and the lead take a task away', async () => {
    await make('one')
    assert.ok((await mate('bob').update('1', { owner: 'bob' })).ok)
    assert.match((await refusal(mate('ann').update('1', { owner: 'ann' }))) ?? '', /#1 belongs to bob/)
    assert.match((await refusal(mate('ann').update('1', { status: 'in_progress' }))) ?? '', /#1 belongs to bob/)
    assert.ok((await mate('ann').update('1', { description: 'more is known' })).ok)
    // Handed over by its owner, then by the lead.
    assert.ok((await mate('bob').update('1', { owner: 'ann' })).ok)
    assert.ok((await lead().update('1', { owner: 'cyd' })).ok)
    assert.ok((await mate('cyd').update('1', { status: 'completed' })).ok)
    assert.match((await refusal(mate('ann').update('1', { status: 'in_progress' }))) ?? '', /#1 is done/)
    assert.deepEqual(assigned, ['bob gave #1 to ann', 'team-lead gave #1 to cyd'])
  })

  it('starts nothing before its time', async () => {
    for (const subject of ['one', 'two']) await make(subject)
    await lead().update('2', { addBlockedBy: ['1'] })
    for (const status of ['in_progress', 'completed'] as const) {
      assert.equal(await refusal(mate('bob').update('2', { status })), 'Task #2 waits for #1')
      assert.equal(await refusal(lead().update('2', { status })), 'Task #2 waits for #1')
    }
    await mate('bob').update('1', { status: 'completed' })
    assert.ok((await mate('bob').update('2', { status: 'in_progress' })).ok)
  })

  it('frees what somebody who is gone did not finish', async () => {
    for (const subject of ['one', 'two', 'three']) await make(subject)
    await mate('bob').update('1', { status: 'in_progress' })
    await mate('bob').update('1', { status: 'completed' })
    await mate('bob').update('2', { status: 'in_progress' })
    await mate('ann').update('3', { status: 'in_progress' })
    assert.deepEqual(
      (await list.releaseAll('bob')).map(({ id }) => id),
      ['2'],
    )
    assert.deepEqual(
      (await lead().list()).map(({ status, owner }) => [status, owner]),
      [
        ['completed', 'bob'],
        ['pending', undefined],
        ['in_progress', 'ann'],
      ],
    )
  })

  it('reads what others left there, and mends half a link', async () => {
    mkdirSync(folder, { recursive: true })
    const put = (name: string, content: unknown) =>
      writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
    const task = { subject: 's', description: 'd', status: 'pending', blocks: [], blockedBy: [] }
    put('1.json', { ...task, id: '99' })
    put('2.json', { ...task, blockedBy: ['1', '77'], owner: 5, status: 'odd', metadata: null })
    put('3.json', '{"subject":')
    put('4.json', { subject: 1 })
    put('5.json', { ...task, metadata: { _internal: true } })
    put('8.json', 'x')
    put('notes.txt', 'x')
    const found = await lead().list()
    assert.deepEqual(
      found.map(({ id, blocks, blockedBy }) => [id, blocks, blockedBy]),
      [
        ['1', ['2'], []],
        ['2', [], ['1']],
      ],
    )
    assert.equal((await make('next')).id, '9')
  })
})
