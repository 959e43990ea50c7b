/** `kedge migrate`: what becomes of a project written for the original, and with `--write` the change of its imports. */
import { existsSync, readFileSync } from 'node:fs'
import { docsPageLocation } from '../../platform/command-line/docs-page-location.js'
import { readCommandLine } from '../../platform/command-line/read-command-line.js'
import type { FileSystem } from '../../platform/files/files.js'
import { join, resolve } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'
import { MIGRATE_COMMAND } from '../../protocol/command-table/setup-command-rows.js'
import { messageOf } from '../../protocol/thrown.js'
import { print, printCommandText, printJson, printToStderr } from '../terminal-output.js'
import type { CompatibilityTable } from './compatibility-rows.js'
import { applySourceChanges, type MigrationFinding, OWN_PACKAGE } from './migration.js'
import { formatPlannedChangesAsGitDiff, migrationText } from './migration-text.js'
import { type PlannedFile, planProjectMigration } from './plan-project.js'
import { reviewSettingsForMigration } from './plan-surroundings.js'

const UNUSABLE = 2

/** `program`: the folder of the bundle; what the package says of itself is beside it. */
export async function migrateCommand(args: readonly string[], program: string, platform: Platform): Promise<number> {
  const read = readCommandLine(MIGRATE_COMMAND, args)
  if ('text' in read) return printCommandText(read, UNUSABLE)
  const { values, words } = read
  try {
    const { files } = platform
    const folder = await files.realpath(resolve(words[0] ?? '.'))
    if ((await files.stat(folder))?.kind !== 'directory') throw new Error(`${folder} isn't a folder`)
    const compatibility = readCompatibility(join(program, '../compat.json'))
    const plan = await planProjectMigration(folder, compatibility, files, {
      env: process.env,
      ownFolder: await files.realpath(join(program, '..')),
    })
    const surroundings = await reviewSettingsForMigration(folder, process.env, platform)
    const changed = plan.files.filter(({ changes }) => changes.length > 0)
    const diff = await formatPlannedChangesAsGitDiff(changed)
    const failed = values.write ? await writeAll(changed, files) : undefined
    const found = [...plan.files.flatMap((file) => file.findings), ...plan.unread, ...surroundings, ...(failed ?? [])]
    return report({ folder, version: compatibility.version, read: plan.read, found, diff, failed }, values.json)
  } catch (error) {
    printToStderr(`error: ${messageOf(error)}\n`)
    return UNUSABLE
  } finally {
    platform.http.close()
  }
}

type Report = {
  folder: string
  version: string
  read: number
  found: MigrationFinding[]
  diff: string
  /** Undefined: nothing was to be written. */
  failed: MigrationFinding[] | undefined
}

function report({ folder, version, read, found, diff, failed }: Report, json: boolean): number {
  const wrote = failed !== undefined
  const isUnwritten = ({ file }: MigrationFinding) => failed === undefined || failed.some((one) => one.file === file)
  const isLeft = (finding: MigrationFinding) =>
    ['unsupported', 'look'].includes(finding.state) || (finding.state === 'change' && isUnwritten(finding))
  const left = found.filter(isLeft).length
  if (json) printJson({ folder, version, written: wrote, left, findings: found, diff })
  else {
    print(`${folder}: ${read} files read\n\n${migrationText(found, wrote, (link) => findDocsPage(link, folder))}`)
    if (!wrote && diff !== '') print(`\n${diff}\nkedge migrate --write changes these names.\n`)
    print(left === 0 ? '\nNothing is left to do.\n' : `\nLeft to do: ${left}.\n`)
  }
  if (failed && failed.length > 0) return UNUSABLE
  return left === 0 ? 0 : 1
}

const INSTALLED_DOCS = `node_modules/${OWN_PACKAGE}`

/** Links name pages of Kedge's package, which aren't in the folder of the project. */
function findDocsPage(link: string, folder: string): string {
  const [file = '', heading] = link.split('#')
  const installed = `${INSTALLED_DOCS}/${file}`
  const page = /^docs\/(.+)\.md$/.exec(file)?.[1] ?? file
  const found = existsSync(join(folder, installed)) ? installed : docsPageLocation(page)
  return heading === undefined ? found : `${found}#${heading}`
}

/** Returns what could not be written. */
async function writeAll(planned: readonly PlannedFile[], files: FileSystem): Promise<MigrationFinding[]> {
  const failed: MigrationFinding[] = []
  for (const { path, file, text, stat, changes } of planned) {
    const content = new TextEncoder().encode(text)
    await files
      .replace(path, applySourceChanges(text, changes), stat.mode & 0o7777, { ...stat, content })
      .catch((error) => {
        const note = `was not written: ${messageOf(error)}`
        failed.push({ what: 'file', state: 'look', name: file, note, file })
      })
  }
  return failed
}

function readCompatibility(file: string): CompatibilityTable {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) // Ours, in the shape that npm run compat writes.
  } catch {
    throw new Error(`${file} can not be read: install Kedge again`)
  }
}
