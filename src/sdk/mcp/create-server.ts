/** Tools that callers write themselves: `tool()` and `createSdkMcpServer()`. */
import { ConfigurationError } from '../../errors.js'
import type { CallToolResult, McpSdkServerConfigWithInstance } from '../../protocol/mcp-servers.js'
import type {
  AnySdkMcpTool,
  AnyZodRawShape,
  CreateSdkMcpServerOptions,
  InferShape,
  JsonSchemaObject,
  SdkMcpCallContext,
  SdkMcpServerInstance,
  SdkMcpToolDefinition,
  SdkMcpToolExtras,
  StandardSchema,
  ToolArguments,
  ToolInputSchema,
} from '../../protocol/sdk-mcp.js'
import { SdkMcpServer } from './sdk-mcp-server.js'

/** A tool for `createSdkMcpServer()`: its name, what the model reads about it, its input as Zod fields, and what it does. */
export function tool<Schema extends AnyZodRawShape>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: (args: InferShape<Schema>, extra: SdkMcpCallContext) => Promise<CallToolResult>,
  extras?: SdkMcpToolExtras,
): SdkMcpToolDefinition<Schema>
export function tool<Schema extends StandardSchema | JsonSchemaObject>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: (args: ToolArguments<Schema>, extra: SdkMcpCallContext) => Promise<CallToolResult>,
  extras?: SdkMcpToolExtras,
): SdkMcpToolDefinition<Schema>
export function tool(
  name: string,
  description: string,
  inputSchema: ToolInputSchema,
  handler: (args: never, extra: SdkMcpCallContext) => Promise<CallToolResult>,
  { annotations, searchHint, alwaysLoad, timeout }: SdkMcpToolExtras = {},
): AnySdkMcpTool {
  if (timeout !== undefined && !(Number.isFinite(timeout) && timeout >= 1000)) {
    throw new ConfigurationError('timeout', `timeout of the tool ${name} must be a number of ms, from 1000 on.`)
  }
  const meta = {
    ...(searchHint === undefined ? {} : { 'anthropic/searchHint': searchHint }),
    ...(alwaysLoad ? { 'anthropic/alwaysLoad': true } : {}),
    ...(timeout === undefined ? {} : { 'kedge/timeoutMs': timeout }),
  }
  return {
    name,
    description,
    inputSchema,
    handler,
    ...(annotations ? { annotations } : {}),
    ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
  }
}

/** An MCP server in this process, for `mcpServers`: its tools are functions of yours. */
export function createSdkMcpServer(
  options: CreateSdkMcpServerOptions,
): McpSdkServerConfigWithInstance & { instance: SdkMcpServerInstance } {
  const { name, timeout, sampling } = options
  if (typeof name !== 'string' || name === '') throw new ConfigurationError('name', 'An MCP server needs a name.')
  const extras = { ...(timeout === undefined ? {} : { timeout }), ...(sampling ? { sampling } : {}) }
  return { type: 'sdk', name, ...extras, instance: new SdkMcpServer(options) }
}
