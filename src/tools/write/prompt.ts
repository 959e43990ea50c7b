/** What the model reads about Write. */

export const writePrompt = `Writes a file: makes a new one, or replaces the whole content of an existing one.

- An existing file must have been read with Read in this conversation first, and must not have changed since.
- To change part of a file use Edit; Write is for new files and complete rewrites.
- Missing parent folders are made.
- Make new files only when the task needs them, and documentation (README and the like) only when the user asks for it.`
