/**
 * The schemas of the smaller tools are those the original showed its models, but for the descriptions, which are ours, and that a
 * field with a default is not called required.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { askUserQuestionInputSchema } from './ask-user-question/ask-user-question-shapes.js'
import { configInputSchema } from './config/config.js'
import { enterPlanModeInputSchema } from './enter-plan-mode/enter-plan-mode.js'
import { exitPlanModeInputSchema } from './exit-plan-mode/exit-plan-mode.js'
import { sendMessageInputSchema } from './send-message/send-message.js'
import { skillInputSchema } from './skill/skill.js'
import { agentInputSchema, teamAgentInputSchema } from './task/task-shapes.js'
import {
  taskCreateInputSchema,
  taskGetInputSchema,
  taskListInputSchema,
  taskUpdateInputSchema,
} from './task-list/task-list-shapes.js'
import { taskOutputInputSchema } from './task-output/task-output.js'
import { taskStopInputSchema } from './task-stop/task-stop.js'
import { teamCreateInputSchema } from './team-create/team-create.js'
import { teamDeleteInputSchema } from './team-delete/team-delete.js'
import { todoWriteInputSchema } from './todo-write/todo-write.js'
import { toolSearchInputSchema } from './tool-search/tool-search.js'

const text = { type: 'string' }
const closed = { additionalProperties: false }
const object = (properties: object, required: string[]) => ({ type: 'object', properties, required, ...closed })
const any = { type: 'object', propertyNames: text, additionalProperties: {} }
const ids = { type: 'array', items: text }
const agent = {
  description: text,
  prompt: text,
  subagent_type: text,
  model: { type: 'string', enum: ['sonnet', 'opus', 'haiku'] },
  resume: text,
  run_in_background: { type: 'boolean' },
  max_turns: { type: 'integer', exclusiveMinimum: 0, maximum: 9007199254740991 },
}
const team = {
  name: text,
  team_name: text,
  mode: { type: 'string', enum: ['acceptEdits', 'bypassPermissions', 'default', 'dontAsk', 'plan'] },
}
const isolation = { type: 'string', enum: ['worktree'] }
const todo = object(
  {
    content: { type: 'string', minLength: 1 },
    status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
    activeForm: { type: 'string', minLength: 1 },
  },
  ['content', 'status', 'activeForm'],
)
const option = object({ label: text, description: text, markdown: text }, ['label', 'description'])
const question = object(
  {
    question: text,
    header: text,
    options: { minItems: 2, maxItems: 4, type: 'array', items: option },
    multiSelect: { default: false, type: 'boolean' },
  },
  ['question', 'header', 'options'],
)
const annotation = { type: 'object', properties: { markdown: text, notes: text }, ...closed }

/** Ours, then what was seen. Config was never seen; its input is known from the types. */
const schemas: Record<string, [ours: object, seen: object]> = {
  AskUserQuestion: [
    askUserQuestionInputSchema,
    object(
      {
        questions: { minItems: 1, maxItems: 4, type: 'array', items: question },
        answers: { type: 'object', propertyNames: text, additionalProperties: text },
        annotations: { type: 'object', propertyNames: text, additionalProperties: annotation },
        metadata: { type: 'object', properties: { source: text }, ...closed },
      },
      ['questions'],
    ),
  ],
  Config: [
    configInputSchema,
    object({ setting: text, value: { anyOf: [text, { type: 'boolean' }, { type: 'number' }] } }, ['setting']),
  ],
  EnterPlanMode: [enterPlanModeInputSchema, { type: 'object', properties: {}, ...closed }],
  ExitPlanMode: [
    exitPlanModeInputSchema,
    {
      type: 'object',
      properties: {
        allowedPrompts: {
          type: 'array',
          items: object({ tool: { type: 'string', enum: ['Bash'] }, prompt: text }, ['tool', 'prompt']),
        },
      },
      additionalProperties: {},
    },
  ],
  SendMessage: [
    sendMessageInputSchema,
    object(
      {
        type: {
          type: 'string',
          enum: ['message', 'broadcast', 'shutdown_request', 'shutdown_response', 'plan_approval_response'],
        },
        recipient: text,
        content: text,
        summary: text,
        request_id: text,
        approve: { type: 'boolean' },
      },
      ['type'],
    ),
  ],
  Skill: [skillInputSchema, object({ skill: text, args: text }, ['skill'])],
  Task: [agentInputSchema, object({ ...agent, isolation }, ['description', 'prompt', 'subagent_type'])],
  'Task with teams': [
    teamAgentInputSchema,
    object({ ...agent, ...team, isolation }, ['description', 'prompt', 'subagent_type']),
  ],
  TaskCreate: [
    taskCreateInputSchema,
    object({ subject: text, description: text, activeForm: text, metadata: any }, ['subject', 'description']),
  ],
  TaskGet: [taskGetInputSchema, object({ taskId: text }, ['taskId'])],
  TaskList: [taskListInputSchema, { type: 'object', properties: {}, ...closed }],
  TaskOutput: [
    taskOutputInputSchema,
    object(
      {
        task_id: text,
        block: { default: true, type: 'boolean' },
        timeout: { default: 30000, type: 'number', minimum: 0, maximum: 600000 },
      },
      ['task_id'],
    ),
  ],
  TaskStop: [taskStopInputSchema, { type: 'object', properties: { task_id: text, shell_id: text }, ...closed }],
  TaskUpdate: [
    taskUpdateInputSchema,
    object(
      {
        taskId: text,
        subject: text,
        description: text,
        activeForm: text,
        // Seen as `anyOf` of the first three and the last; this says the same, and lets us name the four in an error.
        status: { type: 'string', enum: ['pending', 'in_progress', 'completed', 'deleted'] },
        addBlocks: ids,
        addBlockedBy: ids,
        owner: text,
        metadata: any,
      },
      ['taskId'],
    ),
  ],
  TeamCreate: [teamCreateInputSchema, object({ team_name: text, description: text, agent_type: text }, ['team_name'])],
  TeamDelete: [teamDeleteInputSchema, { type: 'object', properties: {}, ...closed }],
  TodoWrite: [todoWriteInputSchema, object({ todos: { type: 'array', items: todo } }, ['todos'])],
  ToolSearch: [toolSearchInputSchema, object({ query: text, max_results: { default: 5, type: 'number' } }, ['query'])],
}

describe('schemas as observed', () => {
  for (const [name, [ours, seen]] of Object.entries(schemas)) {
    it(name, () => {
      const draft = name === 'SendMessage' ? {} : { $schema: 'https://json-schema.org/draft/2020-12/schema' }
      // As text: the order counts too.
      assert.equal(JSON.stringify(withoutDescriptions(ours)), JSON.stringify({ ...draft, ...seen }))
    })

    it(`${name} describes its fields`, () => {
      const { properties } = Object.assign({ properties: {} }, ours)
      for (const field of Object.values<{ description?: string }>(properties)) {
        assert.match(field.description ?? '', /^["A-Z].*\.$/)
      }
    })
  }
})

/** A description is text; a property of that name is a schema. */
function withoutDescriptions(schema: object): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'description' && typeof value === 'string' ? undefined : value)),
  )
}
