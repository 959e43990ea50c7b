/** What ToolSearch gives back to hosts. */

export interface ToolSearchOutput {
  /** Names of the tools that were found, the best match first. */
  matches: string[]
  query: string
  total_deferred_tools: number
}
