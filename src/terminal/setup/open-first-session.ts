/** Which session it begins with, and whether what the folder brings may count. */

import { sessionPicker } from '../commands/session-commands.js'
import type { TerminalArguments } from '../front/session-arguments.js'
import { wrapText } from '../screen/styled-text.js'
import { toTerminalSafeLine } from '../screen/terminal-safe-text.js'
import type { TerminalUi } from '../session/terminal-ui.js'
import type { SessionClient } from '../sessions/session-client.js'
import { askChoice, askWithCard } from './card-answers.js'

export async function openFirstSession(
  ui: TerminalUi,
  args: TerminalArguments,
  cwd: string,
  wanted: string | undefined,
): Promise<void> {
  const client = await chosen(ui, args, cwd, wanted)
  if (!client) return ui.leave()
  await askTrust(ui, client.cwd)
  const { backend } = ui
  const own = args.isFork ? await backend.fork(client.id) : client
  if (!backend.isRemote) await backend.use(own.id, ui.settings)
  await ui.open(own)
}

async function chosen(
  ui: TerminalUi,
  args: TerminalArguments,
  cwd: string,
  wanted: string | undefined,
): Promise<SessionClient | undefined> {
  const { backend } = ui
  const { session } = args
  if (wanted !== undefined) return backend.open(wanted)
  if (backend.isRemote) {
    const id = await pick(ui)
    return id === undefined ? undefined : backend.open(id)
  }
  if (session.kind === 'continue') {
    const last = (await backend.list()).find((one) => one.cwd === cwd && one.title !== undefined)
    if (last) return backend.open(last.id, ui.settings)
    ui.screen.notice('notice', 'This folder has no sessions yet. Kedge started a new one.')
  }
  if (session.kind === 'resume') {
    const id = session.id ?? (await pick(ui))
    if (id !== undefined) return backend.open(id, ui.settings)
    ui.screen.notice('notice', 'A new session.')
  }
  return backend.create({ cwd, settings: ui.settings })
}

async function pick(ui: TerminalUi): Promise<string | undefined> {
  const sessions = (await ui.backend.list()).filter(({ title }) => title !== undefined || ui.backend.isRemote)
  if (sessions.length === 0) return undefined
  return askWithCard<string>(ui, (done) =>
    sessionPicker(sessions, ui, { onChosen: done, onCanceled: () => done(undefined) }),
  )
}

async function askTrust(ui: TerminalUi, cwd: string): Promise<void> {
  const { backend, settings } = ui
  const sources = settings.settingSources ?? []
  const decided = settings.extraArgs && ('trust' in settings.extraArgs || 'no-trust' in settings.extraArgs)
  if (decided || backend.isRemote || !sources.some((source) => source !== 'user')) return
  const { isTrusted, brings, withheld, changed } = await backend.folderTrust(cwd)
  const what = changed.length > 0 ? changed : brings
  if (isTrusted || what.length === 0) return
  const why =
    changed.length > 0
      ? 'Files that run commands have changed since you trusted this folder:'
      : 'This folder contains files that can run commands and instruct the agent:'
  const trusts = await askChoice<boolean>(ui, {
    title: `Do you trust ${toTerminalSafeLine(cwd)}?`,
    words: ({ columns, styles }) => [
      ...wrapText(`  ${why}`, columns - 1, { indent: '  ' }),
      ...what.flatMap((one) =>
        wrapText(styles.yellow(`    ${toTerminalSafeLine(one)}`), columns - 1, { indent: '      ' }),
      ),
      ...wrapText(
        styles.dim(
          '  If you say no, Kedge uses its deny and ask rules and its texts for the model, and nothing that runs.',
        ),
        columns - 1,
        { indent: '  ' },
      ),
    ],
    choices: [
      { value: false, label: 'No, continue without them' },
      { value: true, label: 'Yes, I know these files' },
    ],
  })
  const unused = changed.length > 0 ? changed : withheld
  if (!trusts && unused.length === 0) return
  if (!trusts) return ui.screen.notice('warning', `Not used, because this folder is not trusted: ${unused.join(', ')}`)
  const { reason } = await backend.trustFolder(cwd)
  ui.settings = { ...settings, untrusted: false }
  if (reason !== undefined) ui.screen.notice('notice', `Trusted for this time only: ${reason}`)
}
