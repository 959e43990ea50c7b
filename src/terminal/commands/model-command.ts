/** Choosing the model, and what is asked about. */
import { isPermissionMode, PERMISSION_MODES, refuseMode } from '../../protocol/permission-modes.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import { choiceCard } from '../cards/choice-card.js'
import { type Face, reportFailure } from '../session/face.js'
import { modeWords } from '../status/status-row.js'

export async function chooseModel(face: Face, args: string): Promise<void> {
  const { desk } = face
  if (!desk) return
  const use = async (model: string) => {
    face.screen.show(undefined)
    await desk.change({ model })
    face.facts.model = model
    face.screen.flash(`model: ${model}`)
  }
  if (args !== '') return use(args)
  face.screen.flash('looking for models …')
  const models = await desk.models()
  face.screen.show(
    choiceCard<string>({
      title: 'Which model?',
      choices: models.map(({ value, displayName, description }) => ({
        value,
        label: displayName,
        detail: description,
      })),
      onChosen: ([model]) => reportFailure(face, async () => model !== undefined && use(model)),
      onCancelled: () => face.screen.show(undefined),
    }),
  )
}

export function chooseMode(face: Face, args: string): void {
  const { desk, machine } = face
  if (!desk) return
  const use = (mode: PermissionMode) => {
    face.screen.show(undefined)
    reportFailure(face, async () => {
      await desk.change({ mode })
      face.screen.flash(modeWords(mode))
    })
  }
  if (args !== '') {
    if (isPermissionMode(args)) {
      use(args)
      return
    }
    face.screen.notice('error', refuseMode(args))
    return
  }
  const modes = PERMISSION_MODES.filter((mode) => machine.canBypass || mode !== 'bypassPermissions')
  face.screen.show(
    choiceCard<PermissionMode>({
      title: 'What should it ask about?',
      choices: modes.map((value) => ({ value, label: value, detail: modeWords(value) })),
      onChosen: ([mode]) => mode && use(mode),
      onCancelled: () => face.screen.show(undefined),
    }),
  )
}
