/** `--serve` and `/serve`: the sessions of this process on a page, by the same hub. */
import type { HubFace } from '../../hub/hub-face.js'
import type { SessionClient } from '../desk/session-client.js'
import type { Load } from '../front/front.js'

/** What src/server/serve-hub.ts gives. */
type ServedHub = { serveHub(hub: HubFace, folder: string): Promise<{ url: string; token: string }> }

export async function shareSession(hub: HubFace, { id, cwd }: SessionClient, load: Load): Promise<string> {
  const { serveHub } = (await load('serve-hub')) as ServedHub // the face beside this one
  const { url, token } = await serveHub(hub, cwd)
  return `In a browser: ${url}/#token=${token}\nOn a terminal: kedge attach ${url}/${id}#token=${token}`
}
