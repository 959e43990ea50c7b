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
