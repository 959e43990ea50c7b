/** The sessions of a program that has a hub already, on a page: by the same hub, in the same process. */
import type { LocalHub } from '../hub/sessions.js'
import { buildServer } from './build-server.js'

/** Below `folder`, for new sessions. Another port is taken where the usual one is. */
export async function serveHubLocally(hub: LocalHub, folder: string): Promise<{ url: string; token: string }> {
  await hub.openFeed()
  const listen = async (port: number) => {
    const server = buildServer({ roots: [folder], port }, { hub, agents: hub })
    const { url } = await server.listen()
    return { url, token: server.token }
  }
  return listen(4141).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return listen(0)
    throw error
  })
}
