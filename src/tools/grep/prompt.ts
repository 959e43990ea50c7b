/** What the model reads about Grep. */

export const grepPrompt = `Searches the content of files for a regular expression.

- The syntax is that of ripgrep: \\bword\\b, log.*Error, function\\s+\\w+. Escape braces and other special characters to find them as they are: interface\\{\\}.
- output_mode says what comes back: the files that match (the default), the matching lines with context, or counts.
- Narrow the search with path, with glob ("**/*.tsx") or with type ("py").
- A pattern matches within one line; set multiline to let it span several.
- Files that .gitignore excludes are left out, hidden ones are not. Links are not followed.
- Results come sorted: files by their last change, newest first; lines and counts by path. Very long ones come in pages: go on with offset, or take less at a time with head_limit.
- Use this tool rather than grep or rg in Bash.`
