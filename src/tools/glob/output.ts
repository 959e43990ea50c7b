/** What Glob gives back to hosts. */

export interface GlobOutput {
  /** Milliseconds the search took. */
  durationMs: number
  /** How many files are listed. */
  numFiles: number
  /** Absolute paths, oldest change first. */
  filenames: string[]
  /** True when there are more than the 100 listed. */
  truncated: boolean
}
