/** Two releases beside each other, as while one rolls out: sessions go from one to the other by draining, and back. */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runAdmin } from '../../src/cluster/admin/admin-main.js'
import { openDatabase } from '../../src/cluster/database/database.js'
import { createTestDatabase } from '../../src/cluster/test-database.js'
import type { LogEntry } from '../../src/protocol/session-log/entries.js'
import { callNode, DIST, openPlace, startNode, startWorkerProgram } from './programs.js'
import { stepModel } from './step-model.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const { version: THIS } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const OTHER = '0.99.0-next'

/** The programs of this tree under another version: where packages are found as from here. */
function otherRelease() {
  const folder = mkdtempSync(join(ROOT, '.build', 'other-release-'))
  const dist = join(folder, 'dist')
  // What was compiled of this one stays behind.
  cpSync(DIST, dist, { recursive: true, filter: (path) => basename(path) !== 'cache' })
  let count = 0
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!/\.c?js$/.test(path)) continue
    const text = readFileSync(join(dist, path), 'utf8')
    const changed = text.replaceAll(`"${THIS}"`, `"${OTHER}"`)
    if (changed === text) continue
    count += 1
    writeFileSync(join(dist, path), changed)
  }
  assert.ok(count > 0, 'no program says its version')
  return { dist, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

const until = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 50))
  }
}

it('a turn goes from one release to another and back; tables that are too new are refused', {
  timeout: 240_000,
}, async () => {
  using release = otherRelease()
  const tables = await createTestDatabase()
  await using old = await openPlace(tables.url, stepModel)
  const next = { ...old, dist: release.dist }
  const database = await openDatabase({ url: tables.url, connections: 1 })
  const step = (number: number, worksWith: number) =>
    database
      .asOperator()
      .query('insert into kedge.migrations (number, name, works_with) values ($1, $2, $3)', [
        ...[number, 'of another release', worksWith],
      ])
  const effects = () => readFileSync(old.effects, 'utf8').split('\n').filter(Boolean)
  // Whoever rolls out begins with the tables: what is added disturbs nobody.
  const first = await startWorkerProgram(old)
  await step(998, 1)
  const [node, nextNode] = await Promise.all([startNode(old), startNode(next)])
  const session = (await callNode(node.url, 'POST', '/v1/sessions', { cwd: old.folder })).json.id
  const send = (url: string, id: string, content: string) =>
    callNode(url, 'POST', `/v1/sessions/${session}/prompts`, { id, content })
  const entries = async (url: string): Promise<LogEntry[]> =>
    (await callNode(url, 'GET', `/v1/sessions/${session}/log?limit=10000`)).json.entries
  const ended = (id: string) =>
    until(async () =>
      (await entries(node.url)).find(({ kind, data }) => kind === 'prompt' && 'result' in data && data.id === id),
    )
  const took = (name: string) => until(async () => effects().includes(name) || undefined)

  await send(node.url, 'one', 'one: slow step')
  await took('one.0')
  const second = await startWorkerProgram(next)
  const { workers } = JSON.parse((await runAdmin(['status', '--json'], { KEDGE_DATABASE: tables.url })).out)
  assert.deepEqual(workers.map(({ version }: { version: string }) => version).sort(), [THIS, OTHER])
  // The call that runs ends where it is; the next one is made by the other release.
  assert.equal(await first.end('SIGTERM'), 0, first.log())
  await ended('one')
  await send(nextNode.url, 'two', 'two: slow step')
  await took('two.0')
  const third = await startWorkerProgram(old)
  assert.equal(await second.end('SIGTERM'), 0, second.log())
  for (const program of [second, node, nextNode]) assert.doesNotMatch(program.log(), /Warning:/)
  await ended('two')
  assert.deepEqual(effects(), ['one.0', 'one.1', 'two.0', 'two.1'])
  // That it is idle again is the last entry, a moment behind the end of the prompt.
  const log = await until(async () => {
    const all = await entries(node.url)
    return JSON.stringify(all.at(-1)?.data) === '{"status":"idle"}' ? all : undefined
  })
  assert.deepEqual(await entries(nextNode.url), log)
  const results = log.flatMap(({ data }) => ('type' in data && data.type === 'result' ? [data.subtype] : []))
  assert.deepEqual(results, ['success', 'success'])

  await step(999, 999)
  await assert.rejects(startWorkerProgram(old), /tables of a newer Kedge, which this one does not know: update it/)
  await assert.rejects(startNode(old), /tables of a newer Kedge/)
  const ready = await callNode(node.url, 'GET', '/readyz')
  assert.deepEqual([ready.status, /newer Kedge/.test(ready.text)], [503, true])
  for (const program of [third, node, nextNode]) assert.equal(await program.end('SIGTERM'), 0, program.log())
  await database.close()
  await tables.drop()
})
