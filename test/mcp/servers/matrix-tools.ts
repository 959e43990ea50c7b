/** The tools every server of the matrix has, on a server object of the MCP library: one of each kind of behavior. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from 'kedge'
import { z } from 'zod'

export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const BIG = `start ${'0123456789'.repeat(200_000)} end`
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

/** What the process knows of all its connections; a fresh one starts at zero. */
export type Counts = { connections: number; aborted: number; started: number }
export const newCounts = (): Counts => ({ connections: 0, aborted: 0, started: 0 })

type Report = (progress: number, total: number, message: string) => Promise<void>
type Handler = (
  args: { word?: string; ms?: number },
  extra: { signal: AbortSignal; report: Report },
) => Promise<CallToolResult>

/** Handlers by name; `crash` ends the connection while the call runs, `grow` adds a tool. */
export function handlers(counts: Counts, { crash, grow }: { crash(): void; grow(): void }): Record<string, Handler> {
  const until = (ms: number, signal: AbortSignal) =>
    new Promise<CallToolResult>((resolve) => {
      const timer = setTimeout(() => resolve(text('slept')), ms)
      signal.addEventListener('abort', () => {
        counts.aborted += 1
        clearTimeout(timer)
        resolve(text('woken'))
      })
    })
  return {
    echo: async ({ word = '' }) => text(`echo: ${word}`),
    error: async () => ({ ...text('it did not work'), isError: true }),
    throw: async () => {
      throw new Error('the handler threw')
    },
    sleep: async ({ ms = 60_000 }, { signal }) => {
      counts.started += 1
      return until(ms, signal)
    },
    progress: async (_, { signal, report }) => {
      await report(1, 2, 'half of it')
      await until(2600, signal)
      await report(2, 2, 'all of it')
      return text('done')
    },
    big: async () => text(BIG),
    image: async () => ({
      content: [
        { type: 'text', text: 'a pixel' },
        { type: 'image', data: PIXEL, mimeType: 'image/png' },
      ],
    }),
    crash: async (_, { signal }) => {
      crash()
      return until(60_000, signal)
    },
    grow: async () => {
      grow()
      return text('grown')
    },
    counts: async () => text(JSON.stringify(counts)),
  }
}

export const shapes: Record<string, z.ZodRawShape> = {
  echo: { word: z.string().optional() },
  sleep: { ms: z.number().optional() },
}

/** A server object of the MCP library v1. */
export function libraryServer(counts: Counts, crash: () => void): McpServer {
  const server = new McpServer({ name: 'matrix', version: '1.0.0' })
  const grow = () => server.registerTool('grown', {}, async () => text('a new tool'))
  for (const [name, handler] of Object.entries(handlers(counts, { crash, grow }))) {
    server.registerTool(
      name,
      { inputSchema: shapes[name] ?? {} },
      async (args, { signal, _meta, sendNotification }) => {
        const report: Report = async (progress, total, message) => {
          if (_meta?.progressToken === undefined) return
          const params = { progressToken: _meta.progressToken, progress, total, message }
          await sendNotification({ method: 'notifications/progress', params })
        }
        return handler(args, { signal, report })
      },
    )
  }
  server.server.oninitialized = () => {
    counts.connections += 1
  }
  return server
}
