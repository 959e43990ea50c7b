import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FileEditInput, fileEditInputSchema } from './edit/edit-shapes.js'
import { type FileReadInput, fileReadInputSchema } from './read/read-shapes.js'
import { type TodoWriteInput, todoWriteInputSchema } from './todo-write/todo-write.js'
import { validateInput } from './validate-input.js'
import { type FileWriteInput, fileWriteInputSchema } from './write/write.js'

// The compiler holds these to the types: `whole` names every field, `least` every required one.
const todos: TodoWriteInput['todos'] = [{ content: 'a', status: 'pending', activeForm: 'b' }]
const read: Pair<FileReadInput> = {
  whole: { file_path: 'a', offset: 1, limit: 1, pages: '1' },
  least: { file_path: 'a' },
}
const write: Pair<FileWriteInput> = {
  whole: { file_path: 'a', content: '' },
  least: { file_path: 'a', content: '' },
}
const edit: Pair<FileEditInput> = {
  whole: { file_path: 'a', old_string: '', new_string: 'b', replace_all: true },
  least: { file_path: 'a', old_string: '', new_string: 'b' },
}
const todoWrite: Pair<TodoWriteInput> = { whole: { todos }, least: { todos } }

type Pair<Input> = { whole: Required<Input>; least: Input }

describe('input schemas', () => {
  const cases = [
    { name: 'Read', schema: fileReadInputSchema, ...read },
    { name: 'Write', schema: fileWriteInputSchema, ...write },
    { name: 'Edit', schema: fileEditInputSchema, ...edit },
    { name: 'TodoWrite', schema: todoWriteInputSchema, ...todoWrite },
  ]
  for (const { name, schema, whole, least } of cases) {
    it(`${name} agrees with its type`, () => {
      assert.deepEqual(Object.keys(schema.properties), Object.keys(whole))
      assert.deepEqual(schema.required, Object.keys(least))
      assert.equal(validateInput(schema, whole).ok, true)
      assert.equal(validateInput(schema, least).ok, true)
    })

    it(`${name} describes every field`, () => {
      for (const property of Object.values(schema.properties)) assert.match(property.description, /^[A-Z].*\.$/)
    })
  }
})
