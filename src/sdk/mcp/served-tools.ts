/** What connections need of the server they belong to. */
import type { AnySdkMcpTool, SdkMcpRequestHandler } from '../../protocol/sdk-mcp.js'
import type { McpInputSchema } from './tool-schema.js'

export type ServedTool = { tool: AnySdkMcpTool; input: McpInputSchema; listed: Record<string, unknown> }

export type ServedTools = {
  initializeResult(requested: unknown): Record<string, unknown>
  get(name: string): ServedTool | undefined
  list(): Promise<Record<string, unknown>>
  /** The handler of a request that isn't about tools. */
  handlerOf(method: string): SdkMcpRequestHandler | undefined
}
