/** What TaskList takes and gives back. */
import type { InputSchema } from '../input-schema.js'

/** What `TaskCreate` takes: a task for the list. */
export interface TaskCreateInput {
  /** What is to be done, in a few words. */
  subject: string
  /** What is to be done, in full. */
  description: string
  /** The subject as something under way ("Running the tests"). */
  activeForm?: string
  /** Anything to keep with the task. */
  metadata?: { [key: string]: unknown }
}

/** What `TaskGet` takes. */
export interface TaskGetInput {
  /** The id of the task. */
  taskId: string
}

/** What `TaskUpdate` takes: only what changes. */
export interface TaskUpdateInput {
  /** The id of the task. */
  taskId: string
  /** A new title. */
  subject?: string
  /** What is to be done. */
  description?: string
  /** The title while somebody works on it ("Running tests"). */
  activeForm?: string
  /** `deleted`: take it off the list. */
  status?: 'pending' | 'in_progress' | 'completed' | 'deleted'
  /** Ids of tasks that cannot start before this one is done. */
  addBlocks?: string[]
  /** Ids of tasks that must be done before this one can start. */
  addBlockedBy?: string[]
  /** The agent that works on it. */
  owner?: string
  /** Keys to set; null takes a key away. */
  metadata?: { [key: string]: unknown }
}

const $schema = 'https://json-schema.org/draft/2020-12/schema'
const activeForm = {
  description: 'The subject as something under way, such as "Running the tests".',
  type: 'string',
} as const
const anything = { type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} } as const
const ids = { type: 'array', items: { type: 'string' } } as const

export const taskCreateInputSchema = {
  $schema,
  type: 'object',
  properties: {
    subject: { description: 'What is to be done, in a few words.', type: 'string' },
    description: { description: 'What is to be done, in full: enough for somebody else to do it.', type: 'string' },
    activeForm,
    metadata: { description: 'Anything to keep with the task.', ...anything },
  },
  required: ['subject', 'description'],
  additionalProperties: false,
} satisfies InputSchema<TaskCreateInput>

export const taskGetInputSchema = {
  $schema,
  type: 'object',
  properties: { taskId: { description: 'The id of the task.', type: 'string' } },
  required: ['taskId'],
  additionalProperties: false,
} satisfies InputSchema<TaskGetInput>

export const taskUpdateInputSchema = {
  $schema,
  type: 'object',
  properties: {
    taskId: { description: 'The id of the task.', type: 'string' },
    subject: { description: 'A new subject.', type: 'string' },
    description: { description: 'A new description.', type: 'string' },
    activeForm,
    status: {
      description: 'The new status; "deleted" takes the task off the list.',
      type: 'string',
      enum: ['pending', 'in_progress', 'completed', 'deleted'],
    },
    addBlocks: { description: 'Ids of tasks that cannot start before this one is done.', ...ids },
    addBlockedBy: { description: 'Ids of tasks that must be done before this one can start.', ...ids },
    owner: { description: 'Who works on it; empty for nobody.', type: 'string' },
    metadata: { description: 'Keys to set; null takes a key away.', ...anything },
  },
  required: ['taskId'],
  additionalProperties: false,
} satisfies InputSchema<TaskUpdateInput>

export const taskListInputSchema = { $schema, type: 'object', properties: {}, additionalProperties: false } as const

/** What the tools of the task list give back to hosts. */
export interface TaskCreateOutput {
  /** The task that was added. */
  task: {
    /** Its id in the list. */
    id: string
    /** Its title. */
    subject: string
  }
}

/** What `TaskGet` gives back: one task, with all there is to know. */
export interface TaskGetOutput {
  /** Null: there is no such task. */
  task: {
    /** Its id in the list. */
    id: string
    /** Its title. */
    subject: string
    /** What is to be done. */
    description: string
    /** How far it is. */
    status: 'pending' | 'in_progress' | 'completed'
    /** Tasks that wait for it. */
    blocks: string[]
    /** Tasks it waits for. */
    blockedBy: string[]
  } | null
}

/** What `TaskUpdate` gives back. */
export interface TaskUpdateOutput {
  /** Whether it was changed. */
  success: boolean
  /** The task. */
  taskId: string
  /** What is different now. */
  updatedFields: string[]
  /** Why not, in words. */
  error?: string
  /** The status before and after, where it changed. */
  statusChange?: {
    /** The status before. */
    from: string
    /** The status now. */
    to: string
  }
}

/** What `TaskList` gives back. */
export interface TaskListOutput {
  /** All tasks, in short. */
  tasks: {
    /** Its id in the list. */
    id: string
    /** Its title. */
    subject: string
    /** How far it is. */
    status: 'pending' | 'in_progress' | 'completed'
    /** The agent that works on it. */
    owner?: string
    /** Those that are not completed yet. */
    blockedBy: string[]
  }[]
}
