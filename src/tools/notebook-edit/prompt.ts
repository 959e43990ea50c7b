/** What the model reads about NotebookEdit. */

export const notebookEditPrompt = `Changes one cell of a Jupyter notebook (.ipynb): replaces its source, inserts a new cell, or deletes one.

- The notebook must have been read with Read in this conversation first, and must not have changed since.
- cell_id is the id that Read shows for the cell. Cells without an id of their own are called cell-0, cell-1 and so on, by their place.
- edit_mode replace (the default) gives the cell new_source as its whole source; a code cell loses its outputs. insert puts a new cell of the given cell_type behind cell_id, or at the top without one. delete removes the cell; new_source is not used then and may be empty.
- All other cells, outputs and metadata stay as they are.`
