/** The settings of a running session that the Config tool may read and, when the user agrees, change. They end with the session. */
import type { Permissions } from '../../permissions/permission-engine.js'
import type { Options } from '../../protocol/options.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { ConfigSettings } from '../../tools/config/config.js'
import { toThinkingConfig } from '../configuration-from-flags.js'
import type { LiveSettings } from '../live-settings.js'
import type { ModelSetup } from '../model-setup.js'

export type ConfigToolPorts = {
  cwd: string
  live: LiveSettings
  model: ModelSetup
  permissions: Permissions
  onModeChanged(mode: PermissionMode): void | Promise<void>
}

const EFFORTS: readonly NonNullable<Options['effort']>[] = ['low', 'medium', 'high', 'max']
const MAX_THINKING = 1_000_000

export function createConfigToolSettings({
  cwd,
  live,
  model,
  permissions,
  onModeChanged,
}: ConfigToolPorts): ConfigSettings {
  return {
    model: {
      describe: 'the model that answers from the next request on: an alias (sonnet, opus, haiku, default) or a full id',
      get: () => model.current(),
      async set(value) {
        if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) return 'model needs the name of a model.'
        return model.set(value === 'default' ? undefined : value, 'auto')
      },
    },
    permissionMode: {
      describe: 'what needs a question',
      onlyAPerson: true,
      get: () => permissions.mode(),
      // Not a way into bypassPermissions: that is decided where the session is started.
      allowed: ['default', 'acceptEdits', 'plan', 'dontAsk'],
      async set(value) {
        const change = permissions.setMode(String(value))
        if (!change.ok) return change.message
        await onModeChanged(change.mode)
        return undefined
      },
    },
    effort: {
      describe: 'how hard the model works on an answer, where it has levels for that',
      get: () => live.effort ?? 'default',
      allowed: [...EFFORTS, 'default'],
      set(value) {
        live.setEffort(EFFORTS.find((level) => level === value))
        return undefined
      },
    },
    maxThinkingTokens: {
      describe: 'tokens the model may think before it answers; 0 for none',
      get: () => (live.thinking?.type === 'enabled' ? live.thinking.budgetTokens : (live.thinking?.type ?? 'default')),
      set(value) {
        if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAX_THINKING)
          return `maxThinkingTokens needs a whole number from 0 to ${MAX_THINKING}.`
        live.setThinking(toThinkingConfig(value))
        return undefined
      },
    },
    cwd: { describe: 'the working directory', get: () => cwd },
  }
}
