/** A call of an MCP server that waits for answers: plain data, so another process can ask again. */
import type { JsonObject } from '../json.js'

/** One question of a round: `elicitation/create`, `sampling/createMessage` or `roots/list`. */
export type McpInputRequest = {
  /** Which of the three. */
  method: string
  /** What it asks with. */
  params: JsonObject
}

/**
 * A request to a server that waits for answers, as a plain value. With revision 2026-07-28, another process can send it
 * again with the answers, because its server keeps no connection open for it.
 */
export type McpPausedRequest = {
  /** The server's name in the configuration. */
  server: string
  /** What makes the server this one, its command or address: its state goes to no other. */
  identity: string
  /** The request: `tools/call`, `prompts/get` or `resources/read`. */
  method: string
  /** Its parameters, as they were sent first. */
  params: JsonObject
  /** The server's own word for where it is; it goes back as it is. */
  requestState?: string
  /** What the server asks in this round, by its keys. */
  inputRequests: Record<string, McpInputRequest>
  /** The answers there are so far, by the same keys. */
  inputResponses: Record<string, JsonObject>
  /** How many rounds came before this one. */
  round: number
  /** The server waits on its connection (older revisions): without that, the request can only be repeated. */
  isLive?: true
}

/** The tool call that a server's question belongs to. */
export type McpQuestionOrigin = {
  /** The id that the model gave the call. */
  toolUseId: string
  /** Tells the questions of the call apart. A question that is asked again has the same key. */
  key: string
  /** The call continues with the answer even if this process has ended. */
  canPark: boolean
}
