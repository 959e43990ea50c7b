/** The part of a session's configuration that its permission rules are made of. */
import type { PermissionSettings, SourceSettings } from '../../protocol/option-table/start-settings.js'
import type { DiscoveredConfiguration, Frozen, SessionLocation } from '../configuration.js'

export type PermissionConfiguration = SessionLocation &
  Frozen<Pick<PermissionSettings, 'mode' | 'allowBypass' | 'directories' | 'allow' | 'deny'>> &
  Pick<SourceSettings, 'trusted'> &
  Pick<DiscoveredConfiguration, 'layers'>
