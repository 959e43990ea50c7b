/** Carries out a rewind, or says what it would do: nothing is changed when something that was not kept would be lost. */
import { dirname } from '../platform/paths.js'
import type { RewindFilesResult } from '../protocol/control.js'
import type { FileHistory } from './file-history.js'
import { type CountChangedLines, planRewind, type RewindPorts, type SkippedPath } from './plan-rewind.js'
import { removeHalfWrittenFiles, restoreCheckpointFiles } from './restore.js'

export type RewindFlags = {
  /** Only says what it would do. */
  dryRun?: boolean
  /** Also what others changed since is replaced. */
  force?: boolean
}

/** What is only known where states are noted. */
type KeepingPorts = {
  /** Was it changed by somebody else since the last message, call or rewind? */
  isOthers(path: string): Promise<boolean>
  /** Keeps what all files are like now; returns the name to go back to it by. */
  keep(): Promise<string>
}

export type RunRewindPorts = RewindPorts & {
  isRunning(pid: number): boolean
  countLines: CountChangedLines
}

/** Maximum number of paths that an error names. */
const MOST_NAMED = 5

/** Restores files to what they were before a message. Undefined: nothing is known of this message. */
export async function rewindFiles(
  history: FileHistory,
  messageId: string,
  { dryRun = false, force = false }: RewindFlags,
  ports: RunRewindPorts & KeepingPorts,
): Promise<RewindFilesResult | undefined> {
  const { files, store } = ports
  const place = history.messages.lastIndexOf(messageId)
  if (place < 0) return undefined
  const folders = new Set([...history.paths.keys()].map(dirname))
  if (!dryRun) await removeHalfWrittenFiles(folders, files, ports.isRunning)
  const plan = await planRewind(history, place, ports, dryRun ? ports.countLines : undefined)
  // Half a rewind is not what was asked for: what was not kept is said before anything is changed.
  if (plan.lost.length > 0) return { canRewind: false, error: describe(plan.lost) }
  const others: string[] = []
  for (const { path } of plan.steps) if (await ports.isOthers(path)) others.push(path)
  const changed = others.length > 0 ? { changedByOthers: others } : {}
  if (others.length > 0 && !force && !dryRun) return { canRewind: false, error: refusal(others), ...changed }
  // What the session itself did is kept as far as messages can be gone back to; this is nobody's but theirs.
  const kept = dryRun || others.length === 0 ? {} : { keptAs: await ports.keep() }
  const failed = dryRun ? [] : await restoreCheckpointFiles(plan.steps, files, store)
  const skipped = [...plan.skipped, ...failed]
  const report = { ...(skipped.length > 0 ? toReport(skipped) : {}), ...changed, ...kept }
  if (skipped.length > 0 && failed.length === plan.steps.length) {
    return { canRewind: false, error: describe(skipped), ...report }
  }
  if (!dryRun) return { canRewind: true, ...report }
  const { steps, insertions, deletions } = plan
  const written = steps.filter(({ target, found }) => target.kind === 'file' || found?.kind === 'file')
  return { canRewind: true, filesChanged: written.map(({ path }) => path), insertions, deletions, ...report }
}

function toReport(skipped: readonly SkippedPath[]): Pick<RewindFilesResult, 'skipped' | 'skippedLinks'> {
  return {
    skipped: skipped.map(({ path, why }) => ({ path, reason: why })),
    skippedLinks: skipped.filter(({ isLink }) => isLink).length,
  }
}

function describe(skipped: readonly SkippedPath[]): string {
  return `These files can't be put back: ${listed(skipped.map(({ path, why }) => `${path} (${why})`))}`
}

function refusal(paths: readonly string[]): string {
  return `These files were changed by somebody else since: ${listed(paths)}. Rewind with force to replace them all the same; what they hold is kept.`
}

function listed(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return `${names.slice(0, MOST_NAMED).join(', ')}${more}`
}
