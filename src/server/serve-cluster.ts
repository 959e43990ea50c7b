/** The server as one of several nodes: sessions are rows, and workers elsewhere run them. */

import { join } from 'node:path'
import { retryWhileUnavailable } from '../cluster/database/database.js'
import { checkSchema } from '../cluster/database/migrations.js'
import { clusterFigures } from '../cluster/hub/cluster-figures.js'
import { findWriteProblem } from '../cluster/hub/cluster-health.js'
import { clusterMetricsText } from '../cluster/hub/cluster-metrics.js'
import { SharedClusterState } from '../cluster/hub/shared-cluster-state.js'
import { openCluster } from '../cluster/open-cluster.js'
import { logWakeName } from '../cluster/store/follow-log.js'
import { homeFolder } from '../platform/home.js'
import { messageOf } from '../protocol/thrown.js'
import { configFolder } from '../sessions/transcript-paths.js'
import type { StoredTokens } from './access/access-tokens.js'
import { buildServer, type KedgeServer, type ServerOptions } from './build-server.js'

export type ClusterServerOptions = ServerOptions & {
  /** `postgres://…`, or `embedded`. */
  database: string
  /** Whose sessions these are. */
  tenant: string
  /** What new sessions are of. */
  app: string
  /** Told that the database is waited for. */
  say?(text: string): void
}

/** Where no session is called so. */
const TOKENS = 'tokens of the server'

export async function createClusterServer({
  database: address,
  tenant,
  app,
  say = () => {},
  ...given
}: ClusterServerOptions): Promise<KedgeServer> {
  const cluster = await openCluster({ database: address, say })
  const { database, wakeUps } = cluster
  const over = new AbortController()
  const own = database.as(tenant)
  const ports = cluster.ports(tenant)
  const tokens = new SharedClusterState<StoredTokens>(
    {
      database: own,
      wakeUps,
      name: 'tokens',
      wakeName: logWakeName(tenant, TOKENS),
      wake: () => ports.wake(tenant, TOKENS),
    },
    { tokens: [], cookies: [] },
  )
  await retryWhileUnavailable(() => tokens.refresh())
  void tokens.follow(over.signal)
  const server = buildServer(
    { folder: folderOf(tenant), ...given },
    {
      hub: cluster.hub(tenant, app),
      tokens,
      problem: () =>
        checkSchema(database).then(
          () => undefined,
          (error: unknown) => messageOf(error),
        ),
      async metrics() {
        const [figures, problem] = await Promise.all([clusterFigures(own), findWriteProblem(own)])
        return clusterMetricsText(figures, problem === undefined)
      },
    },
  )
  return {
    ...server,
    async close(drain) {
      await server.close(drain)
      over.abort()
      await cluster.close()
    },
  }
}

/** Its main token, audit, webhooks and push are the tenant's: nodes of several tenants on one machine share none of it. */
function folderOf(tenant: string): string {
  const { env } = process
  const all = join(configFolder(env, homeFolder(env)), 'server')
  return tenant === 'default' ? all : join(all, 'tenants', tenant)
}
