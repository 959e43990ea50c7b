/** What the tests cost is measured: who is counted as a start of Node, and which file pays. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

type Span = { file?: string; from: number; ms: number; cpuMs: number }
type Start = { owner: number; at: number }
type Cost = { cpuMs: number; starts: number; ms: number }
type Scripts = {
  createCounter(parent: number): { look(): void; starts: Start[] }
  costPerFile(processes: { pid: number; spans: Span[] }[], starts: Start[]): Map<string, Cost>
  costPerFolder(files: Map<string, Cost>): Record<string, Cost & { files: number }>
}
// Scripts are outside of what is compiled; these are their exports.
const load = (name: string) => import(pathToFileURL(join(process.cwd(), 'scripts', name)).href)
const { createCounter, costPerFile, costPerFolder }: Scripts = {
  ...(await load('test-starts.mjs')),
  ...(await load('test-cost.mjs')),
}

test('every Node below a process is counted once, and other programs are not', {
  skip: process.platform !== 'linux' && 'only Linux has /proc',
}, async () => {
  const wait = `process.stdin.resume(); console.log('up')`
  const inner = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(wait)}], { stdio: 'inherit' })`
  const counter = createCounter(process.pid)
  counter.look()
  const children = [
    spawn(process.execPath, ['-e', wait]),
    spawn(process.execPath, ['-e', inner]),
    spawn('sh', ['-c', 'echo up; exec cat']),
  ]
  await Promise.all(children.map((child) => once(child.stdout, 'data')))
  counter.look()
  counter.look()
  for (const child of children) child.stdin.end()
  await Promise.all(children.map((child) => once(child, 'close')))
  counter.look()
  const [first, second] = children.map(({ pid }) => pid)
  assert.deepEqual(counter.starts.map(({ owner }) => owner).sort(), [first, second, second].sort())
})

test('a start belongs to the file whose tests ran then, and loading to the first one', () => {
  const spans = [
    { from: 0, ms: 10, cpuMs: 5 },
    { file: 'test/hooks/one.test.ts', from: 10, ms: 10, cpuMs: 7 },
    { file: 'src/hooks/two.test.ts', from: 20, ms: 10, cpuMs: 1 },
  ]
  const starts = [0, 15, 15, 25].map((at) => ({ owner: 7, at }))
  const files = costPerFile([{ pid: 7, spans }], [...starts, { owner: 8, at: 0 }])
  assert.deepEqual(Object.fromEntries(files), {
    'test/hooks/one.test.ts': { cpuMs: 12, starts: 3, ms: 20 },
    'src/hooks/two.test.ts': { cpuMs: 1, starts: 1, ms: 10 },
    '?': { cpuMs: 0, starts: 1, ms: 0 },
  })
  assert.deepEqual(Object.keys(costPerFolder(files)), ['?', 'src/hooks', 'test/hooks'])
})
