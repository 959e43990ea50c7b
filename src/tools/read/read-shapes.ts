/** What Read takes and gives back. */
import type { InputSchema } from '../input-schema.js'

/** What `Read` takes. */
export interface FileReadInput {
  /** Path of the file to read. Relative paths start at the working directory. */
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
      description: 'Path of the file to read. Relative paths start at the working directory.',
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

/** What Read gives back to hosts, by kind of file. */
export type FileReadOutput =
  | {
      type: 'text'
      /** The file and what is in it. */
      file: {
        /** As it was asked for. */
        filePath: string
        /** The lines that were returned, joined by `\n`, without numbers. */
        content: string
        /** How many lines that is. */
        numLines: number
        /** Number of the first of them. */
        startLine: number
        /** How many lines the file has. */
        totalLines: number
      }
    }
  | {
      type: 'image'
      /** The file and what is in it. */
      file: {
        /** The image, base64. */
        base64: string
        /** Its media type. */
        type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
        /** Bytes of the file. */
        originalSize: number
        /** In pixels; the displayed size is what the model sees. */
        dimensions?: {
          originalWidth?: number
          originalHeight?: number
          displayWidth?: number
          displayHeight?: number
        }
      }
    }
  | {
      type: 'notebook'
      /** The file and what is in it. */
      file: {
        /** As it was asked for. */
        filePath: string
        /** The cells with their outputs. */
        cells: unknown[]
      }
    }
  | {
      type: 'pdf'
      /** The file and what is in it. */
      file: {
        /** As it was asked for. */
        filePath: string
        /** The document, base64. */
        base64: string
        /** Bytes of the file. */
        originalSize: number
      }
    }
  | {
      type: 'parts'
      /** The file and what is in it. */
      file: {
        /** As it was asked for. */
        filePath: string
        /** Bytes of the file. */
        originalSize: number
        /** How many pages were taken out. */
        count: number
        /** The folder with one image per page. */
        outputDir: string
      }
    }
