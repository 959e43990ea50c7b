// Which test files run when: `npm test` leaves out those that are listed here, each with its reason. `npm run test:all`
// runs them all, and so does CI. A file that is named on the command line runs in any case.

/** What `npm test` still knows about the same capability is in the reason. */
export const ONLY_IN_ALL = {
  'test/acp/bad-input-generated.test.ts': 'each method broken in each way; test/acp/bad-input has a row of each kind',
  'test/badinput/growth-sessions.test.ts': 'plays each case at two sizes; src tests count steps',
  'test/badinput/growth.test.ts': 'plays each case at two sizes; src tests count steps',
  'test/cluster/backup.test.ts': 'restores a whole database; test/cluster/turns covers what is in it',
  'test/cluster/compose.test.ts': 'runs the commands of the compose file; test/cluster/worker-program starts workers',
  'test/cluster/failover.test.ts': 'replicates a database; test/cluster/chaos takes workers away',
  'test/cluster/faults.test.ts': 'two minutes of outages; test/cluster/chaos has ten',
  'test/cluster/lost-machines.test.ts': 'waits for leases to run out; src/cluster/runs tests claims and fencing',
  'test/cluster/mcp-sign-ins.test.ts':
    'two workers, a node and a command; src/cluster/sign-ins tests rows, leases and the key',
  'test/cluster/page.test.ts': 'a browser on a cluster; test/web covers the page, test/cluster/turns the cluster',
  'test/cluster/reader-memory.test.ts': 'sends a log of 15 MB to twenty readers; src/server/events counts bytes',
  'test/cluster/tenants.test.ts': 'waits for limits per second; src/cluster tests limits and budgets',
  'test/cluster/two-versions.test.ts': 'builds a second version; src/cluster tests migrations',
  'test/cluster/waiting-questions.test.ts':
    'kills nodes and workers; test/mcp/waiting-questions and test/hub/left-behind continue such calls in this process',
  'test/sdk/scale.test.ts': 'many sessions at once; test/contract/budgets counts what one takes',
  'test/contract/doc-blocks.test.ts': 'compiles every block of the docs; npm run check looks at the docs',
  'test/contract/growth.test.ts': 'plays each case at two sizes; src tests count steps',
  'test/contract/structure.test.ts': 'npm run check runs the same checks',
  'test/contract/types.test.ts': 'compiles programs of users; npm run check compiles the same types',
  'test/contract/zod-matrix.test.ts': 'compiles with each zod; test/mcp/live runs tools with one',
  'test/e2e/hundred-sessions.test.ts': 'a load test; test/sdk/scale has a smaller one',
  'test/e2e/mcp-orphans.test.ts': 'a process per case; test/sdk/orphans has one of each kind',
  'test/e2e/process-zoo.test.ts': 'two hundred kills; src/platform/processes tests each animal',
  'test/project/cli.test.ts': 'a command per repository; test/project/library opens the same ones in this process',
  'test/project/next-steps.test.ts': 'each step after each repository; test/project/library has the first',
  'test/project/question.test.ts': 'a terminal per question; test/project/library opens the same repositories',
  'test/project/trusted.test.ts': 'a command per repository; test/e2e/folder-trust covers trust',
  'test/mcp/hours.test.ts': 'hours on a fast clock; test/mcp/live has the same calls',
  'test/mcp/huge.test.ts': 'very large results; src/mcp tests the limit',
  'test/mcp/reference-servers.test.ts': 'servers of others; test/mcp/matrix has each feature',
  'test/packaging/code-cache.test.ts': 'packs and installs; test/first-hour runs what is built',
  'test/packaging/packaging.test.ts': 'packs and installs; test/first-hour runs what is built',
  'test/server/generated-client.test.ts': 'generates clients in two languages; test/server/operations calls each route',
  'test/web/docs-site.test.ts': 'builds the site and opens its pages; test/contract/docs-site reads them',
  'test/web/reach.test.ts': 'waits for a connection that is cut; test/server/events resumes streams',
  'test/web/speed.test.ts': 'counts frames; test/web/working shows the same pages',
}

/** Returns the files to run. A part of a path chooses those that contain it, and if only listed files do, these. */
export function chooseFiles(all, { wanted = [], isAll = false } = {}) {
  const quick = (files) => (isAll ? files : files.filter((file) => !Object.hasOwn(ONLY_IN_ALL, file)))
  if (wanted.length === 0) return quick(all)
  const chosen = new Set()
  for (const part of wanted) {
    const named = all.filter((file) => file.includes(part))
    const some = quick(named)
    for (const file of some.length > 0 ? some : named) chosen.add(file)
  }
  return all.filter((file) => chosen.has(file))
}

/** Files beside the source import it, and wait for no build; those of the library start the agent that is built. */
export const needsBuild = (file) => !file.startsWith('src/') || file.startsWith('src/sdk/')
