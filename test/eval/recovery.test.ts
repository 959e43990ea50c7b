/** The recovery table, eval/recovery.json: wrong calls, the words that must come back, and the turns it takes to go on. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { type Options, query } from 'kedge'
import { collect, type ModelRequest, startModelServer, type ToolCall, testOptions } from 'kedge/testing'

type Call = { tool: string; input: Record<string, unknown>; take?: string }
type Row = Call & { name: string; says: string; turns: number; before?: Call[]; right?: Call[]; options?: Options }
type Table = { files: Record<string, string>; rows: Row[]; pending: string[] }

const table: Table = JSON.parse(readFileSync(join('eval', 'recovery.json'), 'utf8'))

/** Undefined: the row passes. */
async function problemOf(row: Row): Promise<string | undefined> {
  const values: Record<string, string> = {}
  const results: { text: string; isError: boolean }[][] = []
  const messages = [...(row.before ?? []).map((call) => [call]), [row], ...(row.turns > 0 ? [row.right ?? []] : [])]
  let sent = 0
  let take: string | undefined
  const model = (request: ModelRequest) => {
    if (request.opening.includes('SUBAGENT')) return 'looked'
    // A turn about a background task that has ended says nothing here.
    if (request.toolResults.length > 0) {
      results.push(request.toolResults.map(({ text, isError }) => ({ text, isError })))
      const found = take === undefined ? undefined : new RegExp(take).exec(results.at(-1)?.[0]?.text ?? '')?.[1]
      if (found !== undefined) values['id'] = found
    }
    const calls = messages[sent]
    sent += 1
    if (!calls) return 'done'
    take = calls[0]?.take
    return { tools: calls.map((call): ToolCall => ({ name: call.tool, input: fill(call.input, values) })) }
  }
  await using server = await startModelServer(model)
  await using options = testOptions(server, { permissionMode: 'acceptEdits', onTurnEnd: 'cancel', ...row.options })
  values['cwd'] = options.cwd
  for (const [name, text] of Object.entries(table.files)) {
    mkdirSync(dirname(join(options.cwd, name)), { recursive: true })
    writeFileSync(join(options.cwd, name), text)
  }
  await collect(query({ prompt: 'Begin', options }))
  const at = row.before?.length ?? 0
  const wrong = results[at]?.[0]
  if (!wrong) return 'the call had no result'
  if (!new RegExp(row.says, 's').test(wrong.text)) return `it does not say ${row.says}: ${wrong.text}`
  if (row.turns === 0) return wrong.isError ? `it is an error: ${wrong.text}` : undefined
  const failed = results[at + 1]?.find(({ isError }) => isError)
  return failed ? `what follows fails: ${failed.text}` : undefined
}

function fill(value: unknown, values: Record<string, string>): unknown {
  return JSON.parse(JSON.stringify(value).replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? ''))
}

describe('the recovery table', () => {
  it('has sixty rows or more, each with a name of its own, and pending ones are rows', () => {
    const names = table.rows.map(({ name }) => name)
    assert.ok(names.length >= 60)
    assert.equal(new Set(names).size, names.length)
    assert.deepEqual(
      table.pending.filter((name) => !names.includes(name)),
      [],
    )
    for (const { name, turns, right } of table.rows) assert.equal(turns > 0, right !== undefined, name)
  })

  for (const row of table.rows) {
    const isPending = table.pending.includes(row.name)
    it(`${row.name}${isPending ? ' (pending)' : ''}`, async () => {
      const problem = await problemOf(row)
      if (isPending) assert.ok(problem, `It passes now: take "${row.name}" off the list pending of eval/recovery.json`)
      else assert.equal(problem, undefined)
    })
  }
})
