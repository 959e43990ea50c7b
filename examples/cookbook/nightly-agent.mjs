// An agent that works at night: it has a budget and a time limit, writes a report, and tells the scheduler by its exit code whether
// it succeeded. See kedge-nightly.timer. A scripted model stands in for a real one.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { query } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'

/** Returns the exit code. The report is there in any case, whole or not at all. */
async function workAtNight(prompt, options) {
  const night = {
    permissionMode: 'dontAsk', // No user is awake: what isn't allowed is denied.
    allowedTools: ['Bash(npm audit:*)', 'Bash(npm outdated:*)', 'Read', 'Grep', 'Glob'],
    maxBudgetUsd: 2,
    maxTurns: 50,
    timeoutMs: 30 * 60_000,
    ...options,
  }
  let result
  try {
    for await (const message of query({ prompt, options: night })) if (message.type === 'result') result = message
  } catch (error) {
    result ??= { is_error: true, subtype: error.code ?? error.name, error_fix: error.fix }
  }
  const { is_error, subtype, error_fix = '', total_cost_usd = 0, permission_denials = [], session_id } = result
  const report = [
    `# ${new Date().toISOString().slice(0, 10)}: ${is_error ? `failed (${subtype})` : 'done'}`,
    is_error ? error_fix : result.result,
    ...permission_denials.map(({ tool_name, tool_input }) => `Denied: ${tool_name} ${JSON.stringify(tool_input)}`),
    `$${total_cost_usd.toFixed(2)}, session ${session_id}`,
  ]
  const file = join(night.cwd, 'reports', `${new Date().toISOString().slice(0, 10)}.md`)
  mkdirSync(join(night.cwd, 'reports'), { recursive: true })
  writeFileSync(`${file}.tmp`, `${report.filter(Boolean).join('\n\n')}\n`)
  renameSync(`${file}.tmp`, file)
  return is_error ? 1 : 0
}

// In your program: process.exitCode = await workAtNight('Check the dependencies.', { cwd: '/srv/project' })
const push = { name: 'Bash', input: { command: 'git push' } }
const model = await startModelServer([
  { tools: [push] },
  'Two packages are out of date.',
  { tools: [push], usage: { input_tokens: 2_000_000 } },
  { text: 'Never ends.', stallAfterEvents: 2 },
])
const options = testOptions(model)
const play = async (more) => {
  const code = await workAtNight('Check the dependencies.', { ...options, ...more })
  const reports = join(options.cwd, 'reports')
  return {
    code,
    report: readdirSync(reports)
      .map((name) => readFileSync(join(reports, name), 'utf8'))
      .join(),
  }
}
const nights = [await play(), await play(), await play({ timeoutMs: 300 })]
console.log(nights.map(({ code, report }) => `exit code ${code}\n${report}`).join('\n'))
assert.deepEqual(
  nights.map(({ code }) => code),
  [0, 1, 1],
)
assert.match(
  nights[0].report,
  /done\n\nTwo packages are out of date\.\n\nDenied: Bash \{"command":"git push"\}\n\n\$0\.\d\d/,
)
assert.match(nights[1].report, /failed \(error_max_budget_usd\)/)
assert.match(nights[2].report, /failed/)
await options[Symbol.asyncDispose]()
await model.close()
