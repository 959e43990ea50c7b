// A service for several customers: each has a folder, a configuration, a key, rules, and a budget, and can't reach those of another.
// Two scripted models stand in for real ones; the one of Acme tries to read what belongs to Globex.
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { query } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'

const customers = new Map() // By their token: from your database.
function optionsOf({ folder, key, deny = [], budget }) {
  return {
    cwd: join(folder, 'work'),
    env: { PATH: process.env.PATH, HOME: folder, CLAUDE_CONFIG_DIR: join(folder, 'kedge'), ...key },
    tools: ['Read', 'Grep', 'Glob', 'Edit', 'Write'], // With Bash, also turn the sandbox on.
    permissionMode: 'acceptEdits', // Inside `cwd`. Without `canUseTool`, all that would ask is denied.
    disallowedTools: deny,
    maxBudgetUsd: budget,
    maxTurns: 30,
  }
}
export async function POST(request) {
  const customer = customers.get(request.headers.get('authorization')?.replace('Bearer ', ''))
  if (customer === undefined) return new Response('', { status: 401 })
  const { prompt, session: resume } = await request.json()
  const asked = query({ prompt, options: { ...optionsOf(customer), resume } })
  for await (const { type, subtype, is_error, error_code, session_id, result } of asked) {
    if (type !== 'result') continue
    if (subtype === 'success' && !is_error) return Response.json({ session: session_id, answer: result })
    return Response.json({ error: error_code ?? subtype }, { status: 502 })
  }
}
const place = testOptions({ env: () => ({}) })
const folderOf = (name) => join(place.cwd, name)
const read = (file_path) => ({ tools: [{ name: 'Read', input: { file_path } }] })
const tries = ['../../globex/work/plan.txt', folderOf('globex/work/plan.txt'), 'link.txt', 'drafts/a.txt']
const grep = { tools: [{ name: 'Grep', input: { pattern: 'secret', path: folderOf('globex') } }] }
const acmes = await startModelServer([read('plan.txt'), ...tries.map(read), grep, 'Done.'])
const models = { acme: acmes, globex: await startModelServer([read('plan.txt'), 'Done.']) }
for (const [name, model] of Object.entries(models)) {
  mkdirSync(folderOf(`${name}/work/drafts`), { recursive: true })
  writeFileSync(folderOf(`${name}/work/plan.txt`), `the secret of ${name}`)
  const key = { ...model.env(), ANTHROPIC_API_KEY: `key-of-${name}` }
  customers.set(`token-of-${name}`, { folder: folderOf(name), key, deny: ['Read(drafts/**)'], budget: 1 })
}
writeFileSync(folderOf('acme/work/drafts/a.txt'), 'a draft')
symlinkSync(folderOf('globex/work/plan.txt'), folderOf('acme/work/link.txt'))
const ask = async (name, body) => {
  const init = { method: 'POST', headers: { authorization: `Bearer token-of-${name}` }, body: JSON.stringify(body) }
  return await (await POST(new Request('http://service', init))).json()
}
const globex = await ask('globex', { prompt: 'Read the plan.' })
const acme = await ask('acme', { prompt: 'Read every plan.' })
const stolen = await ask('acme', { prompt: 'Continue.', session: globex.session })
const textOf = ({ requests }) => JSON.stringify(requests.map(({ body }) => body))
assert.deepEqual([globex.answer, acme.answer, stolen.error], ['Done.', 'Done.', 'resume_failed'])
assert.match(textOf(acmes), /the secret of acme/)
assert.doesNotMatch(textOf(acmes), /the secret of globex|a draft/)
for (const [name, { requests }] of Object.entries(models))
  for (const { headers } of requests) assert.equal(headers['x-api-key'], `key-of-${name}`)
await Promise.all([acmes.close(), models.globex.close(), place[Symbol.asyncDispose]()])
