// A page that was made for the AI SDK, on Kedge: only its route changes. Start `npx kedge serve --model practice`, then
// KEDGE_SERVER_TOKEN=… node examples/use-chat/server.mjs
import { pathToFileURL } from 'node:url'
import { serve } from '@hono/node-server'
import { build } from 'esbuild'
import { Hono } from 'hono'
import { createChatHandler, toUIMessages } from 'kedge/ai-sdk'
import { createClient } from 'kedge/client'

const HTML = '<!doctype html><title>Chat</title><div id="root"></div><script type="module" src="/page.js"></script>'

export async function createApp({ url, token, cwd }) {
  const entryPoints = [new URL('page.jsx', import.meta.url).pathname]
  const made = await build({ entryPoints, bundle: true, format: 'esm', jsx: 'automatic', write: false })
  const client = createClient({ url, token })
  const handler = createChatHandler(client, {
    // Check here who your user is, and return `undefined` if the chat isn't theirs.
    session: (chatId) => chatId,
    create: { cwd },
  })
  const app = new Hono()
  app.get('/', (c) => c.html(HTML))
  app.get('/page.js', (c) => c.body(made.outputFiles[0].text, 200, { 'content-type': 'text/javascript' }))
  app.get('/api/chat/:id', async (c) => {
    const exists = await client.folderOf(c.req.param('id'))
    const view = client.session(c.req.param('id')).view()
    return c.json(exists === undefined ? [] : toUIMessages(await view.until(() => true)))
  })
  app.all('/api/chat/*', (c) => handler(c.req.raw))
  app.post('/api/chat', (c) => handler(c.req.raw))
  return app
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { KEDGE_URL: url = 'http://127.0.0.1:4141', KEDGE_SERVER_TOKEN: token = '' } = process.env
  const app = await createApp({ url, token, cwd: process.cwd() })
  serve({ fetch: app.fetch, port: 3000, hostname: '127.0.0.1' }, () => console.log('http://127.0.0.1:3000'))
}
