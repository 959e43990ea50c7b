/** What Write is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface FileWriteInput {
  /** Path of the file to write. Use an absolute path; a relative one starts at the working directory. */
  file_path: string
  /** The whole new content of the file. */
  content: string
}

export const fileWriteInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    file_path: {
      description: 'Path of the file to write. Use an absolute path; a relative one starts at the working directory.',
      type: 'string',
    },
    content: { description: 'The whole new content of the file.', type: 'string' },
  },
  required: ['file_path', 'content'],
  additionalProperties: false,
} satisfies InputSchema<FileWriteInput>
