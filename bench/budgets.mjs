// What the product may use, counted in things that are the same on every run: no clock, no processor. `npm test` holds the counts
// against bench/budgets.json (test/contract/budgets.test.ts); `node bench/budgets.mjs` shows them.
import { spawn } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answer, startModel } from './support/model.mjs'
import { createHome, kedge, library, root, start } from './support/subjects.mjs'

const dist = join(root, 'dist')
const COUNTER = join(root, 'bench', 'support', 'count-calls.cjs')
const EVENTS = 1000
/** Compared with each other: the history is eight times as long at the second. */
const EARLY = 5
const LATE = 40

export function readBudgets() {
  return JSON.parse(readFileSync(join(root, 'bench', 'budgets.json'), 'utf8'))
}

/** One text per count that is over its budget, has none, or is so far below it that the budget guards nothing. */
export function findOverruns(counts, budgets) {
  const problems = []
  for (const [name, { count, of }] of Object.entries(counts)) {
    if (count === undefined) continue
    const budget = budgets[name]
    const details = of ? ` (${of.join(', ')})` : ''
    if (budget === undefined) problems.push(`${name}: ${count}, and bench/budgets.json has no budget for it`)
    else if (count > budget) {
      problems.push(
        `${name}: ${count} is over the budget of ${budget}${details}. Find out what the change added ` +
          '(`node bench/budgets.mjs` here and on main) and take it off the path. Where it is worth its price, raise the ' +
          'number in bench/budgets.json in the same commit, and say there what users get for it.',
      )
    } else if (count < budget / 2) {
      problems.push(`${name}: ${count} is less than half of its budget of ${budget}: lower it in bench/budgets.json`)
    }
  }
  for (const name of Object.keys(budgets))
    if (!Object.hasOwn(counts, name)) problems.push(`${name}: has a budget but is not counted`)
  return problems
}

export async function countAll() {
  const model = await startModel()
  const home = createHome()
  try {
    const world = { ...home, model }
    const hello = await runCounted(world, () => answer('Hello.'))
    return { ...sizes(), ...startOf(hello), ...(await turnCounts(world)), ...(await streamCounts(world)) }
  } finally {
    await model.close()
    home.dispose()
  }
}

/** Files that an import loads, as the built files say. */
function staticImports(entry, found = new Set()) {
  if (found.has(entry)) return found
  found.add(entry)
  const pattern = /(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g
  for (const [, path] of readFileSync(entry, 'utf8').matchAll(pattern)) staticImports(join(dirname(entry), path), found)
  return found
}

function sizes() {
  const bytes = (files) => [...files].reduce((sum, file) => sum + statSync(file).size, 0)
  const imported = staticImports(library)
  const agent = /import\("(\.[^"]*own-bundle-[^"]+)"\)/
  const [from, path] = [...imported].flatMap((file) => {
    const found = agent.exec(readFileSync(file, 'utf8'))
    return found ? [file, found[1]] : []
  })
  const first = staticImports(join(dirname(from), path)).add(join(dist, 'agent.cjs'))
  for (const file of imported) first.delete(file)
  return {
    'bytes of the command': { count: bytes([join(dist, 'kedge.cjs'), join(dist, 'agent.cjs')]) },
    'bytes before the prompt of a terminal': { count: bytes([join(dist, 'kedge.cjs'), join(dist, 'terminal.cjs')]) },
    'bytes an import of the library loads': { count: bytes(imported) },
    'files an import of the library loads': { count: imported.size },
    'bytes the first query in the process loads': { count: bytes(first) },
    'files the first query in the process loads': { count: first.size },
  }
}

function startOf({ builtins, files }) {
  return {
    "Node's modules a one-turn run of the command asks for": { count: builtins.length, of: builtins },
    'files a one-turn run of the command loads': { count: files.length, of: files },
  }
}

async function runCounted({ model, home, cwd, env }, answerTo) {
  const file = join(home, 'counts.json')
  const [program, ...args] = kedge.command
  const counted = { ...kedge, command: [program, '--require', COUNTER, ...args] }
  const run = model.run(answerTo)
  await start(counted, { cwd, env: { ...env, COUNTS_FILE: file }, url: run.url }).ended
  run.end()
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Turns that call Read: what a late one does more than an early one. */
async function turnCounts(world) {
  const path = join(world.cwd, 'notes.txt')
  writeFileSync(path, 'a line of text as programs have it\n'.repeat(40))
  // Ids of one length, so that each turn writes the same number of characters.
  const call = (n) => answer({ name: 'Read', input: { file_path: path }, id: `toolu_${String(n).padStart(6, '0')}` })
  const { turns } = await runCounted(world, (n) => (n <= LATE ? call(n) : answer('Done.')))
  const spent = (turn, name) => turns[turn][name] - turns[turn - 1][name]
  return {
    'calls of the file system per turn': { count: spent(LATE, 'files') },
    'writes to stdout per turn': { count: spent(LATE, 'lines') },
    'characters serialized per turn': { count: spent(LATE, 'serialized') },
    'characters encoded per turn': { count: spent(LATE, 'encoded') },
    'percent serialized and encoded in turn 40, of turn 5': {
      count: Math.round(
        (100 * (spent(LATE, 'serialized') + spent(LATE, 'encoded'))) /
          (spent(EARLY, 'serialized') + spent(EARLY, 'encoded')),
      ),
    },
  }
}

/** Bytes that 1,000 more events take from the heap, with room for all of them so that nothing is collected meanwhile. */
async function streamCounts({ model, cwd, env }) {
  // The first ones load and compile. Of the others the least counts: in how many pieces a text arrives depends on the machine.
  const texts = [1, 1, 1, 2, 1, 2, 1, 2].map((times) => times * EVENTS).map((deltas) => answer({ deltas }))
  const run = model.run((n) => texts[n - 1])
  const program = `
    const { query } = await import(${JSON.stringify(library)})
    const options = { model: 'claude-sonnet-4-5-20250929', systemPrompt: 'x', includePartialMessages: true }
    const used = []
    for (let i = 0; i < ${texts.length}; i += 1) {
      globalThis.gc()
      const before = process.memoryUsage().heapUsed
      for await (const message of query({ prompt: 'Hi.', options })) if (message.type === 'result') used.push(process.memoryUsage().heapUsed - before)
    }
    process.stdout.write(JSON.stringify(used))
    process.exit(0)`
  // Interpreted: optimized code leaves out allocations when it happens to be ready.
  const flags = [
    '--expose-gc',
    '--no-opt',
    '--single-threaded',
    '--min-semi-space-size=128',
    '--max-semi-space-size=128',
  ]
  const child = spawn(process.execPath, [...flags, '--input-type=module', '-e', program], {
    cwd,
    env: { ...env, ANTHROPIC_BASE_URL: run.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  await new Promise((resolve) => child.on('close', resolve))
  run.end()
  const used = JSON.parse(output)
  // Objects have other sizes in other versions of V8; the budget is for the oldest Node we run on.
  const isComparable = process.versions.node.startsWith('20.')
  const least = (...runs) => Math.min(...runs.map((run) => used[run]))
  const count = isComparable ? least(3, 5, 7) - least(2, 4, 6) : undefined
  return { 'bytes of the heap for 1,000 streamed events': { count, of: used.map((bytes) => `${bytes}`) } }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const counts = await countAll()
  const budgets = readBudgets()
  for (const [name, { count, of }] of Object.entries(counts)) {
    console.log(
      `${String(count ?? '–').padStart(9)} of ${String(budgets[name] ?? '–').padStart(9)}  ${name}${of ? `: ${of.join(' ')}` : ''}`,
    )
  }
  const problems = findOverruns(counts, budgets)
  for (const problem of problems) console.log(`✖ ${problem}`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
