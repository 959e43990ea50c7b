/** What the two tools for resources of MCP servers give back to hosts. */

export type ListMcpResourcesOutput = {
  name: string
  uri: string
  mimeType?: string
  description?: string
  server: string
  /** `uri` is a pattern: what stands in braces has to be filled in. */
  isTemplate?: true
}[]

export interface ReadMcpResourceOutput {
  contents: {
    uri: string
    mimeType?: string
    /** Of content that is no text: where it was put. */
    text?: string
  }[]
}
