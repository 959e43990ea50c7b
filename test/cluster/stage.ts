/** A cluster in this process: the real database and engine, one worker, the scripted model. */
import {
  type ModelHandler,
  type ModelServer,
  type Step,
  startModelServer,
  type TestOptions,
  testOptions,
} from 'kedge/testing'
import type { ClusterHub } from '../../src/cluster/hub/cluster-hub.js'
import { type Cluster, openCluster } from '../../src/cluster/open-cluster.js'
import { createTestDatabase, type TestDatabase } from '../../src/cluster/test-database.js'
import { type StartWorkerOptions, startWorker } from '../../src/cluster/worker/start-worker.js'
import type { SessionSpec } from '../../src/hub/session-types.js'

export type Stage = AsyncDisposable & {
  tables: TestDatabase
  cluster: Cluster
  hub: ClusterHub
  server: ModelServer
  options: TestOptions
  begin(spec?: Partial<SessionSpec>): Promise<string>
}

export type StageOptions = Omit<Partial<StartWorkerOptions>, 'cluster'> & {
  withoutWorker?: boolean
  /** Instead of one in the PostgreSQL that all tests share. */
  tables?: TestDatabase
}

export async function openStage(
  steps: Step[] | ModelHandler,
  { withoutWorker = false, tables: own, ...given }: StageOptions = {},
): Promise<Stage> {
  const server = await startModelServer(steps)
  const options = testOptions(server, { model: 'claude-sonnet-4-5-20250929', ...given.options })
  const tables = own ?? (await createTestDatabase())
  const cluster = await openCluster({ database: tables.url, connections: 5 })
  // A machine that stands still for seconds is no silence, where a test does not ask for one.
  const worker = withoutWorker
    ? undefined
    : await startWorker({ cluster, warmMs: 50, silentMs: 60_000, ...given, options })
  const hub = cluster.hub('acme')
  return {
    tables,
    cluster,
    hub,
    server,
    options,
    begin: async (spec = {}) => (await hub.create({ cwd: options.cwd, ...spec })).id,
    async [Symbol.asyncDispose]() {
      await hub.end()
      await worker?.stop(5000)
      await cluster.close()
      await tables.drop()
      await options[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}
