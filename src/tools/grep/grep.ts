/** Grep: searches the content of files. */
import { dirname, isInside } from '../../platform/paths.js'
import { createReadFacts, hasDestinationChanged, LINK_CHANGED_TEXT, noteDestination } from '../files/file-paths.js'
import { chooseSearchEngine } from '../search/choose-search-engine.js'
import { appendNotes, unreadFilesText } from '../search/result-notes.js'
import {
  findNulByteProblem,
  inspectPath,
  missingPathText,
  pathRelativeToShell,
  resolveSearchPath,
} from '../search/search-path.js'
import type { FileMatches, TextQuery } from '../search/search-request.js'
import { type FileSearchPorts, withoutDeniedFiles } from '../search/without-denied-files.js'
import { defineTool, type Tool, type ToolContext } from '../tool.js'
import { formatCounts, formatFiles, formatLines, type NameOf } from './format.js'
import { type GrepInput, grepInputSchema } from './grep-shapes.js'
import { clampToWholeNumber } from './page.js'

const grepPrompt = `Searches the content of files for a regular expression, in ripgrep's syntax.

- Escape special characters to find them as they are: interface\\{\\}.
- output_mode: the files that match (the default), the matching lines, or counts per file.
- Narrow the search with path, glob ("**/*.tsx") or type ("py").
- A pattern matches within one line, unless multiline is set.
- Hidden files are searched; what git ignores, and .git itself, is not. Links are not followed.
- Files come with the last changed first, lines and counts by path. A long result comes in pages: continue with offset.
- Use this tool instead of grep or rg in Bash.`

const MORE = '[There are more matches than can be held; these are the first. Narrow the search.]'

/** The most characters of a remark; longer ones are omitted. */
const MAX_NOTE = 600

export function createGrepTool(ports: FileSearchPorts): Tool<GrepInput> {
  return defineTool<GrepInput>({
    name: 'Grep',
    description: grepPrompt,
    inputSchema: grepInputSchema,
    isReadOnly: () => true,
    facts: (input, context) => createReadFacts(input, resolveSearchPath(input.path, context), context),
    async check(input, context) {
      const nul = refuse(input)
      if (!nul) await noteDestination(input, resolveSearchPath(input.path, context), context)
      return nul
    },
    async execute(input, context) {
      const root = resolveSearchPath(input.path, context)
      const nul = refuse(input)
      if (nul) return { ok: false, error: nul, refused: true }
      const moved = { ok: false as const, error: LINK_CHANGED_TEXT, refused: true }
      if (await hasDestinationChanged(input, root, context)) return moved
      const there = await inspectPath(root, context)
      const refusal = await refuseThere(there, input.path ?? root, context)
      if (refusal) return { ok: false, error: refusal, refused: true }
      const isFile = there === 'file'
      const query = toQuery(input, root, isFile, context)
      const found = await chooseSearchEngine(context).text(query, context.signal)
      if (!found.ok) return found
      if (await hasDestinationChanged(input, root, context)) return moved
      const files = await withoutDeniedFiles(found.files, ({ path }) => path, root, ports)
      const { content, output } = format(files, query, isFile, input, context)
      const nothing = files.length === 0 ? await nothingNote(input, root, isFile, context) : ''
      const notes = [found.complete ? '' : MORE, nothing, unreadFilesText(found.unread)]
      return { ok: true, content: appendNotes(content, ...notes), output }
    },
  })
}

async function nothingNote(input: GrepInput, root: string, isFile: boolean, context: ToolContext): Promise<string> {
  const { explainNoMatches } = await import('./explain-no-matches.js')
  const note = explainNoMatches(input, pathRelativeToShell(root, context) || root, isFile)
  return note.length > MAX_NOTE ? '' : note
}

function refuse(input: GrepInput): string | undefined {
  return findNulByteProblem(input.pattern, input.path, input.glob, input.type)
}

/** Looked at only after permission, as the answer tells what is there. Reading a device or a pipe may never end. */
async function refuseThere(
  there: Awaited<ReturnType<typeof inspectPath>>,
  path: string,
  context: ToolContext,
): Promise<string | undefined> {
  if (typeof there === 'object') return there.error
  if (there === 'nothing') return missingPathText('Path', path, context)
  return there === 'other' ? `Path is neither a file nor a directory: ${path}` : undefined
}

function toQuery(input: GrepInput, root: string, isFile: boolean, context: ToolContext): TextQuery {
  const { shellCwd } = context.session
  const around = input.context ?? input['-C']
  return {
    root,
    base: isInside(root, shellCwd) ? shellCwd : isFile ? dirname(root) : root,
    pattern: input.pattern,
    globs: splitGlobs(input.glob ?? ''),
    type: input.type || undefined,
    ignoreCase: input['-i'] ?? false,
    multiline: input.multiline ?? false,
    before: clampToWholeNumber(around ?? input['-B']),
    after: clampToWholeNumber(around ?? input['-A']),
    mode: input.output_mode ?? 'files_with_matches',
  }
}

/** Several globs may come in one string, set apart by blanks or commas; those in braces belong to their glob. */
function splitGlobs(text: string): string[] {
  const globs = ['']
  let depth = 0
  for (const char of text) {
    if (char === '{') depth += 1
    if (char === '}') depth -= 1
    if (depth <= 0 && /[\s,]/.test(char)) globs.push('')
    else globs.push(`${globs.pop()}${char}`)
  }
  return globs.filter((glob) => glob !== '')
}

function format(files: FileMatches[], query: TextQuery, isFile: boolean, input: GrepInput, context: ToolContext) {
  const nameOf: NameOf = (path) => pathRelativeToShell(path, context)
  if (query.mode === 'content') {
    return formatLines(
      files,
      { nameOf: isFile ? undefined : nameOf, hasContext: query.before + query.after > 0 },
      input,
    )
  }
  if (query.mode === 'count') return formatCounts(files, nameOf, input)
  return formatFiles(files, nameOf, input)
}
