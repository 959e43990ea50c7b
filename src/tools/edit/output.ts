/** What Edit gives back to hosts. */

export interface FileEditOutput {
  /** As it was asked for. */
  filePath: string
  /** The text that was replaced. */
  oldString: string
  /** The text that took its place. */
  newString: string
  /** The content before, line ends as `\n`. */
  originalFile: string
  /** The change as hunks. */
  structuredPatch: {
    oldStart: number
    oldLines: number
    newStart: number
    newLines: number
    lines: string[]
  }[]
  /** Did the user change the proposal before it was applied? */
  userModified: boolean
  /** Were all occurrences replaced? */
  replaceAll: boolean
  /** The change as git sees it, when the file is in a repository and this was asked for. */
  gitDiff?: {
    filename: string
    status: 'modified' | 'added'
    additions: number
    deletions: number
    changes: number
    patch: string
  }
}
