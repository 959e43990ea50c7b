/** A question of an MCP server on a cluster: node and worker that asked are killed, others answer and finish the call. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { createTestDatabase } from '../../src/cluster/test-database.js'
import type { Ask } from '../../src/protocol/session-log/ask-types.js'
import { startAskingServer, startLiveServer } from '../mcp/servers/asking.js'
import { eventually } from '../support/eventually.js'
import { callNode, openPlace, startNode, startWorkerProgram } from './programs.js'

/** A place whose sessions have one server, and a model that calls one of its tools. */
async function openCluster(url: string, tool: string) {
  const tables = await createTestDatabase()
  const read: string[] = []
  const place = await openPlace(tables.url, ({ body }) => {
    const said = JSON.stringify(body.messages.at(-1))
    if (!said.includes('tool_result')) return { tools: [{ name: `mcp__s__${tool}`, input: { app: 'shop' } }] }
    read.push(said)
    return 'It is done.'
  })
  const options = { settingSources: [], allowedTools: ['mcp__s'], mcpServers: { s: { type: 'http', url } } }
  writeFileSync(place.app, `export default { name: '', options: () => (${JSON.stringify(options)}) }`)
  const programs: { end(signal: NodeJS.Signals): Promise<unknown> }[] = []
  const running = <T extends (typeof programs)[number]>(program: T): T => {
    programs.push(program)
    return program
  }
  return {
    read,
    node: async () => running(await startNode(place)),
    worker: async (...flags: string[]) => running(await startWorkerProgram(place, ...flags)),
    async begin(node: string) {
      const { id } = (await callNode(node, 'POST', '/v1/sessions', { cwd: place.folder })).json
      await callNode(node, 'POST', `/v1/sessions/${id}/prompts`, { id: 'one', content: 'Deploy it.' })
      return String(id)
    },
    log: async (node: string, session: string) =>
      (await callNode(node, 'GET', `/v1/sessions/${session}/log?limit=10000`)).text,
    async [Symbol.asyncDispose]() {
      await Promise.all(programs.map((program) => program.end('SIGKILL')))
      await place[Symbol.asyncDispose]()
      await tables.drop()
    },
  }
}

async function openAsk(node: string): Promise<Ask> {
  let ask: Ask | undefined
  await eventually('a question', async () => {
    ask = (await callNode(node, 'GET', '/v1/asks')).json.asks[0]
    return ask !== undefined
  })
  assert.ok(ask)
  return ask
}

const accept = { kind: 'elicitation', action: 'accept', content: { where: 'Kyiv' } }

describe('questions of MCP servers on a cluster', { timeout: 120_000 }, () => {
  for (const [when, ...flags] of [
    ['after the turn is parked'],
    ['while its worker waits', '--warm-seconds', '60'],
  ] as const)
    it(`1 killed ${when}: another node takes the answer, another worker sends the state`, async () => {
      await using server = await startAskingServer()
      await using cluster = await openCluster(server.url, 'deploy')
      const [first, worker] = [await cluster.node(), await cluster.worker(...flags)]
      const session = await cluster.begin(first.url)
      const ask = await openAsk(first.url)
      assert.deepEqual([ask.kind, typeof ask.origin?.key], ['elicitation', 'string'])
      await Promise.all([first.end('SIGKILL'), worker.end('SIGKILL')])

      const node = await cluster.node()
      assert.deepEqual(await openAsk(node.url), ask)
      const path = `/v1/sessions/${session}/asks/${ask.id}/answer`
      assert.equal((await callNode(node.url, 'POST', path, accept)).status, 204)
      await cluster.worker()
      await eventually('the end', async () => (await cluster.log(node.url, session)).includes('"result":"It is done."'))
      assert.equal(cluster.read.length, 1)
      assert.match(cluster.read[0] ?? '', /deployed shop: .*Kyiv/)
      const states = server.of('tools/call').map(({ params }) => params['requestState'])
      assert.deepEqual(states, [undefined, '[]'])
      assert.equal((await cluster.log(node.url, session)).split('"kind":"ask"').length, 2)
    })

  it('2 an older server whose call may change something: it is not repeated, and log and model have why', async () => {
    await using server = await startLiveServer()
    await using cluster = await openCluster(server.url, 'change')
    const [node, worker] = [await cluster.node(), await cluster.worker()]
    const session = await cluster.begin(node.url)
    const ask = await openAsk(node.url)
    await worker.end('SIGKILL')
    await cluster.worker()
    await eventually('the end', async () => (await cluster.log(node.url, session)).includes('"result":"It is done."'))
    assert.match(cluster.read[0] ?? '', /the connection that it waited on ended .*was not repeated/)
    assert.deepEqual(server.calls, ['change'])
    const log = await cluster.log(node.url, session)
    assert.match(log, /The machine that asked is gone\./)
    const late = await callNode(node.url, 'POST', `/v1/sessions/${session}/asks/${ask.id}/answer`, accept)
    assert.equal(late.status, 409)
  })
})
