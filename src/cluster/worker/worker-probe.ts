/** Serves a worker's health and metrics over HTTP, for supervisors and Prometheus. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createListenError } from '../../platform/network/listen-error.js'
import type { WorkerLoadAndHeartbeat } from './worker.js'

export type WorkerProbe = { url: string; close(): Promise<void> }

/**
 * Starts the HTTP server of a worker's health and readiness. `host` and `port` are where to listen; port 0 takes a
 * free one. `look` returns `undefined` until the worker has started. The answers contain no secrets and need no
 * token.
 */
export async function startWorkerProbe(
  host: string,
  port: number,
  look: () => WorkerLoadAndHeartbeat | undefined,
): Promise<WorkerProbe> {
  const server = createServer((request, response) => {
    const answer = probeResponse(request.url ?? '', look())
    response.writeHead(answer.status, { 'content-type': 'text/plain; version=0.0.4', 'cache-control': 'no-store' })
    response.end(answer.text)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(createListenError(host, port, error, ' for health and metrics')))
    server.listen(port, host, resolve)
  })
  const { address, family, port: taken } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function probeResponse(
  path: string,
  state: WorkerLoadAndHeartbeat | undefined,
): { status: number; text: string } {
  if (path === '/healthz') {
    const problem = problemOf(state)
    return problem === undefined ? { status: 200, text: 'ok\n' } : { status: 503, text: `${problem}\n` }
  }
  if (path === '/metrics') return { status: 200, text: metricsOf(state) }
  return { status: 404, text: 'This worker serves /healthz and /metrics.\n' }
}

function problemOf(state: WorkerLoadAndHeartbeat | undefined): string | undefined {
  if (!state) return 'The worker is starting.'
  const { silentMs, limitMs } = state
  if (silentMs < limitMs) return undefined
  return `No heartbeat reached the database for ${Math.round(silentMs / 1000)} s. Check the database.`
}

function metricsOf(state: WorkerLoadAndHeartbeat | undefined): string {
  return [
    one('healthy', '1 if a heartbeat reached the database recently.', problemOf(state) === undefined ? 1 : 0),
    ...(state ? metricsOfState(state) : []),
    one('resident_memory_bytes', 'Memory of the process.', process.memoryUsage.rss()),
  ].join('')
}

function metricsOfState({ load, capacity, silentMs, draining }: WorkerLoadAndHeartbeat): string[] {
  return [
    one('sessions', 'Sessions that the worker runs now.', load),
    one('capacity', 'Sessions that the worker can run at a time.', capacity),
    one('draining', '1 while the worker ends and takes no new runs.', Number(draining)),
    one('heartbeat_age_seconds', 'Time since the last heartbeat reached the database.', silentMs / 1000),
  ]
}

function one(name: string, help: string, value: number): string {
  return `# HELP kedge_worker_${name} ${help}\n# TYPE kedge_worker_${name} gauge\nkedge_worker_${name} ${value}\n`
}
