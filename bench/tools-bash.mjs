// What the Bash tool adds to a bare shell: `true` many times over, one after the other, the two taking turns.
import { spawn } from 'node:child_process'
import { transpile } from '../scripts/transpile.mjs'

/** Milliseconds per command, medians and means, and how many times the bare shell the tool takes. */
export async function measureBash(rounds = 200) {
  await transpile()
  const { createTestContext } = await import('../.build/src/tools/test-context.js')
  const { createBashTool } = await import('../.build/src/tools/bash/bash.js')
  const { context, dispose } = await createTestContext()
  const tool = createBashTool({ isReadOnlyCommand: () => false })
  const ask = () => tool.execute({ command: 'true' }, context)
  const bare = () =>
    new Promise((resolve) => {
      spawn('bash', ['-c', 'true'], { cwd: context.cwd, env: context.env }).on('close', resolve)
    })
  try {
    const times = { tool: [], bare: [] }
    for (let i = 0; i < 10; i += 1) {
      await ask()
      await bare()
    }
    for (let i = 0; i < rounds; i += 1) {
      times.tool.push(await timed(ask))
      times.bare.push(await timed(bare))
    }
    return {
      rounds,
      toolMs: mean(times.tool),
      bareMs: mean(times.bare),
      toolMedianMs: median(times.tool),
      bareMedianMs: median(times.bare),
      ratio: mean(times.tool) / mean(times.bare),
    }
  } finally {
    await dispose()
  }
}

async function timed(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
