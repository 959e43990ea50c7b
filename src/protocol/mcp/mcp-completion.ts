/** Suggestions of an MCP server for an argument that a user types. */

/** What to complete: an argument of a prompt, or of a resource template. */
export type McpCompletionTarget = {
  /** The prompt, by the server's name for it. */
  prompt?: string
  /** The resource template, as the server lists it. */
  uriTemplate?: string
  /** The argument's name. */
  argument: string
  /** What the user has typed so far. */
  value: string
  /** Arguments that already have a value, by name. */
  others?: Record<string, string>
}

/** What the server suggests. */
export type McpCompletion = {
  /** At most 100, the best first. */
  values: string[]
  /** The server has more. */
  hasMore?: true
}
