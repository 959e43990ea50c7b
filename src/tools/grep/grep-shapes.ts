/** What Grep takes and gives back. */
import type { InputSchema } from '../input-schema.js'

/** What `Grep` takes. */
export interface GrepInput {
  /** The regular expression to look for, in ripgrep's syntax. */
  pattern: string
  /** The file or folder to look in. Leave it out for the working directory. */
  path?: string
  /** Only files whose names match, such as "*.js" or "*.{ts,tsx}". */
  glob?: string
  /** "files_with_matches" (the default) lists files, "content" shows matching lines, "count" counts them per file. */
  output_mode?: 'content' | 'files_with_matches' | 'count'
  /** Lines to show before each match, in content mode. */
  '-B'?: number
  /** Lines to show after each match, in content mode. */
  '-A'?: number
  /** Same as context. */
  '-C'?: number
  /** Lines to show before and after each match, in content mode; overrides -B and -A. */
  context?: number
  /** Show line numbers, in content mode; true if left out. */
  '-n'?: boolean
  /** Ignore the difference between upper and lower case. */
  '-i'?: boolean
  /** Only files of a type, such as js, py, rust, go or java. */
  type?: string
  /** Show only so many lines or entries; 0, the default, shows all. */
  head_limit?: number
  /** Leave out so many lines or entries first; 0 if left out. */
  offset?: number
  /** Let the pattern match across lines, and the dot match line breaks. */
  multiline?: boolean
}

export const grepInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    pattern: { description: "The regular expression to look for, in ripgrep's syntax.", type: 'string' },
    path: { description: 'The file or folder to look in. Leave it out for the working directory.', type: 'string' },
    glob: { description: 'Only files whose names match, such as "*.js" or "*.{ts,tsx}".', type: 'string' },
    output_mode: {
      description:
        '"files_with_matches" (the default) lists files, "content" shows matching lines, "count" counts them per file.',
      type: 'string',
      enum: ['content', 'files_with_matches', 'count'],
    },
    '-B': { description: 'Lines to show before each match, in content mode.', type: 'number' },
    '-A': { description: 'Lines to show after each match, in content mode.', type: 'number' },
    '-C': { description: 'Same as context.', type: 'number' },
    context: {
      description: 'Lines to show before and after each match, in content mode; overrides -B and -A.',
      type: 'number',
    },
    '-n': { description: 'Show line numbers, in content mode; true by default.', type: 'boolean' },
    '-i': { description: 'Ignore case.', type: 'boolean' },
    type: { description: 'Only files of a type, such as js, py, rust, go or java.', type: 'string' },
    head_limit: {
      description: 'Show at most this many lines or entries; 0, the default, shows all.',
      type: 'number',
    },
    offset: { description: 'Skip this many lines or entries first; 0 by default.', type: 'number' },
    multiline: {
      description: 'Let the pattern match across lines, and the dot match line breaks.',
      type: 'boolean',
    },
  },
  required: ['pattern'],
  additionalProperties: false,
} satisfies InputSchema<GrepInput>

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
