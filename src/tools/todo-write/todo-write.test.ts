import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createTestContext, type TestContext } from '../test-context.js'
import type { TodoItem } from '../tool.js'
import { todoWriteTool } from './todo-write.js'

describe('TodoWrite', () => {
  let test: TestContext
  beforeEach(async () => {
    test = await createTestContext()
  })
  afterEach(() => test.dispose())

  const todo = (content: string, status: TodoItem['status']): TodoItem => ({ content, status, activeForm: content })
  const write = (todos: TodoItem[]) => todoWriteTool.execute({ todos }, test.context)

  it('replaces the list, and puts a finished one away', async () => {
    const content = 'The todo list was updated successfully. Go on with the next step.'
    const first = [todo('a', 'in_progress'), todo('b', 'pending')]
    const last = [todo('a', 'completed'), todo('b', 'completed')]
    assert.deepEqual(await write(first), { ok: true, content, output: { oldTodos: [], newTodos: first } })
    assert.deepEqual(test.context.session.todos, first)
    assert.deepEqual(await write(last), { ok: true, content, output: { oldTodos: first, newTodos: last } })
    assert.deepEqual(test.context.session.todos, [])
  })

  it('touches nothing else', () => {
    assert.deepEqual(todoWriteTool.facts({ todos: [] }, test.context), { kind: 'none' })
  })
})
