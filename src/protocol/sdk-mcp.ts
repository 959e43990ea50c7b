/** Types of the tools that callers write themselves: `tool()` and `createSdkMcpServer()`. */
import type { CallToolResult, McpServerInstance, ToolAnnotations } from './mcp-servers.js'

/**
 * `{ name: z.string(), … }`, made with zod 3, zod 4 or zod mini. By what tells them apart, not by zod's own types: depending on how
 * a program resolves modules, ours would be another declaration of the same classes, and comparing the two never ends.
 */
export type AnyZodRawShape = { [name: string]: Zod3Field | Zod4Field }
/** Any output: inference takes the real one. */
type Zod3Field = { readonly _output: unknown; readonly _def: object }
type Zod4Field = { readonly _zod: { readonly output: unknown; readonly def: object } }

/** The arguments a handler gets for a shape. */
export type InferShape<T extends AnyZodRawShape> = {
  [K in keyof T]: T[K] extends { _output: infer O } ? O : T[K] extends { _zod: { output: infer O } } ? O : never
} & {}

/** A whole schema of any library that follows Standard Schema: zod, valibot, ArkType, … */
export interface StandardSchema<Output = unknown> {
  /** What Standard Schema asks of a library. */
  readonly '~standard': {
    /** The version of Standard Schema. */
    readonly version: 1
    /** The library it is of. */
    readonly vendor: string
    /** Checks a value. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** For the compiler only: what goes in and what comes out. */
    readonly types?:
      | {
          /** What goes in. */
          readonly input: unknown
          /** What comes out. */
          readonly output: Output
        }
      | undefined
    /** The conversion to JSON Schema. Without it, the model could not see what to send. */
    readonly jsonSchema?:
      | {
          /** JSON Schema of what goes in. */
          input(options: { target: 'draft-07' }): Record<string, unknown>
        }
      | undefined
  }
}
/** What checking a value gave: the value, or what is wrong with it. */
export type StandardResult<Output> =
  | {
      /** The value, as the schema made it. */
      readonly value: Output
      /** What is wrong; absent when nothing is. */
      readonly issues?: undefined
    }
  | {
      /** What is wrong; absent when nothing is. */
      readonly issues: readonly StandardIssue[]
    }
/** What is wrong with a value. */
export type StandardIssue = {
  /** In words. */
  readonly message: string
  /** Where in the value. */
  readonly path?:
    | readonly (
        | PropertyKey
        | {
            /** The name or number of the part. */
            readonly key: PropertyKey
          }
      )[]
    | undefined
}

/** Plain JSON Schema of an object. */
export type JsonSchemaObject = { type: 'object'; [keyword: string]: unknown }

/** What a tool takes: zod fields, a schema of another library, or JSON Schema. */
export type ToolInputSchema = AnyZodRawShape | StandardSchema | JsonSchemaObject

/** The arguments a handler gets for any kind of input schema. */
export type ToolArguments<T> =
  T extends StandardSchema<infer Output>
    ? Output
    : T extends JsonSchemaObject
      ? Record<string, unknown>
      : T extends AnyZodRawShape
        ? InferShape<T>
        : never

/** What a handler gets beside its arguments. */
export type SdkMcpCallContext = {
  /** Aborts when the result is not needed any more. */
  signal: AbortSignal
  /** The id of the MCP request. */
  requestId: string | number
  /** The session that calls: one server may serve many. */
  sessionId?: string
  /** Id of the model's tool call, as in `canUseTool` and hooks. */
  toolUseId?: string
  /** What the caller added to the request. */
  _meta?: Record<string, unknown>
  /** The user's answers to what an earlier round of this request asked for (`input_required`), by its keys. */
  inputResponses?: Record<string, unknown>
  /** The `requestState` of that round, as this server gave it. */
  requestState?: string
  /** Tells how far the call is. Does nothing when the agent did not ask to know. */
  reportProgress(progress: number, total?: number, message?: string): Promise<void>
  /** Tells the agent something, such as progress. */
  sendNotification(notification: {
    /** The method, as MCP names it. */
    method: string
    /** What goes with it. */
    params?: Record<string, unknown>
  }): Promise<void>
  /** Asks the agent: `elicitation/create`, `roots/list`. Rejects when it says no, or the call is over. */
  sendRequest(request: {
    /** The method, as MCP names it. */
    method: string
    /** What goes with it. */
    params?: Record<string, unknown>
  }): Promise<Record<string, unknown>>
}

/** A custom tool, as `tool()` makes it. */
export type SdkMcpToolDefinition<Schema extends ToolInputSchema = AnyZodRawShape> = {
  /** Its name, without the server's. */
  name: string
  /** The description that the model reads. */
  description: string
  /** What it takes: checked before the handler runs. */
  inputSchema: Schema
  /** Hints about what it does. */
  annotations?: ToolAnnotations
  /** What else is to be said of it, for clients. */
  _meta?: Record<string, unknown>
  // A method, not a function property: only so do tools of different shapes fit into one array.
  /** What it does: gets the checked input, returns the result. */
  handler(args: ToolArguments<Schema>, extra: unknown): Promise<CallToolResult>
}

/** What `tool()` takes after the handler. */
export type SdkMcpToolExtras = {
  /** Hints about what it does. */
  annotations?: ToolAnnotations
  /** Words by which the tool is found when tools are loaded on demand. */
  searchHint?: string
  /** Always shown to the model, never only found by search. */
  alwaysLoad?: boolean
  /** Milliseconds one call may take, from 1,000 on; before what the server says. */
  timeout?: number
}

/** Any tool, whatever its input schema. */
export type AnySdkMcpTool = Omit<SdkMcpToolDefinition<JsonSchemaObject>, 'inputSchema' | 'handler'> & {
  /** What it takes, in whatever form its schema has. */
  inputSchema: object
  /** What it does. */
  handler(args: never, extra: unknown): Promise<CallToolResult>
}

/** Answers a request of the protocol that isn't about tools. A thrown error is the request's error. */
export type SdkMcpRequestHandler = (
  params: Record<string, unknown>,
  context: SdkMcpCallContext,
) => Promise<Record<string, unknown>> | Record<string, unknown>

/** What `createSdkMcpServer()` takes. */
export type CreateSdkMcpServerOptions = {
  /** The server's name: its tools are called `mcp__<name>__<tool>`. */
  name: string
  /** Default: `1.0.0`. */
  version?: string
  /** Instructions about the whole server, for the model. */
  instructions?: string
  /** Its tools, made by `tool()`. */
  tools?: AnySdkMcpTool[]
  /**
   * Handlers of other requests, by method: `resources/list`, `resources/read`, `prompts/list`, `prompts/get`,
   * `completion/complete` … The server offers what it has handlers for.
   */
  requests?: Record<string, SdkMcpRequestHandler>
  /** For all tools of this server: see `tool()`. */
  alwaysLoad?: boolean
  /** Milliseconds a call may take, above `MCP_TOOL_TIMEOUT`. Below 1,000 it is ignored. */
  timeout?: number
  /** Handlers may put questions to the session's model (`sampling/createMessage`); permission is asked for each. */
  sampling?: boolean
}

/** A server made by `createSdkMcpServer()`. It serves any number of queries at once. */
export interface SdkMcpServerInstance extends McpServerInstance {
  /** Adds a tool, or replaces the one of that name, and notifies agents that use the server. */
  addTool(tool: AnySdkMcpTool): void
  /** False when there is none of that name. */
  removeTool(name: string): boolean
  /** Notifies every client, such as of a changed resource (`notifications/resources/updated`). */
  notify(notification: {
    /** The method, as MCP names it. */
    method: string
    /** What goes with it. */
    params?: Record<string, unknown>
  }): void
}
