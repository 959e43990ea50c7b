/** TodoWrite: replaces the session's list of steps. */
import type { InputSchema } from '../input-schema.js'
import { defineTool } from '../tool.js'

/** What `TodoWrite` takes: the whole list, each time. */
export interface TodoWriteInput {
  /** The whole list as it should be from now on; it replaces the old one. */
  todos: {
    /**
     * What to do.
     *
     * @minLength 1
     */
    content: string
    /** How far it is. */
    status: 'pending' | 'in_progress' | 'completed'
    /**
     * The same while it is worked on ("Running tests").
     *
     * @minLength 1
     */
    activeForm: string
  }[]
}

export const todoWriteInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    todos: {
      description: 'The whole list as it should be from now on; it replaces the old one.',
      type: 'array',
      items: {
        type: 'object',
        properties: {
          content: { type: 'string', minLength: 1 },
          status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
          activeForm: { type: 'string', minLength: 1 },
        },
        required: ['content', 'status', 'activeForm'],
        additionalProperties: false,
      },
    },
  },
  required: ['todos'],
  additionalProperties: false,
} satisfies InputSchema<TodoWriteInput>

/** What TodoWrite gives back to hosts. */
export interface TodoWriteOutput {
  /** The list before. */
  oldTodos: {
    /** What is to be done. */
    content: string
    /** How far it is. */
    status: 'pending' | 'in_progress' | 'completed'
    /** The same while it is worked on ("Running tests"). */
    activeForm: string
  }[]
  /** The list from now on. */
  newTodos: {
    /** What is to be done. */
    content: string
    /** How far it is. */
    status: 'pending' | 'in_progress' | 'completed'
    /** The same while it is worked on ("Running tests"). */
    activeForm: string
  }[]
}

const todoWritePrompt = `Keeps the list of steps for the task, so that none is lost and the user sees the progress.

Use it for work of three steps or more, or when the user names several things to do; not for a single step or a question.

- Every call gives the whole list, which replaces the old one.
- content is what to do ("Run the tests"), activeForm the same while it is under way ("Running the tests").
- Have one step in_progress at a time. Mark it completed as soon as it is really done, not while tests fail or parts are missing.
- Add steps as you find them; drop those that no longer matter.`

export const todoWriteTool = defineTool<TodoWriteInput>({
  name: 'TodoWrite',
  description: todoWritePrompt,
  inputSchema: todoWriteInputSchema,
  isReadOnly: () => false,
  facts: () => ({ kind: 'none' }),
  async execute({ todos }, { session }) {
    const output: TodoWriteOutput = { oldTodos: session.todos, newTodos: todos }
    // A list that is done is put away: the next one starts empty.
    const isDone = todos.every((todo) => todo.status === 'completed')
    session.todos = isDone ? [] : todos
    const next = isDone ? 'No step is left.' : 'Continue with the next step.'
    return { ok: true, content: `The todo list was updated successfully. ${next}`, output }
  },
})
