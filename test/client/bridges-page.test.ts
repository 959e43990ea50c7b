/** The programs of docs/bridges.md run as they stand. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { serve } from '../server/serving.js'
import { eventually } from '../support/eventually.js'

const blocks = [...readFileSync('docs/bridges.md', 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, code = '']) => code,
)
const [opening = ''] = blocks

for (const [name, library] of [
  ['from-chat', 'kedge/ai-sdk'],
  ['from-agent', 'kedge/ag-ui'],
  ['from-harness', 'kedge/harness'],
] as const)
  test(`the program with ${library} makes ${name}`, async () => {
    await using serving = await serve([{ tools: [{ name: 'Bash', input: { command: `mkdir ${name}` } }] }, 'Made.'])
    const { cwd } = serving.options
    const program = blocks.find((code) => code.includes(name))
    assert.ok(program)
    const here = `${opening}${program}`
      .replace('http://127.0.0.1:4141', serving.url)
      .replace("process.env['KEDGE_SERVER_TOKEN'] ?? ''", JSON.stringify(serving.server.token))
      .replace('process.cwd()', JSON.stringify(cwd))
      .replaceAll(' as const', '')
    assert.equal(here.includes('process'), false)
    const folder = resolve('.build', 'bridges-page')
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${name}-${process.pid}.mjs`)
    writeFileSync(file, here)
    await import(pathToFileURL(file).href)
    await eventually(`${name} exists`, () => existsSync(join(cwd, name)))
    await eventually('the turn ends', async () => {
      const { json } = await serving.call('GET', '/v1/sessions')
      return json.sessions.every(({ status }: { status: string }) => status === 'idle')
    })
  })
