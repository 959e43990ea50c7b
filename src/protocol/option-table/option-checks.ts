/** What may be wrong with an option, by itself or beside others. The texts are part of the contract. */
import { ConfigurationError } from '../../errors.js'
import { HOOK_EVENTS } from '../hooks.js'
import type { Options } from '../options.js'
import { isPermissionMode, UNSUPPORTED_MODES, unknownModeText } from '../permission-modes.js'

function refuse(option: string, text: string): never {
  throw new ConfigurationError(option, text)
}

export function checkChoice(options: Options, option: keyof Options, choices: readonly string[]): void {
  const value: unknown = options[option]
  if (value === undefined || choices.some((choice) => choice === value)) return
  const quoted = choices.map((choice) => `'${choice}'`)
  const either = [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].filter(Boolean).join(' or ')
  refuse(option, `${option} must be ${either}, not '${String(value)}'.`)
}

export function checkWholeNumber(options: Options, option: keyof Options): void {
  const value = options[option]
  if (value !== undefined && !isWholeNumber(value)) refuse(option, `${option} must be a whole number above 0.`)
}

function isWholeNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0
}

export function checkTaskBudget({ taskBudget }: Options): void {
  if (taskBudget !== undefined && !isWholeNumber(taskBudget?.total))
    refuse('taskBudget', 'taskBudget must be { total } with a whole number of tokens above 0.')
}

export function checkBackgroundCeiling({ backgroundCeilingMs: ceiling }: Options): void {
  if (ceiling !== undefined && !(Number.isFinite(ceiling) && ceiling >= 0))
    refuse('backgroundCeilingMs', 'backgroundCeilingMs must be a number of milliseconds.')
}

export function checkGateOption(options: Options, option: keyof Options, choices: readonly string[]): void {
  checkChoice(options, option, choices)
  if (options.gate !== undefined && (!options.canUseTool || options.permissionPrompts === 'none'))
    refuse('gate', "gate: 'always' needs canUseTool: there is nobody to ask otherwise.")
}

export function checkPermissionPromptOptions({ canUseTool, permissionPromptToolName }: Options): void {
  if (canUseTool && permissionPromptToolName) {
    refuse(
      'canUseTool',
      'canUseTool callback cannot be used with permissionPromptToolName. Please use one or the other.',
    )
  }
}

/** Rejects `false`: in the Claude Agent SDK it makes tasks end with an interrupted turn, and Kedge can't do that. */
export function checkPerTaskStopOption(options: Options): void {
  const wanted: unknown = options.perTaskStopAffordance
  const text = 'The option perTaskStopAffordance must be true: an interrupt never ends background tasks here.'
  if (wanted !== undefined && wanted !== true)
    throw new ConfigurationError('perTaskStopAffordance', text, 'unsupported_option')
}

export function checkDialogsOption({ supportedDialogKinds: kinds = [], onUserDialog }: Options): void {
  if (kinds.length > 0 && !onUserDialog)
    refuse('supportedDialogKinds', 'supportedDialogKinds needs onUserDialog: nobody would show the dialogs otherwise.')
}

/** Rejects options that leave parts out of the prompt: Kedge's prompt can't do that. */
export function checkSystemPromptOption({ systemPrompt }: Options): void {
  const isWanted = typeof systemPrompt === 'object' && Boolean(Reflect.get(systemPrompt, 'excludeDynamicSections'))
  const text = 'The option systemPrompt.excludeDynamicSections is not supported by this version of Kedge.'
  if (isWanted) throw new ConfigurationError('systemPrompt', text, 'unsupported_option')
}

export function checkContinueTurnOption({ continueTurn, resume, continue: latest, forkSession }: Options): void {
  if (!continueTurn) return
  if (resume === undefined && !latest) refuse('continueTurn', 'continueTurn needs resume (or continue).')
  // Both would run the same calls.
  if (forkSession) refuse('continueTurn', "continueTurn can't be combined with forkSession.")
}

export function checkResumeDropsTurnOption({ resumeDropsTurn, resumeSessionAt }: Options): void {
  if (resumeDropsTurn && !resumeSessionAt) refuse('resumeDropsTurn', 'resumeDropsTurn needs resumeSessionAt.')
}

export function checkPermissionModeOption({ permissionMode }: Options): void {
  const mode: string | undefined = permissionMode
  if (UNSUPPORTED_MODES.some((name) => name === mode))
    throw new ConfigurationError('permissionMode', unknownModeText(mode), 'unsupported_option')
  if (mode !== undefined && !isPermissionMode(mode))
    refuse('permissionMode', `${unknownModeText(mode)}, not '${mode}'.`)
}

export function checkAbortOption({ abortController }: Options): void {
  if (abortController !== undefined && typeof abortController.signal?.addEventListener !== 'function')
    refuse('abortController', 'abortController must be an AbortController.')
}

export function checkBatchOption({ batch, includePartialMessages }: Options): void {
  if (batch && includePartialMessages)
    refuse('batch', 'batch and includePartialMessages exclude each other: a batch answers in one piece.')
}

export function checkFallbackOption({ fallbackModel, model }: Options): void {
  if (fallbackModel && model && fallbackModel === model) {
    refuse(
      'fallbackModel',
      'Fallback model cannot be the same as the main model. Please specify a different model for fallbackModel option.',
    )
  }
}

export function checkPluginsOption({ plugins }: Options): void {
  for (const plugin of plugins ?? []) {
    const type: string = plugin.type
    if (type !== 'local') refuse('plugins', `Unsupported plugin type: ${type}`)
  }
}

/** A guard registered under a misspelt name would never be asked. */
export function checkHooksOption({ hooks }: Options): void {
  const unknown = Object.keys(hooks ?? {}).find((event) => !HOOK_EVENTS.some((known) => known === event))
  if (unknown !== undefined) refuse('hooks', `hooks: there is no event '${unknown}'. Known: ${HOOK_EVENTS.join(', ')}.`)
}

export function checkSessionStoreOption(options: Options): void {
  const { sessionStore, enableFileCheckpointing } = options
  if (sessionStore === undefined) return
  const missing = (['append', 'load'] as const).find((name) => typeof sessionStore[name] !== 'function')
  if (missing) refuse('sessionStore', `sessionStore needs a method ${missing}().`)
  checkChoice(options, 'sessionStoreFlush', ['batched', 'eager'])
  if (enableFileCheckpointing) {
    refuse(
      'enableFileCheckpointing',
      'enableFileCheckpointing is not yet supported with sessionStore: the copies of files are only on this disk.',
    )
  }
}
