// What the Bash tool adds to a bare shell, as it is and in the sandbox: `true` many times over, one after the other, in turns.
import { spawn } from 'node:child_process'
import { transpile } from '../scripts/transpile.mjs'

/** Milliseconds per command, medians and means, and how many times the bare shell the tool takes. */
export async function measureBash(rounds = 200) {
  await transpile()
  const { createTestContext } = await import('../.build/src/tools/test-context.js')
  const { createBashTool } = await import('../.build/src/tools/bash/bash.js')
  const { context, dispose } = await createTestContext()
  const { createLiveSettings } = await import('../.build/src/runtime/live-settings.js')
  const { createSessionSandbox } = await import('../.build/src/runtime/permission/session-sandbox.js')
  const { cwd, env, platform } = context
  const permissions = { directories: () => [cwd], deniedFiles: async () => [] }
  const settings = { sandbox: { enabled: true }, cwd, env, home: cwd, configDir: `${cwd}/.claude` }
  const ports = { permissions: () => permissions, readable: () => [], stderr: () => {} }
  const sandbox = createSessionSandbox(settings, createLiveSettings(settings), platform, ports)
  const tool = createBashTool({ isReadOnlyCommand: () => false })
  const inside = createBashTool({ isReadOnlyCommand: () => false, sandbox: sandbox.bash })
  await sandbox.bash.prepare()
  const isSandboxed = sandbox.state().available
  const ask = () => tool.execute({ command: 'true' }, context)
  const askInside = () => inside.execute({ command: 'true' }, context)
  const bare = () =>
    new Promise((resolve) => {
      spawn('bash', ['-c', 'true'], { cwd: context.cwd, env: context.env }).on('close', resolve)
    })
  try {
    const times = { tool: [], bare: [], inside: [] }
    for (let i = 0; i < 10 + rounds; i += 1) {
      const turn = { tool: await timed(ask), bare: await timed(bare), inside: isSandboxed ? await timed(askInside) : 0 }
      for (const [name, ms] of Object.entries(turn)) if (i >= 10) times[name].push(ms)
    }
    return {
      rounds,
      toolMs: mean(times.tool),
      bareMs: mean(times.bare),
      toolMedianMs: median(times.tool),
      bareMedianMs: median(times.bare),
      ratio: mean(times.tool) / mean(times.bare),
      sandboxMs: isSandboxed ? mean(times.inside) : undefined,
    }
  } finally {
    await sandbox.close()
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
