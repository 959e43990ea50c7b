/** Going back: choose a prompt, see what would be undone, then conversation, files or both. */

import type { RewindChanges, RewindRequest } from '../../hub/session-types.js'
import type { ContentBlockParam } from '../../protocol/content.js'
import { isObject } from '../../protocol/json.js'
import type { SessionMessage } from '../../protocol/stored-sessions.js'
import { messageOf } from '../../protocol/thrown.js'
import { userTextIn } from '../../view/typed-text.js'
import { choiceCard } from '../cards/choice-card.js'
import { wrapText } from '../screen/styled-text.js'
import { toTerminalSafeLine } from '../screen/terminal-safe-text.js'
import { runReportingFailure, type TerminalUi } from '../session/terminal-ui.js'

type Said = { message: string; text: string; isFirst: boolean }

const MAX_OFFERED = 100

export async function openRewind(ui: TerminalUi): Promise<void> {
  const { client } = ui
  if (!client) return
  if (ui.isBusy) await client.interrupt('turn')
  const { messages, isWhole } = await client.stored()
  if (!isWhole) return ui.screen.flash('Going back in a session of a server is for its page, or its API')
  const said = userPrompts(messages).slice(-MAX_OFFERED).reverse()
  if (said.length === 0) return ui.screen.flash('There is nothing to go back to yet')
  ui.screen.show(
    choiceCard<Said>({
      title: 'Go back to before which prompt?',
      canSearch: true,
      choices: said.map((one) => ({ value: one, label: toTerminalSafeLine(one.text).slice(0, 200) })),
      hint: 'enter: choose · esc: nothing changes',
      onChosen: ([one]) => one && runReportingFailure(ui, () => chooseWhat(ui, one)),
      onCanceled: () => ui.screen.show(undefined),
    }),
  )
}

async function chooseWhat(ui: TerminalUi, { message, text, isFirst }: Said): Promise<void> {
  const { client } = ui
  if (!client) return
  const plan = await client.rewind({ message, what: 'files', dryRun: true }).catch((error: unknown) => messageOf(error))
  const isKnown = typeof plan === 'object'
  const choices: { value: RewindRequest['what']; label: string }[] = [
    ...(isFirst ? [] : [{ value: 'conversation' as const, label: 'The conversation' }]),
    ...(isKnown && plan.files.length > 0
      ? [{ value: 'files' as const, label: `The files (${plan.files.length})` }]
      : []),
    ...(isKnown && plan.files.length > 0 && !isFirst ? [{ value: 'both' as const, label: 'Both' }] : []),
  ]
  if (choices.length === 0) {
    ui.screen.show(undefined)
    return ui.screen.notice(
      'notice',
      'Nothing comes before the first prompt, and no file has changed since. /clear starts a new conversation.',
    )
  }
  ui.screen.show(
    choiceCard<RewindRequest['what']>({
      title: 'Go back with what?',
      choices,
      words: ({ columns, styles }) => [
        ...wrapText(`  ${styles.cyan(toTerminalSafeLine(text))}`, columns - 1, { indent: '  ' }).slice(0, 3),
        ...(isKnown
          ? filesOf(plan).map((line) => styles.dim(`  ${line}`))
          : [styles.dim(`  files: ${toTerminalSafeLine(plan)}`)]),
      ],
      onChosen: ([what]) => what && runReportingFailure(ui, () => goBack(ui, { message, what }, text)),
      onCanceled: () => ui.screen.show(undefined),
    }),
  )
}

function filesOf({ files, insertions, deletions }: RewindChanges): string[] {
  if (files.length === 0) return ['no file would change']
  const shown = files.slice(0, 8).map(toTerminalSafeLine)
  return [
    `files put back: +${insertions} −${deletions}`,
    ...shown,
    ...(files.length > 8 ? [`and ${files.length - 8} more`] : []),
  ]
}

async function goBack(ui: TerminalUi, to: RewindRequest, text: string): Promise<void> {
  ui.screen.show(undefined)
  const undone = await ui.client?.rewind(to)
  if (!undone) return
  const files = to.what === 'conversation' ? '' : `${undone.files.length} files were put back. `
  const talk = to.what === 'files' ? '' : `${undone.messages} messages were left behind.`
  ui.screen.notice('notice', `Went back. ${files}${talk}`)
  if (to.what !== 'files' && ui.editor.isEmpty) ui.editor.set(text)
}

export function userPrompts(messages: readonly SessionMessage[]): Said[] {
  return messages
    .flatMap(({ type, message, uuid, parent_tool_use_id: parent }) => {
      if (type !== 'user' || parent !== null || !isObject(message)) return []
      const { content } = message
      const blocks = Array.isArray(content) ? (content as ContentBlockParam[]) : [] // as the model's API has it
      const text = userTextIn(typeof content === 'string' ? content : blocks)
      return text.trim() === '' ? [] : [{ message: uuid, text }]
    })
    .map((one, n) => ({ ...one, isFirst: n === 0 }))
}
