/** What WebFetch gives back to hosts. */

export interface WebFetchOutput {
  /** Size of the page, decompressed; 0 when it only points elsewhere. */
  bytes: number
  /** HTTP status. */
  code: number
  codeText: string
  /** The answer to the prompt, or the text of the page where no model answers it. */
  result: string
  durationMs: number
  /** The address that was asked for. */
  url: string
}
