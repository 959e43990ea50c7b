/**
 * A call that the user interface of a server's tool asks for (MCP Apps). It's judged as a call of the model would be: hooks,
 * rules, and a user who sees where it comes from. It isn't part of the conversation.
 */
import { runToolCalls } from '../../engine/tool-calls.js'
import { toNamePart } from '../../mcp/clean-text.js'
import { printableText } from '../../platform/visible-text.js'
import type { SDKControlMcpAppCallRequest, SDKControlMcpAppCallResponse } from '../../protocol/control.js'
import { isObject } from '../../protocol/json.js'
import type { Conversation } from '../conversation.js'

type Asked = Pick<SDKControlMcpAppCallRequest, 'serverName' | 'toolName' | 'arguments'>

export async function callToolForApp(
  { ports, shared: { platform, mcp } }: Conversation,
  { serverName, toolName, arguments: input }: Asked,
  signal: AbortSignal,
): Promise<SDKControlMcpAppCallResponse> {
  const server = mcp.statuses().find(({ name }) => name === serverName)
  const name = `mcp__${toNamePart(serverName)}__${toNamePart(toolName)}`
  const isTheirs = server?.tools?.some((tool) => tool.name === toolName) === true
  // Two servers whose names look alike: an interface calls tools of its own server only.
  if (!isTheirs || mcp.ownersOf(name).length > 1)
    return failed(`${serverName} has no tool ${toolName} for its interface.`)
  const tool = mcp.find(name, 'app')
  if (!tool) return failed(`${serverName} keeps the tool ${toolName} to the model.`)
  const source = `The user interface of the MCP server ${printableText(serverName, 100)} asks for this, not the model.`
  const { results } = await runToolCalls(
    [{ call: { id: `app_${platform.identity.hex(16)}`, name, input } }],
    {
      ...ports,
      tools: { ...ports.tools, find: (called) => ports.tools.find(called) ?? (called === name ? tool : undefined) },
      permissions: {
        ...ports.permissions,
        ask(question, over) {
          const { details, decisionReason, warning } = question
          const why = { layer: 'tool' as const, ...details?.why, text: source }
          return ports.permissions.ask(
            {
              ...question,
              decisionReason: decisionReason ?? source,
              warning: warning === undefined ? source : `${source} ${warning}`,
              details: { ...details, why },
            },
            over,
          )
        },
      },
      emit() {},
    },
    signal,
  )
  const [result] = results
  if (!result) return failed('The call was canceled.')
  const { content = '', is_error: isError } = result.block
  const blocks =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content.map((block) => ({ ...block }))
  const structured = isObject(result.output) ? result.output['structuredContent'] : undefined
  return {
    content: blocks,
    ...(isObject(structured) ? { structuredContent: structured } : {}),
    ...(isError ? { isError } : {}),
  }
}

function failed(text: string): SDKControlMcpAppCallResponse {
  return { content: [{ type: 'text', text }], isError: true }
}
