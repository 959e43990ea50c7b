/** Glob: finds files by name. */
import { isInside, join } from '../../platform/paths.js'
import { createReadFacts, hasDestinationChanged, LINK_CHANGED_TEXT, noteDestination } from '../files/file-paths.js'
import type { InputSchema } from '../input-schema.js'
import { chooseSearchEngine } from '../search/choose-search-engine.js'
import { appendNotes, unreadFilesText } from '../search/result-notes.js'
import {
  findNulByteProblem,
  inspectPath,
  missingPathText,
  pathRelativeToShell,
  resolveSearchPath,
  splitRootFromPattern,
} from '../search/search-path.js'
import { type FoundFiles, toUnreadFilesSummary } from '../search/search-request.js'
import { type FileSearchPorts, withoutDeniedFiles } from '../search/without-denied-files.js'
import { defineTool, type Tool, type ToolContext } from '../tool.js'

/** What `Glob` takes. */
export interface GlobInput {
  /** Which files, such as "**\/*.ts" or "src/{a,b}/*.json". A pattern without a slash means names at any depth. */
  pattern: string
  /** The folder to look in. Leave it out for the working directory. */
  path?: string
}

export const globInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    pattern: {
      description:
        'Which files, such as "**/*.ts" or "src/{a,b}/*.json". A pattern without a slash means names at any depth.',
      type: 'string',
    },
    path: { description: 'The folder to look in. Leave it out for the working directory.', type: 'string' },
  },
  required: ['pattern'],
  additionalProperties: false,
} satisfies InputSchema<GlobInput>

/** What Glob gives back to hosts. */
export interface GlobOutput {
  /** Milliseconds the search took. */
  durationMs: number
  /** How many files are listed. */
  numFiles: number
  /** Absolute paths, newest change first. */
  filenames: string[]
  /** True when there are more than the 100 listed. */
  truncated: boolean
}

const globPrompt = `Finds files by name, the last changed first.

- Wildcards: * and ? within a name, ** across folders, {a,b} for alternatives, [abc] for one of several characters.
- A pattern without a slash (*.md) matches names at any depth; one with a slash starts at the search folder. An absolute pattern, or one that begins with ./ or ../, is looked for where it points.
- Hidden files are listed. What git ignores, and .git itself, is left out unless nothing else matches. Links are not followed.
- At most 100 files are listed, with a note of how many there are.
- To find files by their content, use Grep.`

const MAX_FILES = 100
/** The most characters of a remark; longer ones are omitted. */
const MAX_NOTE = 500
const IGNORED = '(Git ignores these files, or they are its own.)'
const NOTHING: FoundFiles = { ok: true, paths: [], complete: true, unread: toUnreadFilesSummary([]) }

export function createGlobTool(ports: FileSearchPorts): Tool<GlobInput> {
  return defineTool<GlobInput>({
    name: 'Glob',
    description: globPrompt,
    inputSchema: globInputSchema,
    isReadOnly: () => true,
    facts: (input, context) => ({
      ...createReadFacts(input, target(input, context).root, context),
      from: context.session.shellCwd,
    }),
    async check(input, context) {
      const nul = findNulByteProblem(input.pattern, input.path)
      if (!nul) await noteDestination(input, target(input, context).root, context)
      return nul
    },
    async execute(input, context) {
      const refusal = findNulByteProblem(input.pattern, input.path) ?? (await refuseFolder(input, context))
      if (refusal) return { ok: false, error: refusal, refused: true }
      const { clock } = context.platform
      const started = clock.monotonic()
      const query = target(input, context)
      const moved = { ok: false as const, error: LINK_CHANGED_TEXT, refused: true }
      if (await hasDestinationChanged(input, query.root, context)) return moved
      const isFolder = (await inspectPath(query.root, context)) === 'directory'
      const look = async (ignored: boolean) => {
        const found = isFolder
          ? await chooseSearchEngine(context).files({ ...query, ignored }, context.signal)
          : NOTHING
        return found.ok
          ? { ...found, paths: await withoutDeniedFiles(found.paths, (path) => path, query.root, ports) }
          : found
      }
      const tracked = await look(false)
      // If nothing else matches, files that git ignores are found too.
      const isIgnored = tracked.ok && tracked.complete && tracked.paths.length === 0
      const found = isIgnored ? await look(true) : tracked
      if (!found.ok) return found
      if (await hasDestinationChanged(input, query.root, context)) return moved
      const { paths } = found
      const filenames = paths.slice(0, MAX_FILES)
      const output: GlobOutput = {
        filenames,
        durationMs: Math.round(clock.monotonic() - started),
        numFiles: filenames.length,
        truncated: paths.length > MAX_FILES || !found.complete,
      }
      const list = filenames.map((path) => pathRelativeToShell(path, context)).join('\n')
      const notes = [
        output.truncated ? moreNote(paths.length, found.complete) : '',
        isIgnored && list !== '' ? IGNORED : '',
        list === '' ? await nothingNote(query, context) : '',
        unreadFilesText(found.unread),
      ]
      return { ok: true, content: appendNotes(list || 'No files found', ...notes), output }
    },
  })
}

function moreNote(count: number, isAll: boolean): string {
  const all = isAll ? `${count} files` : `more than ${count} files`
  return `(These are the ${MAX_FILES} that changed last, of ${all}. Narrow the pattern, or name a folder in path, to see others.)`
}

/** Explains an empty result: the folder searched, and a suggestion. */
async function nothingNote(
  { root, pattern }: { root: string; pattern: string },
  context: ToolContext,
): Promise<string> {
  const where = `Searched ${pathRelativeToShell(root, context) || root}.`
  if (where.length > MAX_NOTE) return ''
  const named = /^\/?((?:[^*?[{\\/]+\/)+)/.exec(pattern)?.[1]?.slice(0, -1)
  const folder = named === undefined ? root : join(root, named)
  // Permission covers only the searched folder, not those above it.
  if (isInside(folder, root) && (await inspectPath(folder, context)) === 'nothing') {
    const { suggestFolderText } = await import('../files/similar-files.js')
    const hint = await suggestFolderText(folder, context).catch(() => '')
    return `[${where} There is no folder ${folder}.${hint.includes('?') ? ` ${hint.slice(hint.indexOf('Did'))}` : ''}]`
  }
  const isAnchored = /^[^*].*\//.test(pattern)
  return `[${where}${isAnchored ? ' A pattern with a slash starts there; put **/ in front for any depth.' : ''}]`
}

/** The folder that is really looked into, and the pattern from there. */
function target(input: GlobInput, context: ToolContext) {
  return splitRootFromPattern(resolveSearchPath(input.path, context), input.pattern, context)
}

/** Looked at only after permission, as the answer tells what is there. */
async function refuseFolder({ path }: GlobInput, context: ToolContext): Promise<string | undefined> {
  if (!path) return undefined
  const there = await inspectPath(resolveSearchPath(path, context), context)
  if (typeof there === 'object') return there.error
  if (there === 'nothing') return missingPathText('Directory', path, context)
  return there === 'directory' ? undefined : `Path is not a directory: ${path}`
}
