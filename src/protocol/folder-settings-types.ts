/** What `folderTrust()` and `resolveSettings()` say of a folder. */
import type { SettingSource } from './options.js'

/** Whether the user trusts a folder, so its project configuration can run. */
export type FolderTrust = {
  /** Its user has said yes, and what it runs has not changed since. */
  isTrusted: boolean
  /** What trust is about, such as `.claude/settings.json (hooks)` and `CLAUDE.md`; empty: there is nothing to trust or not. */
  brings: string[]
  /** The part of it that Kedge doesn't use without trust. Texts for the model need none, and are marked as the project's. */
  withheld: string[]
  /** For a folder that was trusted before: the configuration it runs that has changed since. */
  changed: string[]
}

/** The environment says whose folders they are. Default: `process.env`. */
export type TrustOptions = {
  /** The environment; that of the process if not said. */
  env?: { [name: string]: string | undefined }
}

/** What a settings file holds, under the name that newer releases have for it; docs/settings.md has the keys. */
export type Settings = Record<string, unknown>

/** What `resolveSettings()` is asked. */
export type ResolveSettingsOptions = {
  /** The folder whose project and local settings count. Default: the working directory of the process. */
  cwd?: string
  /** The files that count. Default: all; with `[]`, those of the administrator only. */
  settingSources?: SettingSource[]
  /** Refused, as `query()` refuses it, unless it is empty. */
  managedSettings?: Settings
  /** Refused unless it is empty: Kedge has no settings from a server. */
  serverManagedSettings?: Settings
}

/** Where a setting comes from: `managed` is the file of the administrator. Kedge never says `flag` here. */
export type ResolvedSettingSource = SettingSource | 'managed' | 'flag'

/** Where settings of an administrator come from. Kedge knows the `file`. */
export type PolicySettingsOrigin = 'helper' | 'remote' | 'plist' | 'hklm' | 'file' | 'parent' | 'hkcu'

/** Where the value of one key comes from. */
export type ProvenanceEntry = {
  /** The highest source that says something about the key. */
  source: ResolvedSettingSource
  /** Its file. */
  path?: string
  /** For the administrator's settings: how they got here. */
  policyOrigin?: PolicySettingsOrigin
}

/** What `resolveSettings()` answers. */
export type ResolvedSettings = {
  /** What a query in the folder would go by, if its host trusts the folder. */
  effective: Settings
  /** For each key of `effective`, who says so. Lists and objects are joined: `sources` has the parts. */
  provenance: Partial<Record<string, ProvenanceEntry>>
  /** Every file that was there, the lowest first. */
  sources: (ProvenanceEntry & {
    /** What it says. */
    settings: Settings
  })[]
  /** Whether settings of an administrator are there and could not be read. */
  machinePolicy?: {
    /** Always `false`: where they can't be read, `resolveSettings()` rejects. */
    didNotLoad: false | ('profile' | 'registry' | 'file')[]
  }
}
