/** The way from this machine to others: proxies, authorities, certificates. Most machines need none of it, and load nothing for it. */
import type { SyncFiles } from '../files/file-system.js'
import type { ProxyServer } from './proxies.js'
import type { TlsSettings } from './tls-settings.js'

export type { ProxyServer } from './proxies.js'
export type { TlsSettings } from './tls-settings.js'

export type NetworkSettings = {
  /** Undefined: straight. Throws a `ConfigurationError` where a variable can't be used. */
  proxyFor(url: URL): ProxyServer | undefined
  /** Undefined: as Node does it by itself. */
  secured(): Promise<TlsSettings | undefined>
}

/** No proxies, and the authorities that are built in. */
export const directNetwork: NetworkSettings = { proxyFor: () => undefined, secured: async () => undefined }

const VARIABLES = /^(?:https?_proxy|all_proxy|CLAUDE_CODE_CLIENT_CERT|CLAUDE_CODE_CLIENT_KEY|KEDGE_EXTRA_CA_CERTS)$/i

/**
 * Returns the network settings: as the environment of a session describes it. Rejects with a `ConfigurationError`
 * that names the variable.
 */
export async function readNetworkSettings(
  env: Readonly<Record<string, string | undefined>>,
  files: Pick<SyncFiles, 'readTextSync'>,
): Promise<NetworkSettings> {
  if (!Object.keys(env).some((name) => VARIABLES.test(name) && env[name])) return directNetwork
  const { createProxyFinder, createTlsSettingsReader } = await import('./described-network.js')
  return { proxyFor: createProxyFinder(env), secured: createTlsSettingsReader(env, files) }
}
