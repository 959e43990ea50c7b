// Hooks: PreToolUse sees every call before it runs and can deny it, whatever the permissions are. PostToolUse sees the result. A
// matcher chooses the tools.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { query } from 'kedge'

const cwd = mkdtempSync(join(tmpdir(), 'kedge-example-'))
process.on('exit', () => rmSync(cwd, { recursive: true, force: true }))
writeFileSync(join(cwd, 'notes.txt'), 'Remember the milk.')

async function protectKeys({ tool_input: input }) {
  if (!input.file_path.endsWith('.key')) return {}
  const permissionDecisionReason = 'Key files are off limits.'
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason } }
}
const log = []
async function record({ tool_name: tool }) {
  log.push(tool)
  return {}
}
const hooks = { PreToolUse: [{ matcher: 'Write|Edit', hooks: [protectKeys] }], PostToolUse: [{ hooks: [record] }] }

let result
const prompt = 'read notes.txt then create secret.key with 1234'
const options = { model: 'practice', cwd, persistSession: false, permissionMode: 'acceptEdits', hooks }
for await (const message of query({ prompt, options })) if (message.type === 'result') result = message

console.log(result.result)
console.log('ran:', log)

assert.deepEqual(log, ['Read'])
assert.equal(existsSync(join(cwd, 'secret.key')), false)
assert.match(result.result, /Key files are off limits/)
