/** Puts the layers of settings together: what one layer forbids the others, and what all of them say as one. */
import type { KnownSettings } from './keys/known-keys.js'
import { mergeSettings } from './merge-layers.js'
import type { SettingsSource } from './setting-problems.js'

export type SettingsLayer = {
  source: SettingsSource
  /** The file, or `--settings` for text on the command line. */
  file: string
  /** Where a pattern `/x` in a rule of this layer starts. */
  root: string
  /** It may have come with the folder. */
  repository: boolean
  settings: KnownSettings
}

const isManaged = ({ source }: SettingsLayer) => source === 'managedSettings'

export function applyManagedRestrictions(layers: readonly SettingsLayer[]): SettingsLayer[] {
  const managed = mergeSettings(layers.filter(isManaged).map(({ settings }) => settings))
  return layers.map((layer) => {
    if (isManaged(layer)) return layer
    const { hooks, ...rest } = layer.settings
    let settings: KnownSettings = managed.allowManagedHooksOnly ? rest : layer.settings
    if (managed.allowManagedPermissionRulesOnly) settings = withoutPermissions(settings, ['allow'])
    if (managed.allowManagedMcpServersOnly) {
      const { allowedMcpServers: _, ...others } = settings
      settings = others
    }
    return { ...layer, settings }
  })
}

/** The highest layer first. */
export function composeSettings(layers: readonly SettingsLayer[]): KnownSettings {
  const merged = mergeSettings(layers.map(({ settings }) => settings))
  if (!merged.sandbox) return merged
  const { sandbox } = merged
  const own = mergeSettings(layers.filter(({ repository }) => !repository).map(({ settings }) => settings)).sandbox
  const managed = mergeSettings(layers.filter(isManaged).map(({ settings }) => settings)).sandbox
  // When only a repository turned the sandbox on, commands must not stop to ask because of that.
  const quiet = sandbox.enabled && !own?.enabled && own?.autoAllowBashIfSandboxed === undefined
  const network = sandbox.network?.allowManagedDomainsOnly && {
    network: { ...sandbox.network, allowedDomains: managed?.network?.allowedDomains ?? [] },
  }
  return { ...merged, sandbox: { ...sandbox, ...(quiet && { autoAllowBashIfSandboxed: false }), ...network } }
}

/** The permission rules of each layer, as the permission engine takes them. */
export function permissionRulesOfLayers(layers: readonly SettingsLayer[]) {
  return layers.map(({ source, root, settings: { permissions: { allow, deny, ask } = {} } }) => {
    return { source, root, allow, deny, ask }
  })
}

function withoutPermissions(settings: KnownSettings, dropped: readonly string[]): KnownSettings {
  if (!settings.permissions) return settings
  const kept = Object.entries(settings.permissions).filter(([key]) => !dropped.includes(key))
  return { ...settings, permissions: Object.fromEntries(kept) }
}
