/** How people see the model's todo list. */
import { countText, defineDisplay, fieldOf } from '../tool-display.js'

export const todoWriteDisplay = defineDisplay({
  name: 'TodoWrite',
  kind: 'think',
  body: 'todos',
  opens: 'always',
  shownAs: 'todo-list',
  label: () => 'Todo list',
  subject: () => '',
  question: () => 'Update the todo list?',
  outcome(_, { input: { todos } }) {
    if (!Array.isArray(todos) || todos.length === 0) return undefined
    const done = todos.filter((todo) => fieldOf(todo, 'status') === 'completed').length
    return `${done} of ${countText(todos.length, 'item', 'items')} done`
  },
})
