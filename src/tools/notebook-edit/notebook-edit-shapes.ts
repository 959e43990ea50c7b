/** What NotebookEdit takes and gives back. */
import type { InputSchema } from '../input-schema.js'

/** What `NotebookEdit` takes. */
export interface NotebookEditInput {
  /** Path of the Jupyter notebook (.ipynb). Relative paths start at the working directory. */
  notebook_path: string
  /** Id of the cell to change, as Read shows it. With insert, the new cell comes after it, or first without an id. */
  cell_id?: string
  /** The new source of the cell. Not used with delete. */
  new_source: string
  /** What kind of cell it is to be. With replace it stays what it is; with insert it must be given. */
  cell_type?: 'code' | 'markdown'
  /** Whether to replace the source of a cell (the default), to insert a new one or to delete one. */
  edit_mode?: 'replace' | 'insert' | 'delete'
}

export const notebookEditInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    notebook_path: {
      description: 'Path of the Jupyter notebook (.ipynb). Relative paths start at the working directory.',
      type: 'string',
    },
    cell_id: {
      description:
        'Id of the cell to change, as Read shows it. With insert, the new cell comes after it, or first without an id.',
      type: 'string',
    },
    new_source: {
      description: 'The new source of the cell. Not used with delete.',
      type: 'string',
    },
    cell_type: {
      description: 'What kind of cell it is to be. With replace it stays what it is; with insert it must be given.',
      type: 'string',
      enum: ['code', 'markdown'],
    },
    edit_mode: {
      description: 'Whether to replace the source of a cell (the default), to insert a new one or to delete one.',
      type: 'string',
      enum: ['replace', 'insert', 'delete'],
    },
  },
  required: ['notebook_path', 'new_source'],
  additionalProperties: false,
} satisfies InputSchema<NotebookEditInput>

/** What NotebookEdit gives back to hosts. */
export interface NotebookEditOutput {
  /** The source that was asked for. */
  new_source: string
  /** The cell that was changed; `cell-N` by its place when it has no id. */
  cell_id?: string
  /** What it is now; `markdown` also for the rare raw cell. */
  cell_type: 'code' | 'markdown'
  /** The language of the notebook. */
  language: string
  /** What was done to the cell. */
  edit_mode: string
  /** Empty: failures are error results. */
  error?: string
  /** As it was asked for. */
  notebook_path: string
  /** The content of the file before. */
  original_file: string
  /** The content of the file now. */
  updated_file: string
}
