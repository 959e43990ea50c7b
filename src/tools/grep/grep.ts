/** Grep: searches the content of files. */
import type { ToolOutcome } from '../../engine/ports.js'
import { dirname, isInside, relative } from '../../platform/paths.js'
import { createEngine } from '../search/engine.js'
import type { FileMatches, TextQuery } from '../search/search.js'
import { missingPath, refuseNul, searchPath } from '../search/search-path.js'
import { type CallContext, defineTool, type ToolContext } from '../tool.js'
import { formatCounts, formatFiles, formatLines, joinNote, type NameOf, whole } from './format.js'
import { type GrepInput, grepInputSchema } from './input.js'
import { grepPrompt } from './prompt.js'

const MORE = '[There are more matches than can be shown. Narrow the search.]'

export const grepTool = defineTool<GrepInput>({
  name: 'Grep',
  description: grepPrompt,
  inputSchema: grepInputSchema,
  isReadOnly: () => true,
  facts: (input, context) => ({ kind: 'read', paths: [searchPath(input.path, context)] }),
  check: async (input) => refuse(input),
  async execute(input, context) {
    const refusal = refuse(input)
    if (refusal) return { ok: false, error: refusal, refused: true }
    const root = searchPath(input.path, context)
    const stat = await context.platform.files.stat(root)
    if (!stat) return { ok: false, error: missingPath('Path', input.path ?? root, context), refused: true }
    const isFile = stat.kind !== 'directory'
    const query = toQuery(input, root, isFile, context)
    const found = await createEngine(context).text(query, context.signal)
    if (!found.ok) return found
    const outcome = await format(found.files, isFile, input, context)
    if (found.complete || !outcome.ok || typeof outcome.content !== 'string') return outcome
    return { ...outcome, content: joinNote(outcome.content, MORE) }
  },
})

function refuse(input: GrepInput): string | undefined {
  return refuseNul(input.pattern, input.path, input.glob, input.type)
}

function toQuery(input: GrepInput, root: string, isFile: boolean, context: ToolContext): TextQuery {
  const { shellCwd } = context.session
  const around = input['-C'] ?? input.context
  return {
    root,
    base: isInside(root, shellCwd) ? shellCwd : isFile ? dirname(root) : root,
    pattern: input.pattern,
    globs: splitGlobs(input.glob ?? ''),
    type: input.type || undefined,
    ignoreCase: input['-i'] ?? false,
    multiline: input.multiline ?? false,
    before: whole(input['-B'] ?? around),
    after: whole(input['-A'] ?? around),
    mode: input.output_mode ?? 'files_with_matches',
  }
}

/** Several globs may come in one string, set apart by blanks or commas; a comma in braces belongs to its glob. */
function splitGlobs(text: string): string[] {
  return text.match(/(?:\{[^}]*\}|[^\s,])+/g) ?? []
}

async function format(
  files: FileMatches[],
  isFile: boolean,
  input: GrepInput,
  context: CallContext,
): Promise<ToolOutcome> {
  const { shellCwd } = context.session
  const nameOf: NameOf = (path) => (isInside(path, shellCwd) ? relative(shellCwd, path) : path)
  if (input.output_mode === 'content') return formatLines(files, isFile ? undefined : nameOf, input)
  if (input.output_mode === 'count') return formatCounts(files, nameOf, input)
  return formatFiles(await newestFirst(files, context), nameOf, input)
}

async function newestFirst(files: FileMatches[], context: CallContext): Promise<string[]> {
  const dated = await Promise.all(
    // A file may be gone again, or bear a name that is not text.
    files.map(async ({ path }) => ({
      path,
      time: (await context.platform.files.stat(path).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  )
  return dated.sort((a, b) => b.time - a.time).map(({ path }) => path)
}
