/**
 * A page on this computer that a browser comes back to after a sign-in elsewhere (RFC 8252): on `localhost` alone, for
 * one answer, which sees how it ended.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RedirectPage = { title: string; text: string; isGood: boolean }

export type RedirectListener = {
  /** With the port it listens on. */
  url: string
  /**
   * Resolves with the parameters of the first request that `check` has nothing against. The browser of any other one is
   * shown what is wrong with it, and nothing else happens. The browser waits until `show`.
   */
  next(check: (query: URLSearchParams) => string | undefined): Promise<URLSearchParams>
  /** Shows the browser that waits how it ended. */
  show(page: RedirectPage): void
  close(): void
}

const PATH = '/callback'
/** Browsers open several connections, and keep them. */
const MAX_CONNECTIONS = 20
const OVER: RedirectPage = {
  title: 'This sign-in is over',
  text: 'Nothing was changed. You can close this page.',
  isGood: false,
}

/** Rejects when the port can't be had. Without a port, a free one is taken. */
export async function listenForRedirect(wanted = 0): Promise<RedirectListener> {
  let check: ((query: URLSearchParams) => string | undefined) | undefined
  let take: (query: URLSearchParams) => void = () => {}
  let waiting: ServerResponse | undefined
  let isTaken = false
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', `http://localhost:${port}`)
    // A page of the web that reaches us under a name of its own is none of ours.
    if (![`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`].includes(request.headers.host ?? ''))
      return void response.writeHead(421).end()
    if (url.pathname !== PATH) return void response.writeHead(404).end()
    if (request.method !== 'GET') return void response.writeHead(405).end()
    if (isTaken || !check) return writePage(response, OVER, 410)
    const problem = check(url.searchParams)
    if (problem !== undefined) return writePage(response, { title: 'Not signed in', text: problem, isGood: false }, 400)
    isTaken = true
    waiting = response
    take(url.searchParams)
  }
  const servers = [createServer(answer)]
  const [first] = servers
  if (!first) throw new Error('no server')
  await listen(first, '127.0.0.1', wanted)
  const { port } = first.address() as AddressInfo // it listens on a port, not on a pipe
  // `localhost` may mean either; on many machines there is only the first.
  const second = createServer(answer)
  await listen(second, '::1', port).then(
    () => servers.push(second),
    () => {},
  )
  for (const server of servers) {
    server.maxConnections = MAX_CONNECTIONS
    server.unref()
  }
  return {
    url: `http://localhost:${port}${PATH}`,
    next(given) {
      check = given
      return new Promise((resolve) => {
        take = resolve
      })
    },
    show(page) {
      if (waiting) writePage(waiting, page, page.isGood ? 200 : 400)
      waiting = undefined
    },
    close() {
      for (const server of servers) {
        server.close()
        server.closeIdleConnections()
      }
    },
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
}

function writePage(response: ServerResponse, { title, text, isGood }: RedirectPage, status: number): void {
  const color = isGood ? '#1a7f37' : '#b42318'
  const style = `body{font:16px/1.5 system-ui,sans-serif;margin:15vh auto;max-width:32rem;padding:0 1rem}h1{font-size:1.4rem;color:${color}}`
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${style}</style><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></html>\n`,
    )
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
