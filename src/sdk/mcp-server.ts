/** Tools that callers write themselves: `tool()` and `createSdkMcpServer()`. */
import { KedgeError } from '../errors.js'
import type { CallToolResult, McpSdkServerConfigWithInstance } from '../protocol/mcp.js'
import type {
  AnyZodRawShape,
  CreateSdkMcpServerOptions,
  InferShape,
  SdkMcpToolDefinition,
  SdkMcpToolExtras,
} from '../protocol/sdk-mcp.js'

export function tool<Schema extends AnyZodRawShape>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: (args: InferShape<Schema>, extra: unknown) => Promise<CallToolResult>,
  extras?: SdkMcpToolExtras,
): SdkMcpToolDefinition<Schema> {
  return {
    name,
    description,
    inputSchema,
    handler,
    ...(extras?.annotations ? { annotations: extras.annotations } : {}),
  }
}

/** This version can describe such a server, but not run it: the agent lists it as failed and says why. */
export function createSdkMcpServer({ name }: CreateSdkMcpServerOptions): McpSdkServerConfigWithInstance {
  return {
    type: 'sdk',
    name,
    instance: {
      async connect() {
        throw new KedgeError(
          'not_supported_yet',
          'In-process MCP servers are not supported yet by this version of Kedge.',
        )
      },
      async close() {},
    },
  }
}
