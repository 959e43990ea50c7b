/** The last row: where and how it works. Pure. */

import { modeName, NOTICE_TEXTS } from '../../protocol/shown/vocabulary.js'
import type { ViewFacts } from '../../view/view-items.js'
import { noticeText } from '../../view/view-notices.js'
import type { SessionView } from '../../view/view-state.js'
import { backgroundTasks } from '../blocks/background-tasks.js'
import { costText, shortCount } from '../blocks/short-texts.js'
import { cutText, textWidth } from '../screen/styled-text.js'
import type { Styles } from '../screen/styles.js'
import { toTerminalSafeLine } from '../screen/terminal-safe-text.js'

export type StatusViewOptions = {
  columns: number
  styles: Styles
  branch: string | undefined
  /** What the user's own command printed, cleaned. */
  own: string | undefined
  /** What can be done now. */
  hint: string
}

export type ActivityViewOptions = {
  columns: number
  styles: Styles
  now: number
  /** When the turn began. */
  since: number
}

/** The usual size, until a result says it. */
const USUAL_WINDOW = 200_000

export function contextWindowOrDefault({ contextWindow }: ViewFacts): number {
  return contextWindow || USUAL_WINDOW
}

export function statusRow(view: SessionView, look: StatusViewOptions): string {
  const { facts } = view
  const { columns, styles, branch, own, hint } = look
  const { mode = 'default', contextUsed } = facts
  const window = contextWindowOrDefault(facts)
  const share =
    contextUsed === 0 ? '' : `${Math.min(100, Math.round((contextUsed / window) * 100))}% of ${shortCount(window)}`
  const risky = mode === 'bypassPermissions'
  const parts =
    own === undefined
      ? [
          toTerminalSafeLine(facts.model ?? ''),
          branch === undefined ? '' : toTerminalSafeLine(branch),
          share,
          costText(facts.costUsd),
        ]
      : [own]
  const count = backgroundTasks(view).length
  const tasks = count === 0 ? '' : `${count} task${count === 1 ? '' : 's'} (ctrl-t)`
  const name = modeName(mode)
  const left = [
    risky ? styles.red(name) : mode === 'default' ? styles.dim(name) : styles.magenta(name),
    ...parts.filter((part) => part !== '').map((part) => (own === undefined ? styles.dim(part) : part)),
    tasks === '' ? '' : styles.cyan(tasks),
  ]
    .filter((part) => part !== '')
    .join(styles.dim(' · '))
  const room = columns - 3 - textWidth(left)
  const right =
    hint === '' || room < textWidth(hint) + 2 ? '' : `${' '.repeat(room - textWidth(hint))}${styles.dim(hint)}`
  return cutText(`  ${left}${right}`, columns - 1)
}

/** What is being done, for how long, and what it waits for. */
export function activityRows({ facts, open }: SessionView, look: ActivityViewOptions): string[] {
  const { columns, styles, now, since } = look
  const { turnTokens, retry, hookStatus } = facts
  const seconds = Math.max(0, Math.floor((now - since) / 1000))
  const what = open.compaction?.isLive
    ? NOTICE_TEXTS.compacting
    : hookStatus
      ? toTerminalSafeLine(hookStatus.text)
      : 'Working'
  const words = [`${seconds} s`, turnTokens > 0 ? `${shortCount(turnTokens)} tokens` : '', 'esc stops']
  const row = `${styles.magenta(styles.sign.dot)} ${what} ${styles.dim(words.filter((word) => word !== '').join(' · '))}`
  const waits = retry ? [styles.yellow(`! ${toTerminalSafeLine(noticeText(retry))}`)] : []
  return [row, ...waits].map((one) => cutText(one, columns - 1))
}
