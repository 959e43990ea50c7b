/** What makes an MCP server the same one as before, whatever it's called. */
import type { ServerConfig } from './server-config.js'

/** Returns what makes a server this one, and another of the same name another: its program or address. */
export function serverIdentity(config: ServerConfig): string {
  if (config.type === 'sdk') return 'sdk'
  return JSON.stringify('command' in config ? [config.command, config.args] : [config.url]).slice(0, 500)
}
