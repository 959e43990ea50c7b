// What the tools cost, each against a floor in the same interleaved run: `node bench/tools.mjs [search] [files] [bash]`.
// Grep and Glob against ripgrep with the same arguments, Read and Edit against node:fs, Bash against a bare shell. It
// measures and judges nothing: the aims stand beside the ratios.
import { measureBash } from './tools-bash.mjs'
import { measureEdit, measureRead } from './tools-files.mjs'
import { measureSearch } from './tools-search.mjs'

const parts = {
  async search() {
    return (await measureSearch()).map((row) => ({ ...row, aim: 1.3 }))
  },
  async files() {
    const read = await measureRead()
    const edit = await measureEdit()
    const growth = `memory +${read.toolGrowthMb.toFixed(0)} MB, whole file +${read.floorGrowthMb.toFixed(0)} MB`
    return [
      { ...read, name: 'Read, 10 lines of 50 MB', note: growth },
      { ...edit, name: 'Edit, a word in 5 MB' },
    ]
  },
  async bash() {
    const bash = await measureBash()
    const row = { ...bash, name: `Bash, true × ${bash.rounds}, mean`, floorMs: bash.bareMs, aim: 1.5 }
    if (bash.sandboxMs === undefined) return [row]
    const { sandboxMs, toolMs } = bash
    return [
      row,
      { name: 'the same in the sandbox', toolMs: sandboxMs, floorMs: toolMs, ratio: sandboxMs / toolMs, aim: 4 },
    ]
  },
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((part) => !Object.hasOwn(parts, part))
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(', ')}. There are ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}
printRow('what', 'tool', 'floor', 'ratio', 'aim')
for (const [part, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(part)) continue
  for (const { name, toolMs, floorMs, ratio, aim, note = '' } of await measure()) {
    printRow(name, ms(toolMs), ms(floorMs), ratio.toFixed(2), aim ? `≤ ${aim}` : '', note)
  }
}

function printRow(what, tool, floor, ratio, aim, note = '') {
  const row = `${what.padEnd(34)} ${tool.padStart(10)} ${floor.padStart(10)} ${ratio.padStart(6)} ${aim.padStart(6)}  ${note}`
  console.log(row.trimEnd())
}

function ms(value) {
  return `${value.toFixed(1)} ms`
}
