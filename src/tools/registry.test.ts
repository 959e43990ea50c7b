import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { EngineTool } from '../engine/ports.js'
import type { ToolResultContent } from '../protocol/content.js'
import { cutMiddle } from './bound-output.js'
import { editTool } from './edit/edit.js'
import { readTool } from './read/read.js'
import { createRegistry } from './registry.js'
import { createTestContext, type TestContext } from './test-context.js'
import { todoWriteTool } from './todo-write/todo-write.js'
import type { Tool } from './tool.js'

/** What a schema says about itself is nothing for a model. */
const withoutDraft = ({ inputSchema: { $schema: _, ...schema } }: Tool) => schema

describe('createRegistry', () => {
  let test: TestContext
  beforeEach(async () => {
    test = await createTestContext()
  })
  afterEach(() => test.dispose())

  const bind = (tool: Tool, env: Record<string, string> = {}): EngineTool =>
    createRegistry([tool], { ...test.context, env }).port.find(tool.name) ?? assert.fail()
  const run = (tool: EngineTool, input: Record<string, unknown> = {}) =>
    tool.execute({ id: 'toolu_1', name: tool.name, input }, test.context.signal, () => {})
  const saying = (name: string, content: string | ToolResultContent[]): Tool<unknown> => ({
    name,
    description: 'd',
    inputSchema: { type: 'object', properties: {} },
    isReadOnly: () => true,
    facts: () => ({ kind: 'none' }),
    execute: async () => ({ ok: true, content, output: null }),
  })

  it('finds tools by name and describes them in order, always with the same objects', () => {
    const registry = createRegistry([todoWriteTool, readTool], test.context)
    assert.equal(registry.port.find('Read')?.name, 'Read')
    for (const name of ['read', 'WebFetch', '__proto__', 'constructor', '']) {
      assert.equal(registry.port.find(name), undefined)
    }
    assert.deepEqual(registry.definitions(), [
      { name: 'TodoWrite', description: todoWriteTool.description, input_schema: withoutDraft(todoWriteTool) },
      { name: 'Read', description: readTool.description, input_schema: withoutDraft(readTool) },
    ])
    assert.equal(registry.definitions()[0], registry.definitions()[0])
  })

  it('refuses two tools of one name', () => {
    assert.throws(() => createRegistry([readTool, readTool], test.context), /Two tools are called Read/)
  })

  it('takes a call through parse, check, facts and execute', async () => {
    const path = join(test.folder, 'a.txt')
    await writeFile(path, 'one\n')
    const { port } = createRegistry([readTool, editTool], test.context)
    const read = port.find('Read') ?? assert.fail()
    const edit = port.find('Edit') ?? assert.fail()
    const parsed = edit.parse({ file_path: path, old_string: 'one', new_string: 'two' })
    assert.ok(parsed.ok)
    const { input } = parsed
    assert.deepEqual(input, { replace_all: false, file_path: path, old_string: 'one', new_string: 'two' })
    assert.deepEqual([read.isReadOnly(input), edit.isReadOnly(input)], [true, false])
    assert.equal(await edit.check(input), 'File has not been read yet. Read it first before writing to it.')
    assert.equal(await read.check({ file_path: path }), undefined)
    assert.equal((await run(read, { file_path: path })).ok, true)
    assert.equal(await edit.check(input), undefined)
    assert.deepEqual(edit.facts(input), { kind: 'edit', path })
    assert.equal((await run(edit, input)).ok, true)
  })

  it('refuses bad input of any kind in the same words', () => {
    const read = bind(readTool)
    assert.deepEqual(read.parse({ limit: 3 }), {
      ok: false,
      error:
        'InputValidationError: Read failed due to the following issue:\nThe required parameter `file_path` is missing\nRead takes: file_path (required), offset, limit, pages.',
      output:
        'InputValidationError: [\n  {\n    "expected": "string",\n    "code": "invalid_type",\n    "path": [\n      "file_path"\n    ],\n    "message": "Invalid input: expected string, received undefined"\n  }\n]',
    })
    const received = [null, [], 'x', 3].map((input) => {
      const parsed = read.parse(input)
      return parsed.ok ? 'ok' : parsed.error.split('\n')[1]
    })
    assert.deepEqual(
      received,
      ['null', 'array', 'string', 'number'].map(
        (type) => `The parameter \`input\` type is expected as \`object\` but provided as \`${type}\``,
      ),
    )
  })

  it('hands the call its own id, signal and progress, and lets a throw through', async () => {
    const seen: unknown[] = []
    const bug = new Error('bug')
    const tool: Tool<unknown> = {
      ...saying('Probe', ''),
      marksSuccess: true,
      async execute(_input, context) {
        context.progress('half')
        seen.push(context.toolUseId, context.signal.aborted, context.cwd)
        throw bug
      },
    }
    const bound = bind(tool)
    assert.equal(bound.marksSuccess, true)
    const call = { id: 'toolu_9', name: 'Probe', input: {} }
    await assert.rejects(
      bound.execute(call, AbortSignal.abort(), (output) => seen.push(output)),
      bug,
    )
    assert.deepEqual(seen, ['half', 'toolu_9', true, test.folder])
  })

  it('cuts the middle out of very long text', async () => {
    const long = `${'a'.repeat(300_000)}${'b'.repeat(300_000)}`
    const outcome = await run(bind(saying('Grep', long)))
    assert.deepEqual(outcome, {
      ok: true,
      content: `${'a'.repeat(200_000)}\n\n… [200000 characters left out here] …\n\n${'b'.repeat(200_000)}`,
      output: null,
    })
    const short = await run(bind(saying('Grep', 'x'.repeat(400_000))))
    assert.equal(short.ok && short.content.length, 400_000)
  })

  it('bounds blocks together, leaves images alone, and bounds errors too', async () => {
    const image: ToolResultContent = { type: 'image', source: { type: 'url', url: 'x' } }
    const text = (length: number): ToolResultContent => ({ type: 'text', text: 'x'.repeat(length) })
    const outcome = await run(bind(saying('Read', [text(300_000), image, text(100_001), text(1)])))
    assert.ok(outcome.ok && typeof outcome.content !== 'string')
    const sizes = outcome.content.map((b) => (b.type === 'text' ? b.text.replace(/[^x]/g, '').length : b))
    assert.deepEqual(sizes, [300_000, image, 100_000, 0])

    const error = 'e'.repeat(499_999)
    const failing = { ...saying('Grep', ''), execute: async () => ({ ok: false as const, error }) }
    assert.deepEqual(await run(bind(failing)), { ok: false, error: cutMiddle(error, 400_000) })
  })
})

describe('cutMiddle', () => {
  it('never splits a character in two', () => {
    const text = '😀'.repeat(50)
    for (let limit = 0; limit < 100; limit += 1) {
      const cut = cutMiddle(text, limit)
      assert.equal(Buffer.from(cut, 'utf8').toString('utf8'), cut)
      assert.match(cut, /^(😀)*\n\n… \[\d+ characters left out here\] …\n\n(😀)*$/u)
    }
    assert.equal(cutMiddle(text, 100), text)
  })
})
