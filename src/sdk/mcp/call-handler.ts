/** Runs the handler of one tool: arguments checked before, its result after; what it throws is a result too. */
import type { CallToolResult } from '../../protocol/mcp-servers.js'
import type { SdkMcpCallContext } from '../../protocol/sdk-mcp.js'
import { checkToolResult } from './call-result.js'
import type { ServedTool } from './served-tools.js'
import { INVALID_PARAMS, RpcError, textOfThrownValue } from './server-link.js'

export async function callMcpToolHandler(
  served: ServedTool | undefined,
  name: string,
  args: Record<string, unknown>,
  context: SdkMcpCallContext,
): Promise<CallToolResult> {
  if (!served) return failed(`MCP error ${INVALID_PARAMS}: Tool ${name} not found`)
  let returned: unknown
  try {
    // In-process these are the very objects of the conversation: a handler may change its own copy only.
    const parsed = await served.input.parse(structuredClone(args))
    if (!parsed.ok)
      return failed(
        `MCP error ${INVALID_PARAMS}: Input validation error: Invalid arguments for tool ${name}: ${parsed.problem}`,
      )
    // What `parse` let through has the type its schema promises.
    returned = await served.tool.handler(parsed.value as never, context)
  } catch (error) {
    return failed(textOfThrownValue(error))
  }
  const checked = checkToolResult(returned)
  if (!checked.ok)
    throw new RpcError(INVALID_PARAMS, `MCP error ${INVALID_PARAMS}: Invalid tools/call result: ${checked.problem}`)
  return checked.result
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
