/** What a user can set for a session: mode, model, effort, fast answers, context, sandbox. Pure. */
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk/unstable'
import { effortLevelsOfModel } from '../../model/model-facts.js'
import { isObject } from '../../protocol/json.js'
import type { ModelInfo, Options } from '../../protocol/options.js'
import { PERMISSION_MODES } from '../../protocol/permission-modes.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import { MODE_NAMES } from '../../protocol/shown/vocabulary.js'

export type ChosenConfig = {
  mode: PermissionMode
  /** `default`, an alias, or an id. */
  model: string
  effort: string
  fast: string
  context: string
  sandbox: string
}

export const INITIAL_CONFIG: ChosenConfig = {
  mode: 'default',
  model: 'default',
  effort: 'default',
  fast: 'off',
  context: 'default',
  sandbox: 'default',
}

export function offeredModes(canBypass: boolean): PermissionMode[] {
  return PERMISSION_MODES.filter((mode) => canBypass || mode !== 'bypassPermissions')
}

export function sessionModeState(chosen: ChosenConfig, modes: readonly PermissionMode[]): SessionModeState {
  return { currentModeId: chosen.mode, availableModes: modes.map((id) => ({ id, ...MODE_NAMES[id] })) }
}

type Choice = { value: string; name: string; description?: string }

const CONTEXTS: readonly Choice[] = [
  { value: 'default', name: 'Standard' },
  { value: '1m', name: '1 million tokens', description: 'For models that have it; longer prompts cost more' },
]
const SPEEDS: readonly Choice[] = [
  { value: 'off', name: 'Off' },
  { value: 'on', name: 'On' },
]
const SANDBOXES: readonly Choice[] = [
  { value: 'default', name: 'As in the settings' },
  { value: 'off', name: 'Off' },
  { value: 'workspace', name: 'Workspace', description: 'Commands write only inside the project' },
  { value: 'strict', name: 'Strict', description: 'The same, and no command may ask to leave the sandbox' },
]

/** Offers effort for every model that supports it. The agent reports effort levels only for the default model, as SDK hosts expect. */
export function addModelEffortLevels(
  models: readonly ModelInfo[],
  env: Readonly<Record<string, string | undefined>>,
): ModelInfo[] {
  const aliases = Object.fromEntries(
    ['opus', 'sonnet', 'haiku'].flatMap((name) => {
      const id = env[`ANTHROPIC_DEFAULT_${name.toUpperCase()}_MODEL`]
      return id ? [[name, id]] : []
    }),
  )
  return models.map((model) => {
    const levels = effortLevelsOfModel(model.value, aliases) as NonNullable<ModelInfo['supportedEffortLevels']> // of the same table
    const isSaid = model.supportsEffort !== undefined || model.value === 'default' || levels.length === 0
    return isSaid ? model : { ...model, supportsEffort: true, supportedEffortLevels: [...levels] }
  })
}

export function configOptions(
  chosen: ChosenConfig,
  models: readonly ModelInfo[],
  modes: readonly PermissionMode[],
  hasSwitches: boolean,
): SessionConfigOption[] {
  const levels = effortLevels(chosen.model, models)
  return [
    select(
      'mode',
      'Mode',
      'mode',
      chosen.mode,
      modes.map((value) => ({ value, ...MODE_NAMES[value] })),
    ),
    select('model', 'Model', 'model', chosen.model, modelChoices(chosen.model, models)),
    ...(levels.length > 0
      ? [
          select(
            'effort',
            'Effort',
            'thought_level',
            chosen.effort,
            ['default', ...levels].map((value) => ({ value, name: capital(value) })),
          ),
        ]
      : []),
    ...fastOption(chosen, models, hasSwitches),
    select('context', 'Context', 'model_config', chosen.context, CONTEXTS),
    select('sandbox', 'Sandbox', '_sandbox', chosen.sandbox, SANDBOXES),
  ]
}

/** Offers fast mode if the chosen model has it: as a switch if the client supports switches, else as a choice. */
function fastOption(chosen: ChosenConfig, models: readonly ModelInfo[], hasSwitches: boolean): SessionConfigOption[] {
  if (!models.some(({ value, supportsFastMode }) => value === chosen.model && supportsFastMode)) return []
  const about = { id: 'fast', name: 'Fast', category: 'model_config', description: FAST }
  if (hasSwitches) return [{ type: 'boolean', ...about, currentValue: chosen.fast === 'on' }]
  return [{ ...select(about.id, about.name, about.category, chosen.fast, SPEEDS), description: FAST }]
}
const FAST = 'Answers come faster, at several times the price'

/**
 * Returns the values that a configuration option of a session can have. Undefined: there is no such option. Those of
 * a switch are `on` and `off`.
 */
export function configOptionValues(id: string, options: readonly SessionConfigOption[]): string[] | undefined {
  const option = options.find((one) => one.id === id)
  if (option?.type === 'boolean') return SPEEDS.map(({ value }) => value)
  if (option?.type !== 'select') return undefined
  return option.options.flatMap((choice) =>
    'value' in choice ? choice.value : choice.options.map(({ value }) => value),
  )
}

/** What the agent has to be started with for these. */
export function toAgentOptions({ context, sandbox, fast }: ChosenConfig, settings: Options['settings']): Options {
  return {
    ...(context === '1m' ? { betas: ['context-1m-2025-08-07'] } : {}),
    ...sandboxOf(sandbox),
    ...(fast === 'on' ? { settings: { ...(isObject(settings) ? settings : {}), fastMode: true } } : {}),
  }
}

function sandboxOf(value: string): Options {
  if (value === 'off') return { sandbox: { enabled: false } }
  if (value === 'workspace') return { sandbox: { enabled: true, autoAllowBashIfSandboxed: true } }
  return value === 'strict' ? { sandbox: { enabled: true, allowUnsandboxedCommands: false } } : {}
}

function modelChoices(current: string, models: readonly ModelInfo[]): Choice[] {
  const known = models.map(({ value, displayName, description }) => ({ value, name: displayName, description }))
  const isKnown = known.some(({ value }) => value === current)
  return isKnown ? known : [...known, { value: current, name: current === 'default' ? 'Default' : current }]
}

function effortLevels(model: string, models: readonly ModelInfo[]): string[] {
  const info = models.find(({ value }) => value === model)
  return info?.supportsEffort === true ? (info.supportedEffortLevels ?? ['low', 'medium', 'high']) : []
}

function select(
  id: string,
  name: string,
  category: string,
  currentValue: string,
  choices: readonly Choice[],
): SessionConfigOption {
  return { type: 'select', id, name, category, currentValue, options: choices.map((choice) => ({ ...choice })) }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
