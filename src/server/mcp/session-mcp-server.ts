/** Kedge's sessions as the tools of an MCP server: start one, send to it, read it, answer its requests. */
import { randomUUID } from 'node:crypto'
import { VERSION } from '../../platform/version.js'
import type { CallToolResult, McpSdkServerConfigWithInstance } from '../../protocol/mcp-servers.js'
import type { AnySdkMcpTool, JsonSchemaObject, SdkMcpCallContext } from '../../protocol/sdk-mcp.js'
import { createSdkMcpServer, tool } from '../../sdk/mcp/create-server.js'
import {
  answerSchema,
  modelNameSchema,
  modeSchema,
  SESSION_STATUSES,
  titleSchema,
  uuidSchema,
} from '../api/api-schemas.js'
import {
  choiceSchema,
  integerSchema,
  listSchema,
  longTextSchema,
  objectSchema,
  optionalSchema,
  type SchemaFields,
  type TypeOfSchemaFields,
  textSchema,
} from '../api/json-schemas.js'
import { toProblem } from '../api/problems.js'
import { personOfCaller } from '../server-context.js'
import type { McpSessionGate } from './session-gate.js'
import { readSessionItems, sessionState, waitForTurn } from './session-reading.js'
import { summarizeRequest } from './session-text.js'

const INSTRUCTIONS = `Runs agents of Kedge. start_session starts an agent in a folder and returns what it says when its turn
ends. If the status is needs-you, a person has to decide: show the request to your user, and send the decision with
answer_request. If the status is running, call read_session later.`

const session = textSchema({ ...uuidSchema.json, description: 'The id of a session.' })
const waitSeconds = optionalSchema(
  integerSchema({ minimum: 0, maximum: 3600, description: 'How long to wait for the end of the turn. Default: 50.' }),
)
const prompt = longTextSchema({ minLength: 1, maxLength: 1_000_000, description: 'The task for the agent.' })
const DEFAULT_WAIT = 50

/** Makes the server for a caller. */
export function createSessionMcpServer(access: McpSessionGate): McpSdkServerConfigWithInstance {
  return createSdkMcpServer({
    name: 'kedge',
    version: VERSION,
    instructions: INSTRUCTIONS,
    tools: [...readingTools(access), ...actingTools(access)],
  })
}

function readingTools(access: McpSessionGate): AnySdkMcpTool[] {
  return [
    sessionTool(
      'list_sessions',
      'Lists sessions, last changed first.',
      {
        folder: optionalSchema(textSchema({ description: 'Only sessions in this folder.' })),
        status: optionalSchema(listSchema(choiceSchema(SESSION_STATUSES))),
        text: optionalSchema(textSchema({ description: 'A part of the title.' })),
        limit: optionalSchema(integerSchema({ minimum: 1, maximum: 200 })),
        cursor: optionalSchema(textSchema({ description: '`next` of the previous page.' })),
      },
      async ({ folder, limit = 20, ...filter }) => {
        access.check('read')
        const where = (info: { id: string; cwd: string }) => access.isFor(info)
        const page = await access.hub.list({ ...filter, ...(folder ? { cwd: folder } : {}), limit, where })
        const sessions = page.sessions.map(({ id, title, cwd, status, asks, lastActivity }) => ({
          session: id,
          title: title ?? null,
          folder: cwd,
          status,
          requests: asks,
          changed: new Date(lastActivity).toISOString(),
        }))
        return { sessions, ...(page.next === undefined ? {} : { next: page.next }) }
      },
      { readOnlyHint: true },
    ),
    sessionTool(
      'read_session',
      'Returns what happened in a session after an entry, and whether a turn runs or a request waits.',
      {
        session,
        after: optionalSchema(integerSchema({ minimum: 0, description: '`last` of the previous call. Default: 0.' })),
        wait_seconds: optionalSchema(
          integerSchema({ minimum: 0, maximum: 3600, description: 'Wait for the end of a running turn. Default: 0.' }),
        ),
      },
      async ({ session, after = 0, wait_seconds: wait = 0 }, context) => {
        await access.use(session, 'read')
        await waitForTurn(access, session, wait, context)
        return { ...(await sessionState(access, session)), ...(await readSessionItems(access, session, after)) }
      },
      { readOnlyHint: true },
    ),
    sessionTool(
      'list_requests',
      'Lists requests that wait for a decision of a person.',
      { session: optionalSchema(session) },
      async ({ session }) => {
        access.check('read')
        const open = await access.openRequests(session)
        return { requests: open.map((ask) => summarizeRequest(ask, '')) }
      },
      { readOnlyHint: true },
    ),
  ]
}

function actingTools(access: McpSessionGate): AnySdkMcpTool[] {
  const send = async (session: string, content: string, wait: number, context: SdkMcpCallContext) => {
    const by = personOfCaller(access.caller)
    const { seq } = await access.hub.send(session, { id: randomUUID(), content, by: { ...by, interface: 'mcp' } })
    await waitForTurn(access, session, wait, context)
    return { ...(await sessionState(access, session)), ...(await readSessionItems(access, session, seq)) }
  }
  return [
    sessionTool(
      'start_session',
      'Starts an agent in a folder with a first prompt, and returns what it said when its turn ended or has to wait.',
      {
        prompt,
        folder: optionalSchema(textSchema({ description: 'An absolute path. Default: the folder of the server.' })),
        title: optionalSchema(titleSchema),
        model: optionalSchema(modelNameSchema),
        mode: optionalSchema(modeSchema),
        wait_seconds: waitSeconds,
      },
      async ({ prompt, wait_seconds: wait = DEFAULT_WAIT, ...spec }, context) => {
        const { id } = await access.begin(spec)
        return send(id, prompt, wait, context)
      },
    ),
    sessionTool(
      'send_prompt',
      'Sends a prompt to a session. If a turn runs, the prompt waits for its end.',
      { session, prompt, wait_seconds: waitSeconds },
      async ({ session, prompt, wait_seconds: wait = DEFAULT_WAIT }, context) => {
        await access.use(session, 'prompt')
        return send(session, prompt, wait, context)
      },
    ),
    sessionTool(
      'answer_request',
      "Answers a request with your user's decision: kind `allow` or `deny` for a permission request, `answers` for questions, `approve` or `revise` for a plan, `elicitation` for a form.",
      {
        session,
        request: textSchema({ description: 'The id of the request.' }),
        answer: answerSchema,
        wait_seconds: waitSeconds,
      },
      async ({ session, request, answer, wait_seconds: wait = DEFAULT_WAIT }, context) => {
        await access.use(session, 'answer')
        const before = await access.hub.last(session)
        await access.answer(session, request, answer)
        await waitForTurn(access, session, wait, context)
        return { ...(await sessionState(access, session)), ...(await readSessionItems(access, session, before)) }
      },
    ),
    sessionTool('interrupt_session', 'Stops the running turn.', { session }, async ({ session }) => {
      await access.use(session, 'prompt')
      await access.hub.interrupt(session)
      return sessionState(access, session)
    }),
  ]
}

/** A tool whose answer is JSON, for programs and as text for models. */
function sessionTool<F extends SchemaFields>(
  name: string,
  description: string,
  fields: F,
  run: (input: TypeOfSchemaFields<F>, context: SdkMcpCallContext) => Promise<Record<string, unknown>>,
  annotations: { readOnlyHint?: boolean } = {},
): AnySdkMcpTool {
  const schema = objectSchema(fields).json as JsonSchemaObject // of an object
  const handler = async (input: Record<string, unknown>, context: SdkMcpCallContext): Promise<CallToolResult> => {
    try {
      const structuredContent = await run(input as TypeOfSchemaFields<F>, context) // checked by the schema
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent, null, 2) }], structuredContent }
    } catch (error) {
      const { code, detail, fix } = toProblem(error, '').toJson()
      const text = `${detail} ${fix}`
      return { content: [{ type: 'text', text }], structuredContent: { code, message: text }, isError: true }
    }
  }
  return tool(name, description, schema, handler, { annotations })
}
