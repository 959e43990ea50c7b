/** Facts in hook inputs: servers of tools, and work beside the conversation. */

/** The MCP server that a tool is from. */
export type McpServerProvenance = {
  /** Its name in the configuration. */
  name: string
  /** What configured it, such as `project` or `plugin`. */
  source: string
}

/** Work that continues beside the conversation. */
export type BackgroundTaskSummary = {
  /** The id of the task, as `TaskOutput` takes it. */
  id: string
  /** What runs: `shell`, `agent`, `teammate`, or `mcp`. */
  type: string
  /** `running`. */
  status: string
  /** In a few words. */
  description: string
  /** The command line, of a command. */
  command?: string
}

/** A prompt that is planned for later in the session. Kedge plans none. */
export type SessionCronSummary = {
  /** Its id. */
  id: string
  /** When, in the notation of cron. */
  schedule: string
  /** More than once. */
  recurring: boolean
  /** What is sent then. */
  prompt: string
}
