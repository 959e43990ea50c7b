import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeBlockingBackgroundWork } from '../worker/run-asks.js'
import { clockOffset } from '../worker/worker.js'
import type { ClusterFigures, WorkerFigures } from './cluster-figures.js'
import { describeClusterHealthProblems } from './cluster-health.js'
import { clusterMetricsText } from './cluster-metrics.js'

const worker = (id: string, change: Partial<WorkerFigures> = {}): WorkerFigures => ({
  id,
  host: 'm1',
  version: '1',
  silentMs: 100,
  draining: false,
  capacity: 5,
  load: 1,
  apps: '',
  ...change,
})
const figures = (change: Partial<ClusterFigures> = {}): ClusterFigures => ({
  states: {},
  held: [],
  parked: 0,
  stuck: [],
  crashing: [],
  workers: [worker('w')],
  queued: { count: 0, oldestMs: 0, byApp: [] },
  asks: { open: 0, oldestMs: 0 },
  takeovers: 0,
  fencedWrites: 0,
  tenants: [],
  ...change,
})
const queued = (oldestMs: number, ...apps: string[]) => ({
  queued: { count: apps.length, oldestMs, byApp: apps.map((app) => ({ app, count: 1 })) },
})

test('a cluster that works has no problems', () => {
  const tenants = [{ tenant: 'acme', budget: 5, spent: 4.99, paused: false }]
  assert.deepEqual(describeClusterHealthProblems(figures({ tenants, parked: 2, ...queued(59_000, '') })), [])
})

test('each problem is named with its fix', () => {
  const cases: [RegExp, Partial<ClusterFigures>][] = [
    [/^No worker takes runs\. Start one with `kedge worker`\.$/, { workers: [] }],
    [/^No worker takes runs/, { workers: [worker('w', { draining: true })] }],
    [/^Worker x on m1 is dead: no heartbeat for 40 s\./, { workers: [worker('w'), worker('x', { silentMs: 40_000 })] }],
    [
      /^Tenant acme has spent its budget \(\$5\.00 of \$5\.00\)\. Raise it with `kedge admin tenant --tenant acme --budget/,
      { tenants: [{ tenant: 'acme', budget: 5, spent: 5, paused: false }] },
    ],
    [
      /^Tenant acme is paused\. Let it continue with `kedge admin tenant --tenant acme --resume`\.$/,
      { tenants: [{ tenant: 'acme', budget: null, spent: 5, paused: true }] },
    ],
    [
      /^2 sessions keep their places on a worker, because a sub-agent asks \(such as session s of acme\)\. Answer the request, or end the turn with `kedge admin cancel s --tenant acme`\.$/,
      { held: [{ why: 'a sub-agent asks', count: 2, tenant: 'acme', id: 's' }] },
    ],
    [
      /^1 session keeps its place on a worker, because work in the background would end: npm start \(session s\)\. Wait for the work, or end it with `kedge admin move s`\.$/,
      { held: [{ why: describeBlockingBackgroundWork(['npm start']), count: 1, tenant: 'default', id: 's' }] },
    ],
    [
      /^Session s1 of acme waits, but no request is open\. Continue it with `kedge admin resume s1 --tenant acme`\.$/,
      { stuck: [{ tenant: 'acme', id: 's1' }] },
    ],
    [
      /^Session s1 ended 3 workers in a row, each during this call: Bash {"command":"x"}\. Its turn ends after 5; end it now with `kedge admin cancel s1`\.$/,
      { crashing: [{ tenant: 'default', id: 's1', workers: 3, call: 'Bash {"command":"x"}' }] },
    ],
    [
      /^Session s1 ended 2 workers in a row\. Its turn ends after 5/,
      { crashing: [{ tenant: 'default', id: 's1', workers: 2, call: undefined }] },
    ],
    [/^1 run waits for the app "shop", but no worker has it\./, queued(10, 'shop')],
    [
      /^1 run waits for sessions without an app, but no worker runs these\./,
      { ...queued(10, ''), workers: [worker('w', { apps: 'shop desk' })] },
    ],
    [
      /^A run has been waiting for 61 s\. All workers are full\. Start more workers/,
      { ...queued(61_000, ''), workers: [worker('w', { load: 5 })] },
    ],
    [/^A run has been waiting for 61 s\. Check the limit per tenant/, queued(61_000, '')],
  ]
  for (const [expected, change] of cases) {
    const problems = describeClusterHealthProblems(figures(change))
    assert.equal(problems.length, 1, problems.join('\n'))
    assert.match(problems[0] ?? '', expected)
  }
})

test('metrics have the same problems', () => {
  const text = clusterMetricsText(
    figures({
      ...queued(0, 'shop'),
      held: [{ why: 'a "quoted" reason', count: 3, tenant: 'acme', id: 's' }],
      crashing: [{ tenant: 'acme', id: 's', workers: 2, call: undefined }],
      workers: [worker('w', { load: 5 }), worker('x', { silentMs: 40_000 })],
      tenants: [{ tenant: 'acme', budget: 5, spent: 5, paused: true }],
    }),
    false,
  )
  for (const line of [
    'kedge_cluster_database_writable 0',
    'kedge_cluster_crashing_sessions 1',
    'kedge_cluster_workers 1',
    'kedge_cluster_workers_dead 1',
    'kedge_cluster_workers_full 1',
    'kedge_cluster_queued_runs_without_app 1',
    'kedge_cluster_held_places{reason="a \\"quoted\\" reason"} 3',
    'kedge_cluster_tenant_paused{tenant="acme"} 1',
    'kedge_cluster_tenant_budget_usd{tenant="acme"} 5',
  ])
    assert.ok(text.includes(`${line}\n`), line)
})

test('a clock is only off if the time of the answer can not explain it', () => {
  assert.equal(clockOffset(1500, 1000, 9000), 0)
  assert.equal(clockOffset(8999, 1000, 9000), 0)
  assert.equal(clockOffset(500, 1000, 9000), 500)
  assert.equal(clockOffset(9700, 1000, 9000), 700)
})
