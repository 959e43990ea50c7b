import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createRegistry } from '../registry.js'
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
    const content = 'The todo list was updated successfully. Continue with the next step.'
    const first = [todo('a', 'in_progress'), todo('b', 'pending')]
    const last = [todo('a', 'completed'), todo('b', 'completed')]
    assert.deepEqual(await write(first), { ok: true, content, output: { oldTodos: [], newTodos: first } })
    assert.deepEqual(test.context.session.todos, first)
    const done = 'The todo list was updated successfully. No step is left.'
    assert.deepEqual(await write(last), { ok: true, content: done, output: { oldTodos: first, newTodos: last } })
    assert.deepEqual(test.context.session.todos, [])
  })

  it('takes an empty list, and texts of any kind as they are', async () => {
    const empty = await write([])
    assert.ok(empty.ok)
    assert.deepEqual(empty.output, { oldTodos: [], newTodos: [] })
    const odd = ['__proto__', 'a\0b', '\ud800', 'x'.repeat(1024 * 1024)].map((text) => todo(text, 'pending'))
    const outcome = await write(odd)
    assert.ok(outcome.ok && typeof outcome.content === 'string' && outcome.content.length < 200)
    assert.deepEqual(test.context.session.todos, odd)
  })

  it('refuses steps without a text or a status it knows; further fields of a step are left out', () => {
    const parse = (item: object) => {
      const todos = [{ ...todo('a', 'pending'), ...item }]
      return createRegistry([todoWriteTool], test.context).port.find('TodoWrite')?.parse({ todos }).ok
    }
    assert.equal(parse({}), true)
    assert.equal(parse({ id: '1', priority: 'high' }), true)
    for (const wrong of [{ content: '' }, { activeForm: '' }, { status: 'someday' }, { content: null }]) {
      assert.equal(parse(wrong), false, JSON.stringify(wrong))
    }
  })

  it('touches nothing else', () => {
    assert.deepEqual(todoWriteTool.facts({ todos: [] }, test.context), { kind: 'none' })
  })
})
