// What Grep and Glob add to a bare ripgrep with the same arguments, on a tree of 50,000 files, the two taking turns.
import { spawn } from 'node:child_process'
import { transpile } from '../scripts/transpile.mjs'
import { growTree } from './search-tree.mjs'

const QUESTIONS = {
  'Grep, files, 100 of 50,000': ['Grep', { pattern: 'needle_in_the_haystack' }],
  'Grep, lines with context': ['Grep', { pattern: 'needle_\\w+', output_mode: 'content', '-C': 2 }],
  'Grep, counts, no text to jump to': ['Grep', { pattern: '\\w{20,}', output_mode: 'count' }],
  'Grep, files, all of 50,000': ['Grep', { pattern: 'gamma' }],
  'Glob, 100 of 50,000': ['Glob', { pattern: '**/rare-*' }],
  'Glob, 12,500 of 50,000': ['Glob', { pattern: '**/*.ts' }],
}

/** Per question: medians in ms, and how many times the bare program the tool takes. */
export async function measureSearch(rounds = 15, files = 50_000) {
  await transpile()
  const { createTestContext } = await import('../.build/src/tools/test-context.js')
  const { createGrepTool } = await import('../.build/src/tools/grep/grep.js')
  const { createGlobTool } = await import('../.build/src/tools/glob/glob.js')
  const tools = { Grep: createGrepTool({}), Glob: createGlobTool({}) }
  const tree = growTree(files)
  const test = await createTestContext()
  const { platform, session } = test.context
  let asked
  const processes = {
    ...platform.processes,
    run(options) {
      asked = options
      return platform.processes.run(options)
    },
  }
  const context = {
    ...test.context,
    cwd: tree.root,
    session: { ...session, shellCwd: tree.root },
    platform: { ...platform, processes },
  }
  try {
    const subjects = []
    for (const [name, [tool, input]] of Object.entries(QUESTIONS)) {
      const ask = async () => {
        const outcome = await tools[tool].execute(input, context)
        if (!outcome.ok) throw new Error(`${name}: ${outcome.error}`)
      }
      // Once for the arguments, which warms the disk as well.
      asked = undefined
      await ask()
      if (!asked) throw new Error('ripgrep was not found: npm install')
      const { command, args, cwd, env } = asked
      subjects.push({ name, ask, bare: () => run(command, args, { cwd, env }), tool: [], floor: [] })
    }
    for (let i = 0; i < rounds; i += 1) {
      for (const subject of subjects) {
        const turns = [
          async () => subject.tool.push(await timed(subject.ask)),
          async () => subject.floor.push(await timed(subject.bare)),
        ]
        // Who comes second finds everything at hand, so they change places.
        for (const turn of i % 2 === 0 ? turns : turns.reverse()) await turn()
      }
    }
    return subjects.map(({ name, tool, floor }) => {
      const [toolMs, floorMs] = [median(tool), median(floor)]
      return { name, toolMs, floorMs, ratio: toolMs / floorMs }
    })
  } finally {
    await test.dispose()
    tree.dispose()
  }
}

/** To its end, with all of its output taken and dropped. */
function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] })
    child.stdout.resume()
    child.on('error', reject)
    child.on('close', resolve)
  })
}

async function timed(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
