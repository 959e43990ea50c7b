import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BackgroundEnd, BackgroundTask, BackgroundWork } from '../engine/background-port.js'
import { createPlatformIdentity } from '../platform/identity.js'
import { createBackgroundTable } from './background-table.js'

function createTable() {
  const started: string[] = []
  const ended: [id: string, status: string, told: boolean][] = []
  const table = createBackgroundTable({
    identity: createPlatformIdentity(),
    outputFolder: async () => '/outputs',
    onStarted: (task) => started.push(task.id),
    onEnded: (task, told) => ended.push([task.id, task.status, told]),
  })
  return { table, started, ended }
}

/** Work whose end the test decides; stopping it ends it as stopped. */
function createWork(description = 'work') {
  let end: (end: BackgroundEnd) => void = () => {}
  const ended = new Promise<BackgroundEnd>((resolve) => {
    end = resolve
  })
  const work: BackgroundWork = {
    type: 'local_bash',
    description,
    toolUseId: 'toolu_1',
    command: 'sleep 1',
    output: async () => 'so far',
    ended,
    stop: () => end({ status: 'stopped', exitCode: null }),
  }
  return { work, end }
}

test('ids have the shape of their kind and name the output file', async () => {
  const { table } = createTable()
  const command = await table.prepare('local_bash')
  assert.match(command.id, /^b[0-9a-f]{6}$/)
  assert.equal(command.outputFile, `/outputs/${command.id}.output`)
  assert.match((await table.prepare('local_agent')).id, /^a[0-9a-f]{16}$/)
})

test('what a task puts out is passed on with the task', async () => {
  const told: [string, string][] = []
  const table = createBackgroundTable({
    identity: createPlatformIdentity(),
    outputFolder: async () => '/outputs',
    onStarted: () => {},
    onEnded: () => {},
    onOutput: (task, text) => told.push([task.id, text]),
  })
  const prepared = await table.prepare('local_bash')
  let print: (text: string) => void = () => {}
  table.adopt(prepared, {
    ...createWork().work,
    listen: (take) => {
      print = take
    },
  })
  print('one')
  print('two')
  assert.deepEqual(told, [
    [prepared.id, 'one'],
    [prepared.id, 'two'],
  ])
})

test('a task runs, ends, and is reported once with how it ended', async () => {
  const { table, started, ended } = createTable()
  const prepared = await table.prepare('local_bash')
  const { work, end } = createWork('build')
  const task = table.adopt(prepared, work)
  assert.deepEqual(started, [prepared.id])
  assert.equal(table.find(prepared.id), task)
  assert.deepEqual(
    [task.status, task.exitCode, task.description, await task.output(30_000)],
    ['running', null, 'build', 'so far'],
  )
  assert.deepEqual(table.running(), [task])
  end({ status: 'failed', exitCode: 3 })
  await task.ended
  assert.deepEqual([task.status, task.exitCode], ['failed', 3])
  assert.deepEqual(ended, [[prepared.id, 'failed', false]])
  assert.deepEqual(table.running(), [])
})

test('who stopped a task is not told again; stopping what is over does nothing', async () => {
  const { table, ended } = createTable()
  const task = table.adopt(await table.prepare('local_bash'), createWork().work)
  await table.stop(task)
  await table.stop(task)
  assert.deepEqual(ended, [[task.id, 'stopped', true]])
  assert.equal(task.status, 'stopped')
})

test('stopAll ends what runs and leaves ends alone that came before', async () => {
  const { table, ended } = createTable()
  const done = createWork()
  const tasks: BackgroundTask[] = []
  for (const { work } of [done, createWork(), createWork()]) {
    tasks.push(table.adopt(await table.prepare('local_bash'), work))
  }
  done.end({ status: 'completed', exitCode: 0 })
  await tasks[0]?.ended
  await table.stopAll()
  assert.deepEqual(
    tasks.map(({ status }) => status),
    ['completed', 'stopped', 'stopped'],
  )
  assert.equal(ended.length, 3)
})

test('offers: one by its call, all at once, and none that was taken back', async () => {
  const { table } = createTable()
  const moved: string[] = []
  const offer = (id: string) => table.offer(id, () => moved.push(id))
  offer('one')
  const withdraw = offer('two')
  offer('three')
  withdraw()
  assert.equal(table.moveToBackground('one'), 1)
  assert.equal(table.moveToBackground('one'), 0)
  assert.equal(table.moveToBackground(), 1)
  assert.deepEqual(moved, ['one', 'three'])
})
