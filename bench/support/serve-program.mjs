// The server, or (`--floor`) the least that passes messages on: a WebSocket server that sends what it gets to who listens. Programs of
// their own, which say how much memory they hold when asked.
import { createServer as createHttpServer } from 'node:http'
import { WebSocketServer } from 'ws'

const memory = () => {
  for (let n = 0; n < 4; n += 1) globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { held: heapUsed + external, rss }
}
const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
process.on('message', (what) => process.send?.(what === 'cpu' ? { cpu: cpu() } : { memory: memory() }))

if (process.argv.includes('--floor')) {
  const rooms = new Map()
  const server = createHttpServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket, { url }) => {
    const [, kind, name, count] = url.split('/')
    if (kind === 'read') rooms.set(name, [...(rooms.get(name) ?? []), socket])
    // Many messages of one size, as fast as they are taken.
    if (kind === 'many') void many(socket, Number(name), 'x'.repeat(Number(count)))
    socket.on('message', (data) => {
      const text = String(data)
      for (const reader of rooms.get(JSON.parse(text).session) ?? []) reader.send(text)
    })
  })
  async function many(socket, count, text) {
    for (let n = 0; n < count; n += 1) {
      if (n % 500 === 499) await new Promise((resolve) => socket.send(text, resolve))
      else socket.send(text)
    }
  }
  server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
} else {
  const { createServer } = await import('../../dist/server.js')
  const options = { env: process.env, model: 'claude-sonnet-4-5' }
  const server = createServer({ port: 0, roots: [process.cwd()], options })
  const { port } = await server.listen()
  process.send?.({ port, token: server.token })
}
