/** What WebSearch gives back to hosts. */

export interface WebSearchOutput {
  query: string
  /** Hits of each search, between what the model said about them. */
  results: ({ tool_use_id: string; content: { title: string; url: string }[] } | string)[]
  durationSeconds: number
}
