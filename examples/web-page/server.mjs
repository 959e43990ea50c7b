// An agent in a web page: a server of your own with the agent's server in it. `node examples/web-page/server.mjs`, and open the address.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createClient } from 'kedge/client'
import { createServer as createAgentServer } from 'kedge/server'

const TYPES = { 'index.html': 'text/html; charset=utf-8', 'page.js': 'text/javascript', 'page.css': 'text/css' }
/** Scripts and styles of this server alone, and no other host: the elements need nothing more. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src blob:; require-trusted-types-for 'script'"

const http = createServer().listen(process.env.PORT ?? 8080, '127.0.0.1')
await once(http, 'listening')
const host = `localhost:${http.address().port}`
const agents = createAgentServer({ allowHosts: [host], options: { model: process.env.MODEL ?? 'practice' } })
await agents.start()
const admin = createClient({ url: `http://${host}`, token: agents.token })

/** A session, and a token that is for nothing but this session. Here you would look who is signed in. */
async function begin() {
  const { id } = await admin.create({ cwd: process.cwd() })
  const scopes = ['read', 'prompt', 'answer']
  const body = { name: 'visitor', scopes, sessions: [id], expiresInSeconds: 3600 }
  const { token } = await admin.request('POST', '/tokens', { body })
  return { session: id, token }
}

http.on('request', async (request, response) => {
  const name = request.url === '/' ? 'index.html' : request.url.slice(1)
  if (request.method === 'POST' && request.url === '/begin') response.end(JSON.stringify(await begin()))
  else if (Object.hasOwn(TYPES, name)) {
    response.writeHead(200, { 'content-type': TYPES[name], 'content-security-policy': POLICY })
    response.end(await readFile(new URL(name, import.meta.url)))
  } else agents.listener(request, response)
})
console.log(`http://${host}`)
