/** A server's tool as the loop sees it. Its input is checked by its server; what it would do, nobody but the server knows. */

import type { EngineTool, ToolDefinition, ToolOutcome } from '../engine/ports.js'
import { repairInput } from '../engine/repair-input.js'
import { isObject, type JsonObject } from '../protocol/json.js'
import { messageOf } from '../protocol/thrown.js'
import type { Connection } from './connection.js'
import { McpError } from './mcp-error.js'
import type { ListedTool } from './server-lists.js'
import { type ResultPorts, toToolOutcome } from './tool-result.js'

export type ServerToolPorts = ResultPorts & { callMs: number }

export type McpTool = { definition: ToolDefinition; tool: EngineTool; alwaysLoad: boolean; isForModel: boolean }

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
      facts: () => ({ kind: given.needsUser ? 'ask' : 'other' }),
      moreFacts: async () => undefined,
      execute: (call, signal, progress) => callTool(call, signal, progress),
    },
  }

  async function callTool(
    { id, input }: { id: string; input: JsonObject },
    signal: AbortSignal,
    progress: (output: string) => void,
  ): Promise<ToolOutcome> {
    const own = to.config?.type === 'sdk' ? given.timeoutMs : undefined
    const params = { name: given.name, arguments: input, _meta: { 'claudecode/toolUseId': id } }
    const options = {
      timeoutMs: own ?? to.config?.timeoutMs ?? ports.callMs,
      signal,
      onProgress: (params: JsonObject) => progress(progressText(params)),
    }
    try {
      const result = await to.request('tools/call', params, options).catch((error: unknown) => {
        // The server looked at nothing: it may be asked again, once it knows us again.
        if (error instanceof McpError && error.code === 'mcp_session_lost')
          return to.request('tools/call', params, options)
        throw error
      })
      return await toToolOutcome(result, given.outputSchema, ports)
    } catch (error) {
      const timedOut = error instanceof McpError && error.code === 'mcp_timeout'
      const hint = timedOut ? ' (MCP_TOOL_TIMEOUT, or `timeout` of the server, allows more)' : ''
      const isTheirs = error instanceof McpError && error.code === 'mcp_refused'
      return { ok: false, error: isTheirs ? error.message : `MCP server ${server}: ${messageOf(error)}${hint}` }
    }
  }
}

function progressText({ message, progress, total }: JsonObject): string {
  const share = typeof total === 'number' ? `${String(progress)}/${total}` : String(progress)
  return `${typeof message === 'string' ? message.slice(0, 1000) : share}\n`
}
