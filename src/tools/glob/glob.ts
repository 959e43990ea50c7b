/** Glob: finds files by name. */
import { createEngine } from '../search/engine.js'
import { missingPath, refuseNul, searchPath, splitPattern } from '../search/search-path.js'
import { defineTool, type ToolContext } from '../tool.js'
import { type GlobInput, globInputSchema } from './input.js'
import type { GlobOutput } from './output.js'
import { globPrompt } from './prompt.js'

const MAX_FILES = 100

export const globTool = defineTool<GlobInput>({
  name: 'Glob',
  description: globPrompt,
  inputSchema: globInputSchema,
  isReadOnly: () => true,
  facts: (input, context) => ({ kind: 'read', paths: [target(input, context).root] }),
  check: async (input) => refuseNul(input.pattern, input.path),
  async execute(input, context) {
    const refusal = refuseNul(input.pattern, input.path) ?? (await refuseFolder(input, context))
    if (refusal) return { ok: false, error: refusal, refused: true }
    const { clock, files } = context.platform
    const started = clock.monotonic()
    const query = target(input, context)
    const exists = (await files.stat(query.root))?.kind === 'directory'
    const found = exists ? await createEngine(context).files(query, context.signal) : { ok: true as const, paths: [] }
    if (!found.ok) return found
    const filenames = found.paths.slice(0, MAX_FILES)
    const output: GlobOutput = {
      filenames,
      durationMs: Math.round(clock.monotonic() - started),
      numFiles: filenames.length,
      truncated: found.paths.length > MAX_FILES,
    }
    const note = `(${found.paths.length} files match; the first ${MAX_FILES} are listed. Narrow the pattern or the path to see the others.)`
    const content = [...filenames, ...(output.truncated ? [note] : [])].join('\n')
    return { ok: true, content: content || 'No files found', output }
  },
})

/** The folder that is really looked into, and the pattern from there. */
function target(input: GlobInput, context: ToolContext) {
  return splitPattern(searchPath(input.path, context), input.pattern, context)
}

/** Looked at only after permission, as the answer tells what is there. */
async function refuseFolder({ path }: GlobInput, context: ToolContext): Promise<string | undefined> {
  if (!path) return undefined
  const stat = await context.platform.files.stat(searchPath(path, context))
  if (!stat) return missingPath('Directory', path, context)
  return stat.kind === 'directory' ? undefined : `Path is not a directory: ${path}`
}
