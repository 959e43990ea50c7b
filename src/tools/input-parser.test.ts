/** Inputs as models write them: what is read in spite of its form, what is ignored and said so, and what is refused. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import { repairInput } from '../engine/repair-input.js'
import { bashInputSchema } from './bash/bash-shapes.js'
import { fileEditInputSchema } from './edit/edit-shapes.js'
import { grepInputSchema } from './grep/grep-shapes.js'
import { createInputParser } from './input-parser.js'
import { fileReadInputSchema } from './read/read-shapes.js'
import { todoWriteInputSchema } from './todo-write/todo-write.js'

const reader = (name: string, inputSchema: object) => createInputParser({ name, inputSchema: { ...inputSchema } })
const bash = reader('Bash', bashInputSchema)
const read = reader('Read', fileReadInputSchema)
const edit = reader('Edit', fileEditInputSchema)
const grep = reader('Grep', grepInputSchema)
const todo = reader('TodoWrite', todoWriteInputSchema)

describe('the input of a call', () => {
  it('is read where its form leaves no doubt', () => {
    const item = { content: 'a', status: 'pending', activeForm: 'b' }
    assert.deepEqual(read({ file_path: '/a', offset: '2', limit: ' 10 ' }), {
      ok: true,
      input: { file_path: '/a', offset: 2, limit: 10 },
      mended: true,
    })
    assert.deepEqual(bash({ command: 'true', timeout: null, run_in_background: 'False', description: null }), {
      ok: true,
      input: { command: 'true', run_in_background: false },
      mended: true,
    })
    assert.deepEqual(grep({ pattern: 'x', '-i': 'TRUE', '-C': '1.5', glob: null }), {
      ok: true,
      input: { pattern: 'x', '-C': 1.5, '-i': true },
      mended: true,
    })
    assert.deepEqual(todo({ todos: JSON.stringify([item]) }), {
      ok: true,
      input: { todos: [item] },
      mended: true,
    })
    assert.deepEqual(todo({ todos: [JSON.stringify(item)] }), {
      ok: true,
      input: { todos: [item] },
      mended: true,
    })
    assert.deepEqual(edit({ file_path: '/a', old_string: '1', new_string: 'null', replace_all: null }), {
      ok: true,
      input: { replace_all: false, file_path: '/a', old_string: '1', new_string: 'null' },
      mended: true,
    })
  })

  it('never becomes another text: neither a path nor a command is guessed', () => {
    const given = { command: '["ls", null]', description: 'true' }
    assert.deepEqual(bash(given), { ok: true, input: given })
    for (const command of [null, 5, true, ['ls'], { run: 'ls' }]) assert.equal(bash({ command }).ok, false)
    for (const path of [null, 5, ['a']]) assert.equal(read({ file_path: path }).ok, false)
    for (const offset of ['', 'two', '2x', '0x10', '1e3', '2,000', 'true', [2]]) {
      assert.equal(read({ file_path: '/a', offset }).ok, false, String(offset))
    }
    for (const todos of ['', 'x', '[', '{}', '"[]"']) assert.equal(todo({ todos }).ok, false, todos)
  })

  it('loses fields that no tool has, and the result says so', () => {
    const parsed = read({ file_path: '/a', encoding: 'utf-8', reason: 'to see' })
    assert.ok(parsed.ok)
    assert.deepEqual(parsed.input, { file_path: '/a' })
    assert.equal(parsed.note, '(Ignored: `encoding`, `reason`. Read takes file_path, offset, limit, pages.)')
    const many = read({ file_path: '/a', ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`x${i}`, i])) })
    assert.match((many.ok && many.note) || '', /^\(Ignored: `x0`, `x1`, `x2`, `x3`, `x4`, 4 more\. Read/)
  })

  it('keeps what would make it another call: a place, or that nothing is to happen', () => {
    for (const field of ['cwd', 'workingDirectory', 'working_dir', 'dry_run', 'dryRun', 'path', 'env', 'target_file']) {
      const parsed = bash({ command: 'true', [field]: 'x' })
      assert.match(parsed.ok ? '' : parsed.error, /An unexpected parameter `\w+` was provided\nBash takes: /, field)
    }
    const wrong = read({ path: '/a' })
    assert.equal(
      wrong.ok ? '' : wrong.error,
      'InputValidationError: Read failed due to the following issues:\nThe required parameter `file_path` is missing\nAn unexpected parameter `path` was provided\nRead takes: file_path (required), offset, limit, pages.',
    )
  })

  it('that needs no mending is the same object, whatever its schema', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (input, property) => {
        const schema = { properties: Object.fromEntries(Object.keys(input).map((name) => [name, property])) }
        const { input: read, mended } = repairInput(schema, input)
        assert.equal(read !== input, mended)
        assert.equal(repairInput(schema, read).mended, false)
      }),
      { numRuns: 500 },
    )
    const anything = { a: null, b: '5', c: '[1]' }
    const open = { a: {}, b: { type: ['string', 'number'] }, c: { anyOf: [{ type: 'array' }, { $ref: '#/x' }] } }
    assert.equal(repairInput({ properties: open }, anything).mended, false)
    assert.equal(repairInput({ properties: { a: { type: ['string', 'null'] } } }, { a: null }).mended, false)
    assert.equal(repairInput({ properties: { a: { type: 'string', nullable: true } } }, { a: null }).mended, false)
    assert.equal(repairInput({ properties: { a: { type: 'string' } }, required: ['a'] }, { a: null }).mended, false)
  })
})
