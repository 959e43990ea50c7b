/** An MCP server with one tool, which never answers. It hears neither signals nor the end of its input, and has a child. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
spawn('sleep', ['300'], { stdio: 'ignore', detached: true })
setInterval(() => undefined, 1000)
process.stdout.on('error', () => undefined)

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const answer = (result: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
  if (method === 'initialize') {
    const { protocolVersion } = params
    answer({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'deaf', version: '1' } })
  }
  if (method === 'tools/list') answer({ tools: [{ name: 'wait', inputSchema: { type: 'object' } }] })
})
