/** Permissions as the loop sees them: judged by the engine, asked of the host, and what was granted for good is saved. */
import type { PermissionDecision, PermissionPort } from '../../engine/ports.js'
import type { ListedPermissions, PermissionOptions, Permissions } from '../../permissions/permission-engine.js'
import { createPermissionsForSystem } from '../../permissions/windows/windows-permissions.js'
import type { Platform } from '../../platform/platform.js'
import type { PermissionSettings } from '../../protocol/option-table/start-settings.js'
import type { SessionLocation } from '../configuration.js'
import type { RecordingEmitter } from '../messages/emitter.js'
import { savePermissionUpdates } from '../settings-files.js'
import { describeAsk } from './describe-ask.js'
import type { PermissionConfiguration } from './permission-configuration.js'

export function createSessionPermissions(
  settings: PermissionConfiguration,
  { workspace: { files }, identity }: Platform,
  ports: Pick<PermissionOptions, 'planFile' | 'readableFolders' | 'sandbox' | 'servers' | 'searchPath' | 'variable'>,
): ListedPermissions {
  const { cwd, home, mode, allowBypass, directories, allow, deny, layers, trusted } = settings
  return createPermissionsForSystem(identity.os, {
    files,
    cwd,
    home,
    mode,
    allowBypass,
    directories,
    allow,
    deny,
    layers,
    trusted,
    searchPath: () => settings.env['PATH'],
    variable: (name) => settings.env[name],
    ...ports,
    searchSkipsDenied: true,
    userRoot: settings.configDir,
  })
}

export type PermissionPortParts = {
  settings: SessionLocation &
    Pick<PermissionSettings, 'failOnAsk' | 'gated' | 'askDetails'> &
    Pick<PermissionConfiguration, 'allow' | 'layers'>
  platform: Platform
  permissions: Permissions
  ask: PermissionPort['ask']
  emitter: RecordingEmitter
  stderr(text: string): void
}

export function createPermissionPort(parts: PermissionPortParts): PermissionPort {
  const { settings, platform, permissions, ask, emitter, stderr } = parts
  return {
    failOnAsk: settings.failOnAsk,
    async decide(call, facts, context) {
      const decision = await permissions.decide(call, facts, context)
      return settings.gated && decision.behavior === 'allow' ? gateQuestion(call.name) : decision
    },
    ask,
    explainRefusal: async (...call) =>
      (await import('./refusal-text.js')).explainRefusalToModel(permissions, settings, ...call),
    ...(settings.askDetails ? { describe: (...call) => describeAsk(permissions, ...call) } : {}),
    async apply(updates) {
      const before = permissions.mode()
      const problems = await permissions.apply(updates)
      if (problems.length === 0) problems.push(...(await savePermissionUpdates(updates, settings, platform)))
      for (const problem of problems) stderr(`${problem}\n`)
      if (permissions.mode() !== before) await emitter.status(permissions.mode())
      return problems
    },
  }
}

/** What would have run is asked all the same; what is denied stays denied. */
function gateQuestion(tool: string): PermissionDecision {
  return {
    behavior: 'ask',
    message: `Claude requested permissions to use ${tool}, but you haven't granted it yet.`,
    reasonType: 'other',
  }
}
