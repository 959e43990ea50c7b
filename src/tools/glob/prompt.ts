/** What the model reads about Glob. */

export const globPrompt = `Finds files by name and returns their absolute paths, oldest change first.

- Wildcards: * and ? within a name, ** across folders, {a,b} for alternatives, [abc] for one of several characters.
- A pattern without a slash, such as *.md, finds names at any depth; one with a slash is taken from the search folder.
- A pattern that is absolute, or begins with ./ or ../, is looked for where it points.
- Hidden files and files that version control ignores are found too. Links are not followed.
- At most 100 files are listed; narrow the pattern when there are more.
- To find files by what is in them, use Grep.`
