// What grows with what: the same work with n and with 2 n of something, counted (calls of the file system, characters serialized and
// encoded), so that a busy machine changes nothing. Twice as much may cost twice as much, and no more. `npm test` holds it
// (test/contract/growth.test.ts); `node bench/growth.mjs` shows it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answer, startModel } from './support/model.mjs'
import { createHome, kedge, root, start } from './support/subjects.mjs'

const COUNTER = join(root, 'bench', 'support', 'count-calls.cjs')
const id = (n) => `toolu_${String(n).padStart(6, '0')}`
/** `input(n)`: of the n-th call of a tool. */
const turns = (count, name, input) => (n) =>
  n <= count ? answer({ name, input: input(n), id: id(n) }) : answer('Done.')

/** Each makes its folder ready for n, and gives what the model answers. */
const CASES = {
  'todo changes': (n) => turns(n, 'TodoWrite', (turn) => ({ todos: todos(turn) })),
  'files written': (n, { cwd }) =>
    turns(n, 'Write', (turn) => ({ file_path: join(cwd, 'made', `${turn}.txt`), content: 'one line\n' })),
  // No commands: how often the table of processes is looked at depends on how busy the machine is.
  'characters of CLAUDE.md': (n, { cwd }) => {
    writeFileSync(join(cwd, 'CLAUDE.md'), `${'word '.repeat(20)}\n`.repeat(n * 5))
    return () => answer('Done.')
  },
  'lines of a tool result': (n, { cwd }) => {
    writeFileSync(join(cwd, 'long.txt'), `${'word '.repeat(10)}\n`.repeat(n * 5))
    return turns(1, 'Read', () => ({ file_path: join(cwd, 'long.txt') }))
  },
  // Read, then changed, one after the other.
  'files edited': (n, { cwd }) => {
    const file = (at) => join(cwd, `edited-${at}.txt`)
    for (let at = 1; at <= n; at += 1) writeFileSync(file(at), 'one line\n')
    const call = (turn) => {
      const file_path = file(Math.ceil(turn / 2))
      return turn % 2 === 1
        ? { name: 'Read', input: { file_path } }
        : { name: 'Edit', input: { file_path, old_string: 'one', new_string: 'two' } }
    }
    return (turn) => (turn <= 2 * n ? answer({ ...call(turn), id: id(turn) }) : answer('Done.'))
  },
  'tools of an MCP server': () => turns(10, 'mcp__b__stamp', () => ({})),
  'calls in one answer': (n, { cwd }) => {
    writeFileSync(join(cwd, 'notes.txt'), 'one line\n')
    const calls = Array.from({ length: n }, (_, at) => ({
      name: 'Read',
      input: { file_path: join(cwd, 'notes.txt') },
      id: id(at),
    }))
    return (turn) => (turn === 1 ? answer(...calls) : answer('Done.'))
  },
}
const COUNT = 30
/** Words that a case adds to the command line. */
const MORE_WORDS = {
  // As good as all of 500. Their server has one call each turn.
  'tools of an MCP server': (n) => {
    const server = { command: process.execPath, args: [join(root, 'bench', 'mcp-server.mjs'), String(n * 8)] }
    return ['--mcp-config', JSON.stringify({ mcpServers: { b: server } })]
  },
}

function todos(turn) {
  const status = (at) => (at < turn % 5 ? 'completed' : 'pending')
  return Array.from({ length: 5 }, (_, at) => ({ content: `Step ${at}`, activeForm: 'Stepping', status: status(at) }))
}

/** Of every case: how many times the work of n is needed for 2 n, by what is counted. */
export async function measureGrowth(names = Object.keys(CASES)) {
  const growth = {}
  for (const name of names) {
    const [none, once, twice] = [await count(name, 1), await count(name, COUNT), await count(name, 2 * COUNT)]
    // A handful more or less is no growth: a file is read in pieces.
    const times = (what) => (twice[what] - none[what] < 10 ? 1 : (twice[what] - none[what]) / (once[what] - none[what]))
    growth[name] = { files: times('files'), serialized: times('serialized'), encoded: times('encoded') }
  }
  return growth
}

async function count(name, n) {
  const model = await startModel()
  const home = createHome()
  try {
    const file = join(home.home, 'counts.json')
    const run = model.run(CASES[name](n, home))
    const [program, ...args] = kedge.command
    const counted = {
      ...kedge,
      command: [
        program,
        '--require',
        COUNTER,
        ...args,
        '--permission-mode',
        'bypassPermissions',
        '--setting-sources',
        'project',
        ...(MORE_WORDS[name]?.(n) ?? []),
      ],
    }
    await start(counted, {
      ...home,
      env: { ...home.env, COUNTS_FILE: file, IS_SANDBOX: '1', ENABLE_TOOL_SEARCH: 'false' },
      url: run.url,
    }).ended
    run.end()
    return JSON.parse(readFileSync(file, 'utf8')).all
  } finally {
    await model.close()
    home.dispose()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, times] of Object.entries(
    await measureGrowth(process.argv.slice(2).length ? process.argv.slice(2) : undefined),
  )) {
    const cells = Object.entries(times).map(([what, value]) => `${what} ${value.toFixed(2)} ×`)
    console.log(`${name.padEnd(30)} ${cells.join('   ')}`)
  }
}
