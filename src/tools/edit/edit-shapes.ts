/** What Edit takes and gives back. */
import type { InputSchema } from '../input-schema.js'

/** What `Edit` takes. */
export interface FileEditInput {
  /** Path of the file to change. Relative paths start at the working directory. */
  file_path: string
  /** The text to replace, exactly as it stands in the file. Empty only to create a new file. */
  old_string: string
  /** The text to put in its place; it must differ from old_string. */
  new_string: string
  /**
   * Replace every occurrence of old_string instead of the only one.
   * @default false
   */
  replace_all?: boolean
}

export const fileEditInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    file_path: {
      description: 'Path of the file to change. Relative paths start at the working directory.',
      type: 'string',
    },
    old_string: {
      description: 'The text to replace, exactly as it stands in the file. Empty only to create a new file.',
      type: 'string',
    },
    new_string: {
      description: 'The text to put in its place; it must differ from old_string.',
      type: 'string',
    },
    replace_all: {
      description: 'Replace every occurrence of old_string instead of the only one.',
      default: false,
      type: 'boolean',
    },
  },
  required: ['file_path', 'old_string', 'new_string'],
  additionalProperties: false,
} satisfies InputSchema<FileEditInput>

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
    /** The first line of the old text, from 1. */
    oldStart: number
    /** How many lines of the old text. */
    oldLines: number
    /** The first line of the new text, from 1. */
    newStart: number
    /** How many lines of the new text. */
    newLines: number
    /** The lines, each after a space, `-` or `+`. */
    lines: string[]
  }[]
  /** Did the user change the proposal before it was applied? */
  userModified: boolean
  /** Were all occurrences replaced? */
  replaceAll: boolean
  /** The change as git sees it, when the file is in a repository and this was asked for. */
  gitDiff?: {
    /** The file. */
    filename: string
    /** Whether it is new. */
    status: 'modified' | 'added'
    /** Lines that came. */
    additions: number
    /** Lines that went. */
    deletions: number
    /** Both together. */
    changes: number
    /** The change as a diff. */
    patch: string
  }
}
