/** TodoWrite: replaces the session's list of steps. */
import { defineTool } from '../tool.js'
import { type TodoWriteInput, todoWriteInputSchema } from './input.js'
import type { TodoWriteOutput } from './output.js'
import { todoWritePrompt } from './prompt.js'

export const todoWriteTool = defineTool<TodoWriteInput>({
  name: 'TodoWrite',
  description: todoWritePrompt,
  inputSchema: todoWriteInputSchema,
  isReadOnly: () => false,
  facts: () => ({ kind: 'none' }),
  async execute({ todos }, { session }) {
    const output: TodoWriteOutput = { oldTodos: session.todos, newTodos: todos }
    // A list that is done is put away: the next one starts empty.
    session.todos = todos.every((todo) => todo.status === 'completed') ? [] : todos
    return { ok: true, content: 'The todo list was updated successfully. Go on with the next step.', output }
  },
})
