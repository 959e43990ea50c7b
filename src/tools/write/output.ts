/** What Write gives back to hosts. */

export interface FileWriteOutput {
  /** Was the file new, or did it replace another? */
  type: 'create' | 'update'
  /** As it was asked for. */
  filePath: string
  /** The content that was asked for. */
  content: string
  /** The change as hunks; empty for a new file. */
  structuredPatch: {
    oldStart: number
    oldLines: number
    newStart: number
    newLines: number
    lines: string[]
  }[]
  /** The content before; null for a new file. */
  originalFile: string | null
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
