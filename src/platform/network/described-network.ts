/** What is loaded where the environment says something of the network. */
export { createProxyFinder } from './proxies.js'
export { createTlsSettingsReader } from './tls-settings.js'
