/** What is loaded where the environment says something of the network. */
export { createProxies } from './proxies.js'
export { createTlsSource } from './trust.js'
