/** A server's tool as the loop sees it. Its input is checked by its server; what it would do, nobody but the server knows. */

import type { CallWaitPort, EngineTool, PermissionFacts, ToolDefinition, ToolOutcome } from '../engine/ports.js'
import { repairInput } from '../engine/repair-input.js'
import type { Clock } from '../platform/clock.js'
import { isObject, type JsonObject } from '../protocol/json.js'
import { messageOf } from '../protocol/thrown.js'
import type { Connection } from './connection.js'
import type { ListedTool } from './lists/server-lists.js'
import { McpError } from './mcp-error.js'
import { type CallQuestions, createCallQuestions } from './questions/call-questions.js'
import { serverIdentity } from './server-identity.js'
import { followServerTask, isServerTask, type ServerTaskPorts } from './stateless/server-task.js'
import { type ResultPorts, toToolOutcome } from './tool-result.js'

export type ServerToolPorts = ResultPorts & {
  callMs: number
  /** Calls are asked for even in a mode that allows everything. */
  asksInBypass(): boolean
  clock: ServerTaskPorts['clock'] & Pick<Clock, 'atMost'>
  /** Lists a call that its server works on without us, among the tasks of the session. */
  adoptTask(task: McpCallTask): Promise<{ id: string; outputFile: string }>
}

/** A call that its server made a task of. */
export type McpCallTask = {
  server: string
  description: string
  toolUseId: string
  /** What the model would have read; never rejects. */
  ended: Promise<ToolOutcome>
  status(): string
  stop(): void
}

/** The caller of a tool: a server can keep one to the model, or to the user interface it shows. */
export type McpToolCaller = 'model' | 'app'

export type McpTool = {
  definition: ToolDefinition
  tool: EngineTool
  alwaysLoad: boolean
  isForModel: boolean
  isForApp: boolean
}

/** A task is waited for so long before it goes to the background. */
const FOREGROUND_MS = 2000
/** For each word with a server about a task. */
const TASK_REQUEST_MS = 30_000
const DESTRUCTIVE = 'Its server says that this tool may destroy or overwrite data.'

export function createMcpTool(
  name: string,
  server: string,
  given: ListedTool,
  to: Connection,
  ports: ServerToolPorts,
): McpTool {
  const { annotations } = given
  // Which draft a schema follows says nothing to a model, and would be said once for each tool.
  const { $schema: _, ...schema } = given.inputSchema
  return {
    definition: { name, description: given.description, input_schema: schema },
    alwaysLoad: given.alwaysLoad || to.config?.alwaysLoad === true,
    isForModel: given.ui.isForModel,
    isForApp: given.ui.isForApp,
    tool: {
      name,
      ...(annotations.destructiveHint && !annotations.readOnlyHint ? { warning: DESTRUCTIVE } : {}),
      isReadOnly: () => annotations.readOnlyHint === true,
      parse(input) {
        if (isObject(input)) {
          const { input: read, mended } = repairInput(given.inputSchema, input)
          return { ok: true, input: read, ...(mended ? { mended } : {}) }
        }
        const error = `InputValidationError: ${name} failed due to the following issue(s):\nThe input must be an object`
        return { ok: false, error, output: error }
      },
      check: async () => undefined,
      facts: () => factsOf(given, to, ports.asksInBypass()),
      moreFacts: async () => undefined,
      execute: callTool,
    },
  }

  async function callTool(
    { id, input }: { id: string; input: JsonObject },
    signal: AbortSignal,
    progress: (output: string) => void,
    wait?: CallWaitPort,
  ): Promise<ToolOutcome> {
    const params = { name: given.name, arguments: input, _meta: { 'claudecode/toolUseId': id } }
    const parked = new AbortController()
    const onAbort = () => parked.abort()
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    const park = () => {
      wait?.park()
      // A server of an older revision waits on its connection, and learns that nobody waits for it.
      onAbort()
    }
    try {
      const options = {
        timeoutMs: timeoutOf(given, to.config) ?? ports.callMs,
        signal: parked.signal,
        onProgress: (params: JsonObject) => progress(progressText(params)),
        questions: wait && questionsOf(id, params, server, { given, to }, { ...wait, park }),
      }
      const result = await to.request('tools/call', params, options).catch((error: unknown) => {
        // The server looked at nothing: it may be asked again, once it knows us again.
        if (error instanceof McpError && error.code === 'mcp_session_lost')
          return to.request('tools/call', params, options)
        throw error
      })
      if (isServerTask(result)) return await followTask(id, result, signal, progress)
      return await toToolOutcome(result, given.outputSchema, ports)
    } catch (error) {
      if (error instanceof McpError && error.code === 'mcp_parked') wait?.park()
      return failed(error)
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** A short task is waited for like any call; a longer one goes on beside the conversation. */
  async function followTask(
    toolUseId: string,
    created: JsonObject,
    signal: AbortSignal,
    progress: (output: string) => void,
  ): Promise<ToolOutcome> {
    const stop = new AbortController()
    const onAbort = () => stop.abort()
    signal.addEventListener('abort', onAbort, { once: true })
    let status = ''
    const ended = followServerTask(
      created,
      {
        clock: ports.clock,
        request: (method, params, until) => to.request(method, params, { timeoutMs: TASK_REQUEST_MS, signal: until }),
        answer: (method, params, until) => to.answerInput(method, params, until),
        onStatus(text) {
          status = text
          if (text !== '') progress(text)
        },
      },
      stop.signal,
    ).then((result) => toToolOutcome(result, given.outputSchema, ports), failed)
    const early = await ports.clock.atMost(FOREGROUND_MS, ended)
    signal.removeEventListener('abort', onAbort)
    if (early) return early
    const task = {
      server,
      description: `${server}: ${given.name}`,
      toolUseId,
      ended,
      status: () => status,
      stop: onAbort,
    }
    const { id, outputFile } = await ports.adoptTask(task)
    const text = `The server works on this as task ${id}, in the background. You are told when it is over; the result will also be in ${outputFile}.`
    return { ok: true, content: text, output: text }
  }

  function failed(error: unknown): ToolOutcome {
    const timedOut = error instanceof McpError && error.code === 'mcp_timeout'
    const hint = timedOut ? ' (MCP_TOOL_TIMEOUT, or `timeout` of the server, allows more)' : ''
    const isTheirs = error instanceof McpError && error.code === 'mcp_refused'
    return { ok: false, error: isTheirs ? error.message : `MCP server ${server}: ${messageOf(error)}${hint}` }
  }
}

function timeoutOf({ timeoutMs }: ListedTool, config: Connection['config']): number | undefined {
  return (config?.type === 'sdk' ? timeoutMs : undefined) ?? config?.timeoutMs
}

function questionsOf(
  callId: string,
  params: JsonObject,
  server: string,
  { given: { annotations }, to: { config } }: { given: ListedTool; to: Connection },
  wait: CallWaitPort,
): CallQuestions | undefined {
  if (!config) return undefined
  const mayRepeat = annotations.readOnlyHint === true || annotations.idempotentHint === true
  return createCallQuestions({ wait, callId, server, identity: serverIdentity(config), params, mayRepeat })
}

function factsOf({ name, needsUser }: ListedTool, { config }: Connection, asksInBypass: boolean): PermissionFacts {
  const policy = config?.toolPolicies?.get(name)
  if (needsUser || policy === 'ask') return { kind: 'ask' }
  if (asksInBypass) return { kind: 'other', asksInBypass }
  return policy === 'allow' ? { kind: 'other', approved: true } : { kind: 'other' }
}

function progressText({ message, progress, total }: JsonObject): string {
  const share = typeof total === 'number' ? `${String(progress)}/${total}` : String(progress)
  return `${typeof message === 'string' ? message.slice(0, 1000) : share}\n`
}
