/** What happened in a session: its log, tasks, changes to files, the files themselves, and all of it as one file. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import type { LogEntry } from '../../protocol/session-log/entries.js'
import { schemaRef } from './api-schemas.js'
import { exportStream } from './export-session.js'
import { findFileNames } from './find-files.js'
import {
  choiceSchema,
  integerSchema,
  listSchema,
  longTextSchema,
  optionalSchema,
  responseObjectSchema,
  textSchema,
} from './json-schemas.js'
import { findFileChangesInLog, outputFileOf, tasksInLog } from './logged-tasks-and-changes.js'
import { defineOperation, type Operation, type OperationContext } from './operation.js'
import { HttpProblem } from './problems.js'

const tag = 'Record'
const LARGEST_PIECE = 1_000_000

export const SESSION_LOG_OPERATIONS: Operation[] = [
  defineOperation({
    id: 'readLog',
    method: 'get',
    path: '/v1/sessions/{session}/log',
    tag,
    scope: 'read',
    summary: 'Lists log entries after a number.',
    query: {
      after: optionalSchema(integerSchema({ minimum: 0 })),
      limit: optionalSchema(integerSchema({ minimum: 1, maximum: 10_000 })),
    },
    answer: schemaRef('Log'),
    async run({ params, query: { after = 0, limit = 1000 } }, { server }) {
      const last = await server.hub.last(params.session)
      const entries: LogEntry[] = []
      if (after < last) {
        for await (const item of server.hub.read(params.session, { after, deltas: false })) {
          if (item.kind !== 'delta') entries.push(item)
          if (entries.length >= limit || item.seq >= last) break
        }
      }
      return { entries, last }
    },
  }),
  defineOperation({
    id: 'listHistory',
    method: 'get',
    path: '/v1/sessions/{session}/history',
    tag,
    scope: 'read',
    summary: 'Lists messages from before the log begins: before a fork, or from outside this server.',
    query: {
      limit: optionalSchema(
        integerSchema({ minimum: 1, maximum: 10_000, description: 'The number of latest messages to return.' }),
      ),
    },
    answer: responseObjectSchema({
      messages: listSchema(schemaRef('SessionMessage')),
      earlier: integerSchema({ description: 'The number of earlier messages.' }),
    }),
    async run({ params: { session }, query: { limit = 1000 } }, { server }) {
      const begin = await firstEntry(session, server.hub)
      const all = (await server.hub.messages(session)).filter(({ timestamp = '' }) => timestamp < begin)
      const messages = all.slice(-limit)
      return { messages, earlier: all.length - messages.length }
    },
  }),
  defineOperation({
    id: 'listMessages',
    method: 'get',
    path: '/v1/sessions/{session}/messages',
    tag,
    scope: 'read',
    summary: 'Lists messages of the conversation, oldest first: without those that a rewind removed.',
    query: {
      offset: optionalSchema(integerSchema({ minimum: 0, description: 'The number of messages to leave out.' })),
      limit: optionalSchema(integerSchema({ minimum: 1, maximum: 10_000 })),
    },
    answer: responseObjectSchema({
      messages: listSchema(schemaRef('SessionMessage')),
      total: integerSchema({ description: 'The number of messages in the conversation.' }),
    }),
    async run({ params, query: { offset = 0, limit = 1000 } }, { server }) {
      const all = await server.hub.messages(params.session)
      return { messages: all.slice(offset, offset + limit), total: all.length }
    },
  }),
  defineOperation({
    id: 'listTasks',
    method: 'get',
    path: '/v1/sessions/{session}/tasks',
    tag,
    scope: 'read',
    summary: 'Lists background tasks, latest last.',
    answer: responseObjectSchema({ tasks: listSchema(schemaRef('Task')) }),
    run: async ({ params }, context) => ({ tasks: tasksInLog(await wholeLog(params.session, context)) }),
  }),
  defineOperation({
    id: 'readTask',
    isLocal: true,
    method: 'get',
    path: '/v1/sessions/{session}/tasks/{task}/output',
    tag,
    scope: 'read',
    summary: "Returns the end of a task's output.",
    query: { bytes: optionalSchema(integerSchema({ minimum: 1, maximum: LARGEST_PIECE })) },
    answer: responseObjectSchema({ text: longTextSchema(), size: integerSchema() }),
    problems: ['task_not_found', 'file_not_found', 'agent_failed'],
    async run({ params, query: { bytes = 16_384 } }, context) {
      const { session, task } = params
      const file = outputFileOf(await wholeLog(session, context), task)
      if (file === undefined || basename(file) !== `${task}.output`)
        throw new HttpProblem('task_not_found', `There is no output of a task ${task}.`)
      // Whether it may be read is for the session's own rules to say.
      const { path } = await readable(session, file, context, 0)
      return tailOf(path, bytes)
    },
  }),
  defineOperation({
    id: 'stopTask',
    method: 'post',
    path: '/v1/sessions/{session}/tasks/{task}/stop',
    tag,
    scope: 'prompt',
    summary: 'Stops a background task.',
    problems: ['task_not_found', 'refused_by_agent', 'turn_over'],
    async run({ params: { session, task } }, context) {
      const tasks = tasksInLog(await wholeLog(session, context))
      if (!tasks.some(({ id }) => id === task)) throw new HttpProblem('task_not_found', `There is no task ${task}.`)
      await context.server.hub.interrupt(session, { task })
    },
  }),
  defineOperation({
    id: 'listChanges',
    method: 'get',
    path: '/v1/sessions/{session}/changes',
    tag,
    scope: 'read',
    summary: "Lists the session's file changes, edit by edit, as patches.",
    query: { path: optionalSchema(textSchema()) },
    answer: responseObjectSchema({
      changes: listSchema(schemaRef('Change')),
    }),
    async run({ params, query: { path } }, context) {
      const changes = findFileChangesInLog(await wholeLog(params.session, context))
      return { changes: path === undefined ? changes : changes.filter((change) => change.path === path) }
    },
  }),
  defineOperation({
    id: 'readFile',
    method: 'get',
    path: '/v1/sessions/{session}/file',
    tag,
    scope: 'read',
    summary: "Returns a file in the session's folders, if its rules allow reading it.",
    query: {
      path: textSchema({ minLength: 1 }),
      encoding: optionalSchema(choiceSchema(['utf-8', 'base64'])),
      bytes: optionalSchema(integerSchema({ minimum: 0, maximum: LARGEST_PIECE })),
    },
    answer: responseObjectSchema({
      path: textSchema(),
      content: longTextSchema(),
      encoding: textSchema(),
      size: integerSchema(),
    }),
    problems: ['file_not_found', 'agent_failed', 'not_on_cluster'],
    run: ({ params, query: { path, encoding = 'utf-8', bytes = LARGEST_PIECE } }, context) =>
      readable(params.session, path, context, bytes, encoding),
  }),
  defineOperation({
    id: 'listFiles',
    isLocal: true,
    method: 'get',
    path: '/v1/sessions/{session}/files',
    tag,
    scope: 'read',
    summary: "Completes file names in the session's folder, best match first.",
    query: {
      text: optionalSchema(textSchema({ maxLength: 300 })),
      limit: optionalSchema(integerSchema({ minimum: 1, maximum: 100 })),
    },
    answer: responseObjectSchema({ files: listSchema(textSchema()) }),
    async run({ params, query: { text: wanted = '', limit = 20 } }, { server }) {
      return { files: await findFileNames((await server.hub.info(params.session)).cwd, wanted, limit) }
    },
  }),
  defineOperation({
    id: 'exportSession',
    method: 'get',
    path: '/v1/sessions/{session}/export',
    tag,
    scope: 'read',
    summary: 'Exports the session as JSON lines: its data, conversation, and log.',
    type: 'application/x-ndjson',
    answer: schemaRef('ExportLine'),
    async run({ params: { session } }, { server }) {
      const info = await server.hub.info(session)
      const name = `attachment; filename="${session}.ndjson"`
      return new Response(await exportStream(server.hub, info), {
        headers: { 'content-type': 'application/x-ndjson', 'content-disposition': name },
      })
    },
  }),
]

/** When the log was begun, which is before anything of it was said. */
async function firstEntry(session: string, hub: OperationContext['server']['hub']): Promise<string> {
  // One that is opened has its first entry.
  await hub.info(session)
  for await (const { at } of hub.read(session, { deltas: false })) return at
  return ''
}

async function wholeLog(session: string, { server }: OperationContext): Promise<LogEntry[]> {
  const seq = await server.hub.last(session)
  const entries: LogEntry[] = []
  if (seq === 0) return entries
  for await (const item of server.hub.read(session, { deltas: false })) {
    if (item.kind !== 'delta') entries.push(item)
    if (item.seq >= seq) break
  }
  return entries
}

async function readable(
  session: string,
  path: string,
  { server }: OperationContext,
  maxBytes: number,
  encoding: 'utf-8' | 'base64' = 'utf-8',
) {
  const agent = await server.agentOf(session)
  return agent.readFile(path, { maxBytes, encoding }).catch((error: unknown) => {
    throw new HttpProblem('file_not_found', error instanceof Error ? error.message : 'It could not be read.')
  })
}

function tailOf(path: string, bytes: number): { text: string; size: number } {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size } = fstatSync(file)
    const buffer = Buffer.alloc(Math.min(bytes, size))
    const count = readSync(file, buffer, 0, buffer.length, size - buffer.length)
    return { text: buffer.subarray(0, count).toString('utf8'), size }
  } finally {
    closeSync(file)
  }
}
