/** The last row: where and how it works. Pure. */
import { modeName } from '../../protocol/shown/vocabulary.js'
import type { TerminalSessionFacts } from '../blocks/session-facts.js'
import { costText, shortCount } from '../blocks/short-texts.js'
import { toTerminalSafeLine } from '../screen/shown-text.js'
import { cutText, textWidth } from '../screen/styled-text.js'
import type { Styles } from '../screen/styles.js'

export type StatusViewOptions = {
  columns: number
  styles: Styles
  branch: string | undefined
  /** What the user's own command printed, cleaned. */
  own: string | undefined
  /** What can be done now. */
  hint: string
}

export function statusRow(facts: TerminalSessionFacts, look: StatusViewOptions): string {
  const { columns, styles, branch, own, hint } = look
  const share =
    facts.context === 0
      ? ''
      : `${Math.min(100, Math.round((facts.context / facts.window) * 100))}% of ${shortCount(facts.window)}`
  const mode = modeName(facts.mode)
  const risky = facts.mode === 'bypassPermissions'
  const parts =
    own === undefined
      ? [
          toTerminalSafeLine(facts.model),
          branch === undefined ? '' : toTerminalSafeLine(branch),
          share,
          costText(facts.costUsd),
        ]
      : [own]
  const tasks = facts.tasks.size === 0 ? '' : `${facts.tasks.size} task${facts.tasks.size === 1 ? '' : 's'} (ctrl-t)`
  const left = [
    risky ? styles.red(mode) : facts.mode === 'default' ? styles.dim(mode) : styles.magenta(mode),
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

export function activityRow(facts: TerminalSessionFacts, now: number, columns: number, styles: Styles): string {
  const seconds = Math.max(0, Math.floor((now - facts.since) / 1000))
  const what = facts.isCompacting ? 'Summarizing' : 'Working'
  const words = [
    `${seconds} s`,
    facts.written > 0 ? `${shortCount(facts.written)} tokens` : '',
    facts.retry ?? '',
    'esc stops',
  ]
  return cutText(
    `${styles.magenta(styles.sign.dot)} ${what} ${styles.dim(words.filter((word) => word !== '').join(' · '))}`,
    columns - 1,
  )
}
