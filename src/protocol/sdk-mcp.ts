/** Types of the tools that callers write themselves: `tool()` and `createSdkMcpServer()`, over shapes of zod 3 or 4. */
import type { ZodRawShape as Zod3RawShape } from 'zod/v3'
import type { ZodRawShape as Zod4RawShape } from 'zod/v4'
import type { CallToolResult, ToolAnnotations } from './mcp.js'

/** `{ name: z.string(), … }`, made with zod 3, zod 4 or zod mini. */
export type AnyZodRawShape = Zod3RawShape | Zod4RawShape

/** The arguments a handler gets for a shape. */
export type InferShape<T extends AnyZodRawShape> = {
  [K in keyof T]: T[K] extends { _output: infer O } ? O : T[K] extends { _zod: { output: infer O } } ? O : never
} & {}

export type SdkMcpToolDefinition<Schema extends AnyZodRawShape = AnyZodRawShape> = {
  name: string
  description: string
  inputSchema: Schema
  annotations?: ToolAnnotations
  // A method, not a function property: only so do tools of different shapes fit into one array.
  handler(args: InferShape<Schema>, extra: unknown): Promise<CallToolResult>
}

/** What `tool()` takes after the handler. */
export type SdkMcpToolExtras = { annotations?: ToolAnnotations }

export type CreateSdkMcpServerOptions = {
  name: string
  /** Default: `1.0.0`. */
  version?: string
  tools?: SdkMcpToolDefinition[]
}
