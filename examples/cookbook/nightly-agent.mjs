// An agent that works at night: it has a budget and a time limit, writes a report, and tells the scheduler by its exit code whether
// it succeeded. See kedge-nightly.timer. A scripted model stands in for a real one.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { query } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'

const reportOf = (folder) => join(folder, 'reports', `${new Date().toISOString().slice(0, 10)}.md`)
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
    result ??= { subtype: error.code ?? error.name, error_fix: error.fix }
  }
  const { subtype, terminal_reason, error_fix = '', total_cost_usd = 0, permission_denials = [], session_id } = result
  const isDone = subtype === 'success' && !result.is_error
  const report = [
    `# ${prompt}: ${isDone ? 'done' : `failed (${terminal_reason ?? subtype})`}`,
    isDone ? result.result : error_fix,
    ...permission_denials.map(({ tool_name, tool_input }) => `Denied: ${tool_name} ${JSON.stringify(tool_input)}`),
    `$${total_cost_usd.toFixed(2)}, session ${session_id}`,
  ]
  const file = reportOf(night.cwd)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.tmp`, `${report.filter(Boolean).join('\n\n')}\n`)
  renameSync(`${file}.tmp`, file)
  return isDone ? 0 : 1
}

// In your program: process.exitCode = await workAtNight('Check the dependencies.', { cwd: '/srv/project' })
const push = { tools: [{ name: 'Bash', input: { command: 'git push' } }] }
const dear = { ...push, usage: { input_tokens: 2_000_000 } }
const slow = { text: 'Never ends.', stallAfterEvents: 2 }
const model = await startModelServer([push, 'Two packages are old.', dear, slow])
const options = testOptions(model)
const file = reportOf(options.cwd)
const nights = [/done\n\nTwo .*\n\nDenied: Bash .*git push/, /failed \(budget_exhausted\)/, /failed \(timeout\)/]
for (const [at, expected] of nights.entries()) {
  const code = await workAtNight('Check the dependencies.', { ...options, ...(at === 2 ? { timeoutMs: 300 } : {}) })
  const report = readFileSync(file, 'utf8')
  console.log(`exit code ${code}\n${report}`)
  assert.equal(code, at === 0 ? 0 : 1)
  assert.match(report, expected)
}
await Promise.all([model.close(), options[Symbol.asyncDispose]()])
