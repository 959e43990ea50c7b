import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { describe, it } from 'node:test'
import { createFamilySearch, processKey } from './process-family.js'
import {
  isAlive,
  type ProcessEntry,
  parsePs,
  parseWindowsProcesses,
  readEntry,
  visitProcesses,
} from './process-table.js'

const linux = process.platform === 'linux'
const FORMAT = ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart=']

describe('the table of processes', () => {
  it('reads what ps prints', () => {
    const text = [
      '    1     0     1 Ss   Mon Jan  5 10:00:00 2026',
      '   42     1    40 S+   Tue Jan  6 11:12:13 2026  ',
      '   43    42    40 Z+   Tue Jan  6 11:12:13 2026',
      'nonsense',
      '',
    ].join('\n')
    assert.deepEqual(parsePs(text), [
      { pid: 1, parent: 0, group: 1, session: 0, started: Date.parse('Mon Jan 5 10:00:00 2026'), isOver: false },
      { pid: 42, parent: 1, group: 40, session: 0, started: Date.parse('Tue Jan 6 11:12:13 2026'), isOver: false },
      { pid: 43, parent: 42, group: 40, session: 0, started: Date.parse('Tue Jan 6 11:12:13 2026'), isOver: true },
    ])
  })

  it('reads what Windows says', () => {
    const ticks = (date: string) => String(BigInt(Date.parse(date)) * 10_000n + 621_355_968_000_000_000n)
    const text = `0 0 0\r\n4 0 ${ticks('2026-01-05T10:00:00Z')}\r\n  77 4 ${ticks('2026-01-06T11:12:13.250Z')}\r\nnonsense\r\n78 77 \r\n`
    const started = Date.parse('2026-01-06T11:12:13.250Z')
    assert.deepEqual(parseWindowsProcesses(text), [
      { pid: 77, parent: 4, group: 0, session: 0, started, isOver: false },
    ])
  })

  it('agrees with ps about this process', { skip: !linux }, async () => {
    const own = parsePs(execFileSync('ps', FORMAT, { encoding: 'utf8' })).find(({ pid }) => pid === process.pid)
    const entries: ProcessEntry[] = []
    await visitProcesses((entry) => entries.push(entry))
    const entry = entries.find(({ pid }) => pid === process.pid) ?? assert.fail()
    assert.deepEqual([own?.parent, own?.group], [entry.parent, entry.group])
    assert.deepEqual([readEntry(process.pid), isAlive(entry)], [entry, true])
    assert.equal(isAlive({ ...entry, started: entry.started - 1 }), false)
  })
})

describe('a family', () => {
  const nobody = { mark: 'no-such-mark', pipes: ['no-such-pipe'], since: 0 }

  it('is found by its parents where there are no groups; a number that was given again is nobody of it', async () => {
    const entry = (pid: number, parent: number, started: number): ProcessEntry => ({
      pid,
      parent,
      started,
      group: 0,
      session: 0,
      isOver: false,
    })
    // 30 says that 10 is its parent, but is older: its own parent had that number before.
    const table = [entry(10, 4, 100), entry(11, 10, 110), entry(12, 11, 120), entry(30, 10, 50), entry(40, 4, 130)]
    const look = async (visit: (entry: ProcessEntry) => void) => {
      table.forEach(visit)
      return []
    }
    const { members } = await createFamilySearch({ ...nobody, roots: [{ pid: 10, isOver: () => false }] }, look)()
    assert.deepEqual(members.map(({ pid }) => pid).sort(), [10, 11, 12])
  })

  it('has no strangers in it: not by a number given again, not from our own session', { skip: !linux }, async () => {
    const own = readEntry(process.pid) ?? assert.fail()
    assert.deepEqual((await createFamilySearch(nobody)()).members, [])
    assert.deepEqual((await createFamilySearch({ ...nobody, known: new Set([processKey(own)]) })()).members, [])
    const child = spawn('sleep', ['300'], { detached: true })
    const { pid } = child
    assert.ok(pid !== undefined)
    const entry = readEntry(pid) ?? assert.fail()
    const pids = async (more: object) =>
      (await createFamilySearch({ ...nobody, ...more })()).members.map((member) => member.pid)
    try {
      assert.deepEqual(await pids({ roots: [{ pid, isOver: () => false }] }), [pid])
      // Its number, but somebody else's by now.
      assert.deepEqual(await pids({ roots: [{ pid, isOver: () => true }] }), [])
      assert.deepEqual(await pids({ known: new Set([processKey(entry)]) }), [pid])
      assert.deepEqual(await pids({ known: new Set([processKey({ pid, started: entry.started - 1 })]) }), [])
      assert.deepEqual(await pids({ known: new Set([processKey(entry)]), since: entry.started + 1 }), [])
    } finally {
      child.kill('SIGKILL')
    }
  })
})
