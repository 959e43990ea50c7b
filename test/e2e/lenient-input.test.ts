/** Calls as models make them: slips in the form of an input, old names of tools, and names that no tool has. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from 'kedge'
import { callTools, collect, startModelServer, testOptions } from 'kedge/testing'

test('a call with slips runs, and host, hooks and the model read the input as it was understood', async () => {
  const given = { command: 'echo "$((1+1))"', timeout: '5000', run_in_background: null, reason: 'because' }
  await using server = await startModelServer([{ tools: [{ name: 'Bash', input: given }] }, 'Done.'])
  const seen: unknown[] = []
  await using options = testOptions(server, {
    gate: 'always',
    canUseTool: async (_name, input) => {
      seen.push(input)
      return { behavior: 'allow', updatedInput: input }
    },
    hooks: {
      PreToolUse: [
        {
          hooks: [
            async (input) => {
              seen.push('tool_input' in input ? input.tool_input : undefined)
              return {}
            },
          ],
        },
      ],
    },
  })
  const run = await collect(query({ prompt: 'Go.', options }))
  const read = { command: 'echo "$((1+1))"', timeout: 5000 }
  assert.deepEqual(seen, [read, read])
  const said = run.messages.flatMap((message) => (message.type === 'assistant' ? message.message.content : []))
  assert.deepEqual(
    said.flatMap((block) => (block.type === 'tool_use' ? [block.input] : [])),
    [read],
  )
  const sent = JSON.stringify(server.requests[1]?.body.messages)
  assert.ok(sent.includes('"timeout":5000') && !sent.includes('because'))
  assert.match(String(server.requests[1]?.toolResults[0]?.text), /^2\n\n\(Ignored: `reason`\. Bash takes command, /)
})

test('old names lead to the tools of today', async () => {
  const { results, run } = await callTools([
    { name: 'Bash', input: { command: 'echo up; sleep 60', run_in_background: true } },
    { name: 'BashOutput', input: ([bash]) => ({ bash_id: /ID: (\w+)/.exec(bash?.text ?? '')?.[1] }) },
    { name: 'KillShell', input: ([bash]) => ({ shell_id: /ID: (\w+)/.exec(bash?.text ?? '')?.[1] }) },
  ])
  assert.match(results[1]?.text ?? '', /not_ready/)
  assert.match(results[2]?.text ?? '', /[Ss]topped/)
  const called = run.messages.flatMap((message) => (message.type === 'assistant' ? message.message.content : []))
  assert.deepEqual(
    called.flatMap((block) => (block.type === 'tool_use' ? [block.name] : [])),
    ['Bash', 'TaskOutput', 'TaskStop'],
  )
})

test('MultiEdit with one edit is an Edit; with more it says how', async () => {
  await using server = await startModelServer([])
  await using options = testOptions(server)
  const file_path = join(options.cwd ?? '', 'a.txt')
  await writeFile(file_path, 'one two')
  const edit = { old_string: 'one', new_string: '1' }
  const { results } = await callTools(
    [
      { name: 'Read', input: { file_path } },
      { name: 'MultiEdit', input: { file_path, edits: [edit] } },
      { name: 'MultiEdit', input: { file_path, edits: [edit, edit] } },
    ],
    { cwd: options.cwd },
  )
  assert.match(results[1]?.text ?? '', /has been updated successfully/)
  assert.match(results[2]?.text ?? '', /There is no MultiEdit here\. Did you mean Edit\? Call it once for each change/)
})

test('a name that no tool has is answered with the one that is meant', async () => {
  const names = { read_file: 'Read', bash: 'Bash', Gerp: 'Grep', list_dir: 'Glob', str_replace_editor: 'Edit' }
  const { results } = await callTools(Object.keys(names).map((name) => ({ name, input: {} })))
  assert.deepEqual(
    results.map(({ text }) =>
      /Error: No such tool available: (\w+)\. Did you mean (\w+)\? Tools: Task, /.exec(text)?.slice(1),
    ),
    Object.entries(names),
  )
  const { results: unknown } = await callTools([{ name: 'frobnicate', input: {} }])
  assert.match(unknown[0]?.text ?? '', /No such tool available: frobnicate\. Tools: Task, TaskOutput, Bash, /)
})
