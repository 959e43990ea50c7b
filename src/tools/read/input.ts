/** What Read is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface FileReadInput {
  /** Path of the file to read. Use an absolute path; a relative one starts at the working directory. */
  file_path: string
  /** Number of the first line to return, counted from 1. Leave it out to start at the top. */
  offset?: number
  /** How many lines to return. Leave it out unless the file is too large to read in one go. */
  limit?: number
  /** For PDF files only: the pages wanted, such as "3" or "1-5", at most 20 at a time. */
  pages?: string
}

export const fileReadInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    file_path: {
      description: 'Path of the file to read. Use an absolute path; a relative one starts at the working directory.',
      type: 'string',
    },
    offset: {
      description: 'Number of the first line to return, counted from 1. Leave it out to start at the top.',
      type: 'number',
    },
    limit: {
      description: 'How many lines to return. Leave it out unless the file is too large to read in one go.',
      type: 'number',
    },
    pages: {
      description: 'For PDF files only: the pages wanted, such as "3" or "1-5", at most 20 at a time.',
      type: 'string',
    },
  },
  required: ['file_path'],
  additionalProperties: false,
} satisfies InputSchema<FileReadInput>
