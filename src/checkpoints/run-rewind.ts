/** Carries out a rewind, or says what it would do: nothing is changed when something that was not kept would be lost. */
import { dirname } from '../platform/paths.js'
import type { RewindFilesResult } from '../protocol/control.js'
import type { FileHistory } from './file-history.js'
import { type CountLines, planRewind, type RewindPorts, type Skipped } from './plan-rewind.js'
import { removeLeftovers, restore } from './restore.js'

export type RunRewindPorts = RewindPorts & {
  isRunning(pid: number): boolean
  countLines: CountLines
}

/** Of the paths an error names. */
const MOST_NAMED = 5

/** Undefined: nothing is known of this message. */
export async function rewindTo(
  history: FileHistory,
  messageId: string,
  dryRun: boolean,
  ports: RunRewindPorts,
): Promise<RewindFilesResult | undefined> {
  const { files, store } = ports
  const place = history.messages.lastIndexOf(messageId)
  if (place < 0) return undefined
  const folders = new Set([...history.paths.keys()].map(dirname))
  if (!dryRun) await removeLeftovers(folders, files, ports.isRunning)
  const plan = await planRewind(history, place, ports, dryRun ? ports.countLines : undefined)
  // Half a rewind is not what was asked for: what was not kept is said before anything is changed.
  if (plan.lost.length > 0) return { canRewind: false, error: describe(plan.lost) }
  const failed = dryRun ? [] : await restore(plan.steps, files, store)
  const skipped = [...plan.skipped, ...failed]
  const report = skipped.length > 0 ? toReport(skipped) : {}
  if (skipped.length > 0 && failed.length === plan.steps.length) {
    return { canRewind: false, error: describe(skipped), ...report }
  }
  if (!dryRun) return { canRewind: true, ...report }
  const { steps, insertions, deletions } = plan
  const changed = steps.filter(({ target, found }) => target.kind === 'file' || found?.kind === 'file')
  return { canRewind: true, filesChanged: changed.map(({ path }) => path), insertions, deletions, ...report }
}

function toReport(skipped: readonly Skipped[]): Pick<RewindFilesResult, 'skipped' | 'skippedLinks'> {
  return {
    skipped: skipped.map(({ path, why }) => ({ path, reason: why })),
    skippedLinks: skipped.filter(({ isLink }) => isLink).length,
  }
}

function describe(skipped: readonly Skipped[]): string {
  const named = skipped.slice(0, MOST_NAMED).map(({ path, why }) => `${path} (${why})`)
  const more = skipped.length > MOST_NAMED ? ` and ${skipped.length - MOST_NAMED} more` : ''
  return `These files can't be put back: ${named.join(', ')}${more}`
}
