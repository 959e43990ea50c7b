// Permissions: `canUseTool` decides each call that neither a rule nor the mode decides. It can allow the call, allow it with another
// input, or deny it with a reason that the model reads.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { query } from 'kedge'

const cwd = mkdtempSync(join(tmpdir(), 'kedge-example-'))
process.on('exit', () => rmSync(cwd, { recursive: true, force: true }))

async function canUseTool(toolName, input) {
  if (toolName === 'Write') {
    return { behavior: 'allow', updatedInput: { ...input, content: `${input.content}\n(checked)\n` } }
  }
  if (toolName === 'Bash' && input.command.startsWith('mkdir ')) return { behavior: 'allow' }
  return { behavior: 'deny', message: `${toolName} is not for this program.` }
}

let result
for await (const message of query({
  prompt: 'create a.txt with hello then run `mkdir sub` then run `touch b.txt` then list the files',
  options: { model: 'practice', cwd, persistSession: false, canUseTool },
})) {
  if (message.type === 'result') result = message
}

console.log(result.result)
console.log('denied:', result.permission_denials)

assert.equal(readFileSync(join(cwd, 'a.txt'), 'utf8'), 'hello\n(checked)\n')
assert.equal(existsSync(join(cwd, 'sub')), true)
assert.equal(existsSync(join(cwd, 'b.txt')), false)
assert.deepEqual(
  result.permission_denials.map((denial) => denial.tool_input),
  [{ command: 'touch b.txt' }],
)
