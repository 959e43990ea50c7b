/** What `kedge migrate` says to people: what is to be changed, what differs, what is not there, and the change as a diff. */
import { structuredPatch } from '../../tools/files/structured-patch.js'
import { applySourceChanges, type MigrationFinding, type MigrationFindingState } from './migration.js'
import type { PlannedFile } from './plan-project.js'

const TITLES: Readonly<Record<Exclude<MigrationFindingState, 'same'>, string>> = {
  change: 'To change',
  unsupported: 'Not supported',
  look: 'Check by hand',
  differs: 'Works differently',
}
const WHATS: Readonly<Partial<Record<MigrationFinding['what'], string>>> = {
  export: 'exports',
  import: 'imports',
  dependency: 'dependencies',
  option: 'options',
  hook: 'hook events',
  mode: 'permission modes',
  variable: 'variables',
  setting: 'settings',
  session: 'sessions',
  file: 'files',
}
/** Maximum number of names listed per kind. */
const MAX_NAMES = 12

/** `showLink`: where the reader finds a page such as `docs/settings.md#files`. */
export function migrationText(
  findings: readonly MigrationFinding[],
  wrote: boolean,
  showLink: (link: string) => string,
): string {
  const groups = Object.entries(TITLES).flatMap(([state, title]) => {
    const own = findings.filter((finding) => finding.state === state)
    if (own.length === 0) return []
    return [
      `${state === 'change' && wrote ? 'Changed' : title} (${own.length})\n${own.map((finding) => line(finding, showLink)).join('')}`,
    ]
  })
  const same = findings.filter(({ state }) => state === 'same')
  const kinds = Object.entries(WHATS).flatMap(([what, title]) => {
    const names = [...new Set(same.filter((finding) => finding.what === what).map(({ name }) => name))]
    const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : ''
    return names.length === 0 ? [] : [`  ${title}: ${names.slice(0, MAX_NAMES).join(', ')}${more}\n`]
  })
  return [...groups, ...(kinds.length > 0 ? [`Works as before\n${kinds.join('')}`] : [])].join('\n')
}

function line(
  { what, name, note, file, line: at, link }: MigrationFinding,
  showLink: (link: string) => string,
): string {
  const where = file === undefined ? '' : `${file}${at === undefined ? '' : `:${at}`}  `
  const more = link === undefined ? '' : `\n      ${showLink(link)}`
  return `  ${where}${what} ${name}: ${firstSentence(note)}${more}\n`
}

/** A row of the page on compatibility can be long: the link leads to the rest of it. */
function firstSentence(note: string): string {
  const [first = note] = note.split(/(?<=\.) (?=[A-Z])/)
  return first
}

/** Returns the planned changes as text in the format of `git diff`, so that `git apply` takes it. */
export async function formatPlannedChangesAsGitDiff(files: readonly PlannedFile[]): Promise<string> {
  const parts = await Promise.all(
    files.map(async ({ file, text, changes }) => {
      const hunks = await structuredPatch(text, applySourceChanges(text, changes))
      const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: own }) => [
        `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
        ...own,
      ])
      return hunks.length === 0 ? '' : `--- a/${file}\n+++ b/${file}\n${lines.join('\n')}\n`
    }),
  )
  return parts.join('')
}
