/** `--serve` and `/serve`: the sessions of this process on a page, by the same hub. */
import type { LocalHub } from '../../hub/sessions.js'
import type { LoadTerminalPart } from '../front/early-terminal.js'
import type { SessionClient } from '../sessions/session-client.js'

/** What src/server/serve-hub.ts gives. */
type ServedHub = { serveHubLocally(hub: LocalHub, folder: string): Promise<{ url: string; token: string }> }

export async function shareSession(hub: LocalHub, { id, cwd }: SessionClient, load: LoadTerminalPart): Promise<string> {
  const { serveHubLocally } = (await load('serve-hub')) as ServedHub // exported by src/server/serve-hub.ts
  const { url, token } = await serveHubLocally(hub, cwd)
  return `In a browser: ${url}/#token=${token}\nOn a terminal: kedge attach ${url}/${id}#token=${token}`
}
