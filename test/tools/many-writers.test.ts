/** Every edit that was reported as done is in the file: many writers in one process, in several, sub-agents and sessions. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { query } from 'kedge'
import { collect, type Step, script, startModelServer, testOptions } from 'kedge/testing'
import { addLines, END, makeFiles } from './writers.js'

const TIMES = process.env.KEDGE_LONG ? 20 : 1
const program = fileURLToPath(new URL('./writers.js', import.meta.url))
const run = promisify(execFile)

describe('many writers of one file', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-writers-')))
    path = join(folder, 'shared.txt')
    writeFileSync(path, END)
    mkdirSync(`${path}-made`)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Each line once, and nothing that was not reported: who was refused has changed nothing. */
  const check = (reported: string[]) => {
    assert.deepEqual(
      readFileSync(path, 'utf8')
        .split(/(?<=\n)/)
        .sort(),
      [...reported, END].sort(),
    )
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('.kedge-')),
      [],
    )
  }

  it('with a memory of their own, in one process', async () => {
    const writers = ['a', 'b', 'c', 'd', 'e', 'f']
    const edits = 10 * TIMES
    const reported = (await Promise.all(writers.map((writer) => addLines(path, writer, edits)))).flat()
    check(reported)
    assert.ok(reported.length > 0 && reported.length < writers.length * edits, `${reported.length}: there was no race`)
    const made = (await Promise.all(writers.map((writer) => makeFiles(`${path}-made`, writer, 10)))).flat()
    assert.deepEqual(made.sort(), readdirSync(`${path}-made`).sort())
  })

  it('in several processes', async () => {
    const writers = ['a', 'b', 'c']
    const ran = await Promise.all(
      writers.map((writer) => run(process.execPath, [program, path, writer, String(60 * TIMES)])),
    )
    const reports: { lines: string[]; files: string[] }[] = ran.map(({ stdout }) => JSON.parse(stdout))
    check(reports.flatMap(({ lines }) => lines))
    assert.deepEqual(reports.flatMap(({ files }) => files).sort(), readdirSync(`${path}-made`).sort())
    for (const [i, { files }] of reports.entries())
      for (const name of files) assert.equal(readFileSync(join(`${path}-made`, name), 'utf8'), writers[i])
  })

  it('sub-agents and sessions', async () => {
    const steps = (line: string): Step[] => [
      { tools: [{ id: `toolu_r${line}`, name: 'Read', input: { file_path: path } }] },
      {
        tools: [
          {
            id: `toolu_${line}`,
            name: 'Edit',
            input: { file_path: path, old_string: END, new_string: `${line}\n${END}` },
          },
        ],
      },
      'Done.',
    ]
    const agents = ['A1', 'A2', 'A3', 'A4']
    const start = {
      tools: agents.map((name) => ({
        id: `toolu_task${name}`,
        name: 'Task',
        input: { description: 'A job', prompt: `${name} go`, subagent_type: 'general-purpose' },
      })),
    }
    const session = async (main: Step[], lanes: string[]): Promise<string[]> => {
      const entries = lanes.map((opening) => [opening, { when: { opening }, turns: steps(opening) }])
      await using server = await startModelServer(script(main, { lanes: Object.fromEntries(entries) }))
      await using options = testOptions(server, {
        model: 'claude-sonnet-4-5-20250929',
        permissionMode: 'acceptEdits',
        additionalDirectories: [folder],
      })
      const { messages } = await collect(query({ prompt: 'Go.', options }))
      const results = messages.flatMap((m) =>
        m.type === 'user' && Array.isArray(m.message.content) ? m.message.content : [],
      )
      return results.flatMap((block) =>
        block.type === 'tool_result' && !block.is_error && /^toolu_[AS]/.test(block.tool_use_id)
          ? [`${block.tool_use_id.slice(6)}\n`]
          : [],
      )
    }
    const reported = await Promise.all([
      session([start, 'Done.'], agents),
      ...['S1', 'S2', 'S3'].map((name) => session(steps(name), [])),
    ])
    check(reported.flat())
    assert.ok(reported.flat().length > 0)
  })
})
