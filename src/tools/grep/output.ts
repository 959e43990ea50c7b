/** What Grep gives back to hosts. */

export interface GrepOutput {
  /** What was asked for. */
  mode?: 'content' | 'files_with_matches' | 'count'
  /** How many files are listed or counted; 0 in content mode. */
  numFiles: number
  /** The files, newest change first, in files_with_matches mode. */
  filenames: string[]
  /** The lines, or the counts per file. */
  content?: string
  /** How many lines `content` has, in content mode. */
  numLines?: number
  /** Sum of the counts shown, in count mode. */
  numMatches?: number
  /** The limit, when one was given. */
  appliedLimit?: number
  /** The offset, when one was given. */
  appliedOffset?: number
}
