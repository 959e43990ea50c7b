/** What the model reads about its tools: short, plain, and true of what the session has. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'

type Definition = { name: string; description: string; input_schema: object }

async function offered(more: object = {}): Promise<Definition[]> {
  await using server = await startModelServer(['Hi.'])
  await using options = testOptions(server, more)
  await collect(query({ prompt: 'Hi.', options }))
  const { tools } = JSON.parse(JSON.stringify(server.requests[0]?.body ?? {}))
  return tools
}

/** Characters of description and schema. Raise a number only with what it buys. */
const BUDGET: Record<string, number> = {
  Task: 2600,
  TaskOutput: 750,
  Bash: 2300,
  Glob: 1050,
  Grep: 2300,
  ExitPlanMode: 1000,
  Read: 1450,
  Edit: 1150,
  Write: 650,
  NotebookEdit: 1350,
  WebFetch: 1050,
  TodoWrite: 1150,
  WebSearch: 950,
  TaskStop: 300,
  AskUserQuestion: 1900,
  Skill: 700,
  EnterPlanMode: 500,
}
const ALL = 20_700
/** Of all tools that a sub-agent of the type is offered. */
const OF_AGENTS = { 'general-purpose': 14_300, Explore: 10_700 }
/** Of `kedge -p`, where nobody can be asked. */
const OF_PRINT = 17_400

test('every tool is within its budget of characters, and so are all together', async () => {
  const tools = await offered()
  const sizes = tools.map((tool) => [tool.name, JSON.stringify(tool).length] as const)
  assert.deepEqual(
    sizes.filter(([name, size]) => size > (BUDGET[name] ?? 0)),
    [],
    JSON.stringify(sizes),
  )
  const all = sizes.reduce((sum, [, size]) => sum + size, 0)
  assert.ok(all <= ALL, `${all} characters`)
})

test('sub-agents and kedge -p are within theirs', async () => {
  const size = (body: object | undefined) => JSON.stringify(Object.assign({ tools: [] }, body).tools).length
  for (const [subagent_type, most] of Object.entries(OF_AGENTS)) {
    const task = { name: 'Task', input: { description: 'd', prompt: 'Look.', subagent_type } }
    await using server = await startModelServer([{ tools: [task] }, 'Found.', 'Done.'])
    await using options = testOptions(server)
    await collect(query({ prompt: 'Go.', options }))
    const found = size(server.requests[1]?.body)
    assert.ok(found > 1000 && found <= most, `${subagent_type}: ${found} characters`)
  }
  await using server = await startModelServer(['Hi.'])
  await using options = testOptions(server)
  const child = spawn(process.execPath, [join(process.cwd(), 'dist/kedge.cjs'), '-p', 'Hi.'], options)
  child.stdin.end()
  await new Promise((resolve) => child.on('close', resolve))
  const found = size(server.requests[0]?.body)
  assert.ok(found > 1000 && found <= OF_PRINT, `kedge -p: ${found} characters`)
})

test('nothing is sent that says nothing to a model, and nothing is offered that is refused', async () => {
  const text = JSON.stringify(await offered())
  for (const word of ['$schema', 'isolation', 'shell_id', 'dangerouslyDisableSandbox', 'annotations'])
    assert.ok(!text.includes(word), word)
})

test('no description names a tool that is not offered, or speaks as nobody does', async () => {
  const names = (await offered()).map(({ name }) => name)
  for (const tools of [['Bash'], ['Bash', 'Read'], ['Read', 'Edit'], ['Glob'], ['WebSearch'], ['Write'], names]) {
    for (const { name, description } of await offered({ tools })) {
      const missing = names.filter((other) => !tools.includes(other))
      const named = missing.filter((other) => new RegExp(`[a-z,] ${other}\\b`).test(description))
      assert.deepEqual(named, [], `${name} with ${tools.join(', ')}`)
      assert.doesNotMatch(description, /\bput out\b|\bblanks\b|\bwhoever\b|\bfor ever\b|\bgoes on\b|\bso many\b/)
    }
  }
})
