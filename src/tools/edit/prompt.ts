/** What the model reads about Edit. */

export const editPrompt = `Replaces text in a file: old_string, exactly as it stands in the file, becomes new_string.

- The file must have been read with Read in this conversation first, and must not have changed since.
- Copy old_string from what Read returned, without the line number and the arrow, and with its indentation (tabs, spaces) unchanged.
- old_string must occur exactly once. If it does not, take in more of the surrounding lines, or set replace_all to change every occurrence, for instance to rename something.
- old_string and new_string must differ. An empty old_string makes a new file with new_string as its content.
- Changing an existing file is better than making a new one.`
