/** Goes through the files of a folder and plans what becomes of each. Follows no link, and leaves out what git ignores. */
import type { FileSystem } from '../../platform/files/files.js'
import { basename, dirname, join, relative, sep } from '../../platform/paths.js'
import { isUtf8 } from '../../platform/utf8.js'
import { VERSION } from '../../platform/version.js'
import type { FileStat } from '../../protocol/workspace/workspace-files.js'
import { walkFiles } from '../../tools/search/walk.js'
import type { CompatibilityTable } from './compatibility-rows.js'
import { type FileMigration, type MigrationFinding, ORIGINAL_PACKAGE } from './migration.js'
import { hasKedgeAlias, planPackageJsonMigration, planTsconfigMigration } from './plan-json.js'
import { environmentVariableVerdicts, planScriptMigration } from './plan-script.js'

export type PlannedFile = FileMigration & { path: string; file: string; text: string; stat: FileStat }

export type ProjectPlan = { files: PlannedFile[]; read: number; unread: MigrationFinding[] }

/** Code that is longer was written by a program. */
const MAX_BYTES = 2_000_000
const SCRIPT = /\.[cm]?[jt]sx?$/
const TYPESCRIPT = /^[jt]sconfig.*\.json$/
const VARIABLES = /^\.env(?:\..+)?$/
/** Written by programs, or to be read by people: nothing to do there. */
const PASSED =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|compat\.json)$|\.mdx?$/
const NEVER = ['!node_modules', '!.git', '!.hg', '!.svn', '!.jj', '!.yarn']

export async function planProjectMigration(
  folder: string,
  compatibility: CompatibilityTable,
  files: FileSystem,
  { env, ownFolder }: { env: NodeJS.ProcessEnv; ownFolder: string },
): Promise<ProjectPlan> {
  const plan: ProjectPlan = { files: [], read: 0, unread: [] }
  const name = (path: string) => relative(folder, path).replaceAll(sep, '/')
  const unread = (path: string, note: string) =>
    void plan.unread.push({ what: 'file', state: 'look', name: name(path), note, file: name(path) })
  const aliases = new Map<string, boolean>()
  const options = {
    root: folder,
    base: folder,
    globs: NEVER,
    ignoreFiles: { env },
    yieldToEventLoopIfDue: async () => {},
  }
  const paths = walkFiles({ ...options, onUnread: (path) => unread(path, 'can not be read') }, files)
  for await (const path of paths) {
    if (PASSED.test(basename(path))) continue
    const found = await files.snapshot(path, MAX_BYTES).catch(() => undefined)
    if (!found) unread(path, 'can not be read')
    if (!found?.content || found.content.includes(0)) continue
    plan.read += 1
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(found.content)
    // Nothing of either in it: nothing to do, whatever it is.
    const isAsked = VARIABLES.test(basename(path)) || basename(path) === 'package.json'
    if (!isAsked && !text.includes(ORIGINAL_PACKAGE) && !/\bkedge\b/.test(text)) continue
    if (!isUtf8(found.content)) {
      unread(path, 'is not UTF-8, so that it is left alone')
      continue
    }
    const aliased = await isAliasedIn(dirname(path), folder, files, aliases)
    const planned =
      basename(path) === 'package.json'
        ? planPackageJsonMigration(name(path), text, kedgeDependencyVersion(ownFolder, dirname(path)))
        : planFile(name(path), text, compatibility, aliased)
    plan.files.push({ ...planned, path, file: name(path), text, stat: found.stat })
  }
  return plan
}

/** The version that a registry has; for a clone, which no registry need have, its folder as seen from `folder`. */
export function kedgeDependencyVersion(ownFolder: string, folder: string): string {
  const isInstalled = basename(dirname(ownFolder)) === 'node_modules'
  return isInstalled ? `^${VERSION}` : `file:${relative(folder, ownFolder).replaceAll(sep, '/')}`
}

function planFile(file: string, text: string, compatibility: CompatibilityTable, aliased: boolean): FileMigration {
  const last = file.slice(file.lastIndexOf('/') + 1)
  if (SCRIPT.test(last)) return planScriptMigration(file, text, compatibility, aliased)
  if (TYPESCRIPT.test(last)) return planTsconfigMigration(file, text, aliased)
  if (VARIABLES.test(last)) return { findings: variablesIn(file, text, compatibility), changes: [] }
  const lines = text.split('\n').flatMap((line, index) => (line.includes(ORIGINAL_PACKAGE) ? [index + 1] : []))
  const note = 'the name in a file that is not changed: change it where it means the package'
  return {
    findings: lines.map(
      (line): MigrationFinding => ({ what: 'text', state: 'look', name: ORIGINAL_PACKAGE, note, file, line }),
    ),
    changes: [],
  }
}

/** Their names; values are nobody's business. */
function variablesIn(file: string, text: string, compatibility: CompatibilityTable): MigrationFinding[] {
  return text.split('\n').flatMap((line, index) => {
    const [, name = ''] = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=/.exec(line) ?? []
    return environmentVariableVerdicts(name, compatibility).map(
      (answer): MigrationFinding => ({ what: 'variable', name, ...answer, file, line: index + 1 }),
    )
  })
}

/** By the nearest package.json, at most that of the folder. */
async function isAliasedIn(
  folder: string,
  root: string,
  files: FileSystem,
  known: Map<string, boolean>,
): Promise<boolean> {
  const answer = known.get(folder)
  if (answer !== undefined) return answer
  const found = await files.snapshot(join(folder, 'package.json'), MAX_BYTES).catch(() => undefined)
  const own = found?.content && hasKedgeAlias(new TextDecoder().decode(found.content))
  const above = folder === root ? false : await isAliasedIn(dirname(folder), root, files, known)
  known.set(folder, own ?? above)
  return own ?? above
}
