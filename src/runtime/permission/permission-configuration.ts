/** The part of a session's configuration that its permission rules are made of. */
import type { ConfigurationSourceSettings, PermissionSettings } from '../../protocol/option-table/start-settings.js'
import type { DiscoveredConfiguration, Frozen, SessionLocation } from '../configuration.js'

export type PermissionConfiguration = SessionLocation &
  Frozen<Pick<PermissionSettings, 'mode' | 'allowBypass' | 'directories' | 'allow' | 'deny'>> &
  Pick<ConfigurationSourceSettings, 'trusted'> &
  Pick<DiscoveredConfiguration, 'layers'>
