/** A worker of this process: with the public library as what runs turns. */
import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import { KedgeError } from '../../errors.js'
import { startSessionQuery } from '../../hub/session-query.js'
import { homeFolder } from '../../platform/home.js'
import { createPlatformIdentity } from '../../platform/identity.js'
import { nodePlatform } from '../../platform/node-platform.js'
import { VERSION } from '../../platform/version.js'
import type { GetMcpToken } from '../../protocol/mcp-servers.js'
import type { Options } from '../../protocol/options.js'
import { type Cluster, hashText, reportLongDatabaseWait } from '../open-cluster.js'
import { createClusterMcpTokens } from '../sign-ins/cluster-mcp-tokens.js'
import { createClusterSignInStore } from '../sign-ins/cluster-sign-in-store.js'
import { readSignInKey } from '../sign-ins/sign-in-key.js'
import { createWorkspaces } from '../workspace/create-workspaces.js'
import { createPostgresSnapshotIndex } from '../workspace/snapshot-index.js'
import type { App } from './app.js'
import { folderRunFiles, workspaceRunFiles } from './run-files.js'
import { createSharedRateLimit } from './shared-rate-limit.js'
import { Worker } from './worker.js'

export type StartWorkerOptions = {
  cluster: Cluster
  /** Default: one for sessions that name none, with `options`. */
  apps?: readonly App[]
  /** For every agent; what an app says comes on top. */
  options?: Options
  /** Sessions work in these folders and below. Default: anywhere. */
  roots?: readonly string[]
  /** Sessions at a time. Default: 50. */
  capacity?: number
  /** Maximum sessions of one tenant at a time, across all workers. Default: 20. */
  perTenant?: number
  /** How long the answer to an ask is waited for before the turn is parked. Default: 20 s. */
  warmMs?: number
  /** How long an ask stays open. Default: for as long as it takes. */
  askTimeoutMs?: number
  /** Requests to models a minute, over all workers. Default: as many as there are. */
  requestsPerMinute?: number
  /** Where workspaces are on this machine; the same on all of them, if it can be. Default: `.kedge/files` at home. */
  files?: string
  /** Name of this machine for sessions that are tied to a machine's folder. Default: the host name. */
  machine?: string
  beatMs?: number
  silentMs?: number
  say?(text: string, error?: unknown): void
}

export async function startWorker(given: StartWorkerOptions): Promise<Worker & { id: string }> {
  const { cluster, capacity = 50, perTenant = 20, warmMs = 20_000, beatMs = 1000, silentMs = 6000 } = given
  const { apps = [{ name: '', options: () => ({}) }], roots = [], say = () => {} } = given
  const { uuid } = createPlatformIdentity()
  // New at every start: the engine takes two of one name for the same.
  const id = `${hostname()
    .replace(/[^\w.-]/g, '-')
    .slice(0, 60)}-${process.pid}-${randomBytes(4).toString('hex')}`
  const workspaces = createWorkspaces({
    name: given.machine ?? hostname(),
    root: given.files ?? join(homeFolder(process.env), '.kedge', 'files'),
    environment: process.env,
    index: createPostgresSnapshotIndex((tenant) => cluster.database.as(tenant)),
  })
  const worker = new Worker({
    apps,
    capacity,
    perTenant,
    warmMs,
    beatMs,
    silentMs,
    say,
    worker: id,
    host: hostname(),
    version: VERSION,
    database: cluster.database,
    engine: cluster.engine,
    wakeUps: cluster.wakeUps,
    newId: uuid,
    hash: hashText,
    askTimeoutMs: given.askTimeoutMs,
    startQuery: startSessionQuery,
    filesOf(claimed, { workspace: spec }) {
      const { workspace, cwd } = claimed.about
      if (spec === undefined && workspace === undefined) return folderRunFiles(() => checkedFolder(cwd, roots))
      const database = cluster.database.as(claimed.key.tenant)
      return workspaceRunFiles({ database, claimed, workspaces, spec: spec ?? { kind: 'none' } })
    },
    mcpTokens: mcpTokensOf(cluster, uuid),
    options: withRate(given.options ?? {}, cluster, given.requestsPerMinute),
  })
  const done = reportLongDatabaseWait({ say }, cluster.database.name)
  await worker.start().finally(done)
  return Object.assign(worker, { id })
}

/** Without a key on this machine, sessions have no sign-ins of the cluster. */
function mcpTokensOf({ database }: Cluster, newId: () => string): (tenant: string) => GetMcpToken | undefined {
  const key = readSignInKey(process.env)
  if (!key) return () => undefined
  const { clock, network } = nodePlatform()
  return (tenant) => {
    return createClusterMcpTokens(createClusterSignInStore({ database: database.as(tenant), key, clock, newId }), {
      clock,
      network,
    })
  }
}

/** Where the session works, as this machine has it. */
function checkedFolder(cwd: string, roots: readonly string[]): string {
  if (!isAbsolute(cwd) || !existsSync(cwd))
    throw new KedgeError('invalid_cwd', `There is no folder ${cwd} on this machine.`)
  const real = realpathSync(cwd)
  const isInside =
    roots.length === 0 || roots.some((root) => !/^\.\.([/\\]|$)/.test(relative(realpathSync(root), real)))
  if (!isInside) throw new KedgeError('invalid_cwd', `${cwd} is not under the folders of this worker (--root).`)
  return real
}

/** Every request waits for its place in the line of all workers. */
function withRate(options: Options, { database }: Cluster, perMinute: number | undefined): Options {
  if (perMinute === undefined) return options
  const rate = createSharedRateLimit(database.asOperator(), 'requests', perMinute)
  const wait = {
    hooks: [
      async (_input: unknown, _id: unknown, { signal }: { signal: AbortSignal }) => {
        await rate.take(signal)
        return {}
      },
    ],
  }
  const before = options.hooks?.ModelRequest ?? []
  return { ...options, hooks: { ...options.hooks, ModelRequest: [...before, wait] } }
}
