// Branch coverage of a folder by its tests: `npm run coverage [-- folder part-of-a-test-path …]`. Lists what never ran, and fails
// if there is any. Without arguments: the permission engine. A branch is a block V8 counts: functions, arms of `if`, `?:`,
// `&&`, `||`, `??`, cases, loops, and what follows an early return.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { sourceMapOf } from './source-places.mjs'

const root = new URL('..', import.meta.url).pathname
const [folder = 'src/permissions', ...tests] = process.argv.slice(2)
const wanted =
  tests.length > 0 ? tests : [folder, 'test/contract/permission', 'test/fuzz', 'test/checkpoints/written-files']
const reports = mkdtempSync(join(tmpdir(), 'kedge-coverage-'))
try {
  const run = spawnSync(process.execPath, [join(root, 'scripts/test.mjs'), '--no-build', ...wanted], {
    env: { ...process.env, NODE_V8_COVERAGE: reports },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (run.status !== 0) process.exitCode = 1
  report(merge(reports))
} finally {
  rmSync(reports, { recursive: true, force: true })
}

/** Per file: which characters ran in any process, and every block that any process knows of. */
function merge(directory) {
  const files = new Map()
  for (const name of readdirSync(directory)) {
    const { result } = JSON.parse(readFileSync(join(directory, name), 'utf8'))
    for (const { url, functions } of result) {
      if (!url.startsWith(`file://${root}.build/${folder}`) || /\.test\.js$|\/test-[^/]*\.js$/.test(url)) continue
      const text = files.get(url)?.text ?? readFileSync(new URL(url), 'utf8')
      const file = files.get(url) ?? { text, ran: new Uint8Array(text.length), blocks: new Map() }
      files.set(url, file)
      const ran = new Uint8Array(text.length).fill(1)
      // Outer blocks first: an inner one overrules them.
      const ranges = functions.flatMap((f) => f.ranges)
      ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
      for (const { startOffset, endOffset, count } of ranges) {
        ran.fill(count > 0 ? 1 : 0, startOffset, endOffset)
        file.blocks.set(`${startOffset}-${endOffset}`, { from: startOffset, to: endOffset })
      }
      for (let i = 0; i < ran.length; i++) if (ran[i]) file.ran[i] = 1
    }
  }
  return files
}

function report(files) {
  const rows = []
  for (const [url, { text, ran, blocks }] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const missed = [...blocks.values()].filter(({ from, to }) => !ran.subarray(from, to).includes(1))
    const name = relative(join(root, '.build'), new URL(url).pathname).replace(/\.js$/, '.ts')
    rows.push({ name, branches: blocks.size, covered: blocks.size - missed.length })
    const outer = missed.filter((one) => !missed.some((m) => m !== one && m.from <= one.from && m.to >= one.to))
    const place = positions(url, text)
    for (const { from, to } of outer) {
      const line = text.slice(from, to).trim().replace(/\s+/g, ' ').slice(0, 80)
      console.log(`${name}:${place(from + /^\s*/.exec(text.slice(from, to))[0].length)} never ran: ${line}`)
    }
  }
  console.table(rows)
  const branches = rows.reduce((sum, row) => sum + row.branches, 0)
  const covered = rows.reduce((sum, row) => sum + row.covered, 0)
  console.log(`${folder}: ${covered} of ${branches} branches covered`)
  if (branches === 0 || covered < branches) process.exitCode = 1
}

/** From an offset in a transpiled file to the line of the source. */
function positions(url, text) {
  const map = sourceMapOf(new URL(url).pathname)
  return (offset) => {
    const before = text.slice(0, offset).split('\n')
    return (map?.findEntry(before.length - 1, before.at(-1).length).originalLine ?? 0) + 1
  }
}
