/** Whether what a folder brings along may count: a flag, an answer that was remembered, or a question on the terminal. */
import { nodeClock } from '../platform/clock.js'
import { nodeFiles } from '../platform/files/files.js'
import { homeFolder } from '../platform/home.js'
import { createPlatformIdentity } from '../platform/identity.js'
import { readSwitch } from '../platform/switch.js'
import type { FlagReader } from '../protocol/option-table/parse-argv.js'
import { chosenSettingSources, isTrustChosen } from '../runtime/configuration-from-flags.js'
import { configFolder } from '../sessions/transcript-paths.js'
import { listPathsThatNeedTrust, trustRecordPath } from '../settings/settings-paths.js'
import type { ContentChange } from '../settings/trust/runnable-content.js'
import { printToStderr } from './terminal-output.js'

/** Further arguments: `--trust`, or none. Where nobody can be asked it says in one line what is not used. */
export async function askForTrustFlag(flags: FlagReader): Promise<string[]> {
  const sources = chosenSettingSources(flags)
  if (isTrustChosen(flags, process.env) || !sources.some((source) => source !== 'user')) return []
  const { env } = process
  const cwd = process.cwd()
  const home = homeFolder(env)
  const configDir = configFolder(env, home)
  const files = nodeFiles
  if (
    ![trustRecordPath(configDir), ...listPathsThatNeedTrust({ cwd, configDir })].some((path) => files.existsSync(path))
  )
    return []
  const parts = await import('../settings/settings-parts.js')
  const {
    findContentChanges,
    isTrustedFolder,
    recordRunnableContent,
    printableValue: printable,
    rememberTrustedFolder,
    findTrustRoot,
  } = parts
  const { rememberSettingsOwnership, findUnconfirmedLocalSettings } = parts
  const places = { configDir, home, files, uid: createPlatformIdentity().uid, clock: nodeClock }
  const trusting = async () => {
    const found =
      canAsk(flags) && sources.includes('local') ? await findUnconfirmedLocalSettings(cwd, places) : undefined
    const problem = found && (await rememberSettingsOwnership({ ...found, own: await askIfOwn(found.keys) }, places))
    if (problem !== undefined) printToStderr(`This is not remembered: ${printable(problem, 500)}.\n`)
    return ['--trust']
  }
  if (await isTrustedFolder(cwd, places)) {
    const changed = sources.includes('project') ? await findContentChanges(cwd, places) : []
    if (changed.length > 0 && !canAsk(flags)) {
      const hint = 'Look at it, then use --trust or answer yes once on a terminal.'
      const names = changed.map(({ name }) => name).join(', ')
      printToStderr(
        `This folder is not trusted any more, because what it runs has changed: ${names}. ${hint}\n${shown(changed)}`,
      )
      return []
    }
    if (changed.length > 0 && !(await ask(printable(cwd, 4096), shown(changed), CHANGED))) return []
    await recordRunnableContent(cwd, changed.length > 0, places)
    return trusting()
  }
  const { listFolderConfiguration } = await import('../runtime/list-folder-configuration.js')
  const { brings, withheld } = await listFolderConfiguration({ cwd, configDir, home, sources, files })
  if (brings.length === 0) return []
  if (!canAsk(flags)) {
    const hint =
      'Its deny and ask rules and its texts for the model are used. To use all of it: --trust, or answer yes once on a terminal.'
    if (withheld.length > 0)
      printToStderr(`Not used, because this folder is not trusted: ${withheld.join(', ')}. ${hint}\n`)
    return []
  }
  const { root, lasting } = await findTrustRoot(cwd, places)
  const list = brings.map((what) => `  ${what}\n`).join('')
  if (!(await ask(printable(root, 4096), list, BRINGS))) return []
  const problem = lasting ? await rememberTrustedFolder(root, places) : LASTS_NOT
  if (problem === undefined) await recordRunnableContent(cwd, true, places)
  if (problem !== undefined) printToStderr(`Trusted for this run only: ${problem}.\n`)
  return trusting()
}

const LASTS_NOT = "Kedge doesn't store trust for a home folder, its parents, and folders that every user can write to"

function canAsk(flags: FlagReader): boolean {
  const isDriven = flags.text('input-format') === 'stream-json'
  return !isDriven && process.stdin.isTTY && process.stderr.isTTY && readSwitch(process.env.CI) === false
}

const BRINGS = 'This folder contains files that can run commands and instruct the agent'
const CHANGED = 'Files that run commands have changed since you trusted this folder'

/** What changed, old lines and new ones. */
function shown(changes: readonly ContentChange[]): string {
  return changes
    .map(({ name, lines }) => [name, ...lines.map((line) => `  ${line}`)].map((line) => `  ${line}\n`).join(''))
    .join('')
}

/** Only a clear yes is one. */
async function ask(root: string, list: string, why: string): Promise<boolean> {
  printToStderr(`${why}:\n${list}Do you trust the files in ${root} and below? [y/N] `)
  return /^\s*y(?:es)?\s*$/i.test(await readTypedLine())
}

/** What an archive brought looks like what the user wrote, and only the user knows. */
async function askIfOwn(keys: readonly string[]): Promise<boolean> {
  printToStderr(
    `.claude/settings.local.json sets ${keys.join(', ')}, which only your own settings can do.\nDid you write this file? [y/N] `,
  )
  return /^\s*y(?:es)?\s*$/i.test(await readTypedLine())
}

/** One line that a person types. */
export function readTypedLine(): Promise<string> {
  const { stdin } = process
  return new Promise((resolve) => {
    const done = (chunk?: unknown) => {
      for (const event of ['data', 'end', 'error']) stdin.off(event, done)
      stdin.pause()
      resolve(Buffer.isBuffer(chunk) ? chunk.toString('utf8') : '')
    }
    for (const event of ['data', 'end', 'error']) stdin.on(event, done)
    // After a first line it is paused, and a listener alone does not change that.
    stdin.resume()
  })
}
