/** The server that the web app came from, by the client of its API: the one way in which the web app calls it. */
import { createClient } from '../../src/client/create-client.js'
import { pageKey } from './page-key.js'
import { store, stored, storedKeys, toClientStorage } from './stored.js'

export const serverClient = createClient({
  pageKey,
  // Browsers open six connections to a server at most, and each stream over HTTP would take one.
  stream: 'websocket',
  storage: toClientStorage({ store, stored, storedKeys }),
})

/** A link could not send the key of the page, so the page fetches the file and hands it to the browser. */
export async function downloadExport(session: string): Promise<void> {
  const address = URL.createObjectURL(await serverClient.export(session))
  const link = Object.assign(document.createElement('a'), { href: address, download: `${session}.ndjson` })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
