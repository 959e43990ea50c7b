/**
 * C15: approvals can't outlive the process.
 * https://github.com/preloop/preloop/issues/510 · https://github.com/temporalio/sdk-python/issues/1660
 * https://github.com/wildware-uk/agent-dashboard/issues/15 · https://github.com/DrejT/alineo/issues/227
 *
 * T: after `kill -9` while a question is open, another process lists it under the same id and resolves it: the tool runs exactly once, and
 * a second answer is refused. Kedge does the half of it that concerns safety: a call that was never approved does not run, neither by
 * itself nor twice, the session is told of it and goes on, and the model can ask again. In a cluster any
 * process can answer (`test/cluster/turns.test.ts`).
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { query } from 'kedge'
import { collect } from 'kedge/testing'
import type { Errand } from '../sdk/mortal-host.js'
import { bash, until, withModel } from '../support/stage.js'

const host = fileURLToPath(new URL('../sdk/mortal-host.js', import.meta.url))

test('C15 killed while an approval is pending: nothing runs, the session says so and goes on, and the call can be made again once', async () => {
  await withModel(
    ({ prompt, toolResults }) => {
      if (prompt.includes('GO ON')) return bash('echo ran >> ran', 'toolu_2')
      return toolResults.length > 0 ? 'Done.' : bash('echo ran >> ran', 'toolu_1')
    },
    {},
    async ({ options, server }) => {
      const errand: Errand = { point: 'permission', options: { ...options } }
      const child = spawn(process.execPath, [host, JSON.stringify(errand)], { stdio: 'pipe', cwd: options.cwd })
      const over = new Promise((resolve) => child.once('exit', resolve))
      let said = ''
      child.stdout.on('data', (chunk) => {
        said += chunk
      })
      await until(() => said.includes('there'))
      child.kill('SIGKILL')
      await over
      assert.equal(existsSync(join(options.cwd, 'ran')), false)
      const projects = join(options.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects')
      const [file = ''] = readdirSync(projects, { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('.jsonl'))
      const resume = /([0-9a-f-]{36})\.jsonl$/.exec(file)?.[1] ?? ''
      const asked: string[] = []
      const canUseTool = async (_name: string, _input: object, { toolUseID }: { toolUseID: string }) => {
        asked.push(toolUseID)
        return { behavior: 'allow' as const }
      }
      const run = await collect(query({ prompt: 'GO ON.', options: { ...options, resume, canUseTool } }))
      assert.equal(run.result?.subtype, 'success')
      assert.deepEqual(asked, ['toolu_2'])
      assert.match(JSON.stringify(server.requests[1]?.body.messages), /cut off before this call began. It was not run./)
      assert.equal(readFileSync(join(options.cwd, 'ran'), 'utf8'), 'ran\n')
    },
  )
})
