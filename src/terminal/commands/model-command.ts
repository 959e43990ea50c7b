/** Choosing the model, and what is asked about. */
import { isPermissionMode, PERMISSION_MODES, unknownModeText } from '../../protocol/permission-modes.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import { MODE_NAMES, modeName } from '../../protocol/shown/vocabulary.js'
import { choiceCard } from '../cards/choice-card.js'
import { runReportingFailure, type TerminalUi } from '../session/terminal-ui.js'

export async function chooseModel(ui: TerminalUi, args: string): Promise<void> {
  const { client } = ui
  if (!client) return
  const use = async (model: string) => {
    ui.screen.show(undefined)
    await client.change({ model })
    ui.screen.flash(`model: ${model}`)
  }
  if (args !== '') return use(args)
  ui.screen.flash('looking for models …')
  const models = await client.models()
  ui.screen.show(
    choiceCard<string>({
      title: 'Which model?',
      choices: models.map(({ value, displayName, description }) => ({
        value,
        label: displayName,
        detail: description,
      })),
      onChosen: ([model]) => runReportingFailure(ui, async () => model !== undefined && use(model)),
      onCanceled: () => ui.screen.show(undefined),
    }),
  )
}

export function choosePermissionMode(ui: TerminalUi, args: string): void {
  const { client, machine } = ui
  if (!client) return
  const use = (mode: PermissionMode) => {
    ui.screen.show(undefined)
    runReportingFailure(ui, async () => {
      await client.change({ mode })
      ui.screen.flash(modeName(mode))
    })
  }
  if (args !== '') {
    if (isPermissionMode(args)) {
      use(args)
      return
    }
    ui.screen.notice('error', unknownModeText(args))
    return
  }
  const modes = PERMISSION_MODES.filter((mode) => machine.canBypass || mode !== 'bypassPermissions')
  ui.screen.show(
    choiceCard<PermissionMode>({
      title: 'What should it ask about?',
      choices: modes.map((value) => ({
        value,
        label: MODE_NAMES[value].name,
        detail: `${MODE_NAMES[value].description} (/mode ${value})`,
      })),
      onChosen: ([mode]) => mode && use(mode),
      onCanceled: () => ui.screen.show(undefined),
    }),
  )
}
