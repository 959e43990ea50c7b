/** What the model reads about Read. */

export const readPrompt = `Reads one file and returns its content.

- Prefer absolute paths. A relative path starts at the working directory.
- Text comes back with line numbers: each line is its number, an arrow (→) and then the text itself. The number and the arrow are not part of the file; leave them out when you quote the file for Edit.
- The whole file is returned unless it is too long to be taken in at once; then give offset (the first line wanted) and limit (how many). Files of any size can be read that way. Lines longer than 2000 characters are cut.
- PNG, JPEG, GIF and WebP images are shown to you as images.
- PDF files are shown to you page by page, with their layout. One of more than 10 pages needs pages, such as "1-5"; at most 20 pages come at a time.
- Jupyter notebooks (.ipynb) come back as cells together with their outputs.
- Folders can't be read with this tool; list them with Bash or search them with Glob.
- A file must be read before Write or Edit may change it.
- Reading several files that may matter in one go, with several calls at once, saves time.`
