// A chat with approvals on kedge/react, served by Hono. The page calls Kedge's API through this server, which adds the token: the
// browser never has it. Start `npx kedge serve --model practice`, then KEDGE_SERVER_TOKEN=… node examples/react-chat/server.mjs
import { pathToFileURL } from 'node:url'
import { serve } from '@hono/node-server'
import { build } from 'esbuild'
import { Hono } from 'hono'

const HTML = '<!doctype html><title>Chat</title><div id="root"></div><script type="module" src="/page.js"></script>'

export async function createApp({ url, token, cwd }) {
  const entryPoints = [new URL('page.jsx', import.meta.url).pathname]
  const made = await build({ entryPoints, bundle: true, format: 'esm', jsx: 'automatic', write: false })
  const app = new Hono()
  app.get('/', (c) => c.html(HTML))
  app.get('/page.js', (c) => c.body(made.outputFiles[0].text, 200, { 'content-type': 'text/javascript' }))
  app.get('/cwd', (c) => c.text(cwd))
  app.all('/v1/*', async (c) => {
    // Check here who your user is, and which sessions are theirs.
    const { pathname, search } = new URL(c.req.url)
    const headers = new Headers({ authorization: `Bearer ${token}` })
    for (const name of ['accept', 'content-type', 'last-event-id']) {
      const value = c.req.header(name)
      if (value !== undefined) headers.set(name, value)
    }
    const { method } = c.req.raw
    const body = method === 'GET' || method === 'HEAD' ? undefined : await c.req.text()
    const { status, headers: given, body: stream } = await fetch(url + pathname + search, { method, headers, body })
    return new Response(stream, { status, headers: { 'content-type': given.get('content-type') ?? '' } })
  })
  return app
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { KEDGE_URL: url = 'http://127.0.0.1:4141', KEDGE_SERVER_TOKEN: token = '' } = process.env
  const app = await createApp({ url, token, cwd: process.cwd() })
  serve({ fetch: app.fetch, port: 3000, hostname: '127.0.0.1' }, () => console.log('http://127.0.0.1:3000'))
}
