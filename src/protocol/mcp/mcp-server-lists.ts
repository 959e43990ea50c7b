/** Lists in settings that say which MCP servers can be used. */

/** Ours: an entry of the settings `allowedMcpServers` and `deniedMcpServers`. */
export type McpServerMatcher = {
  /** The server's name. */
  serverName?: string
  /** Its command and arguments, exactly. */
  serverCommand?: string[]
  /** Its address, with `*` for any characters. */
  serverUrl?: string
}

/** Ours: which servers may be used. `allowed` undefined: all that are not denied. */
export type McpServerLists = {
  allowed: readonly McpServerMatcher[] | undefined
  denied: readonly McpServerMatcher[]
}
