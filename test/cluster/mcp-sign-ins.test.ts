/** One node signs in to an MCP server, all workers have it: programs on one database, with oidc-provider. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { createTestDatabase } from '../../src/cluster/test-database.js'
import { visit } from '../mcp/sign-in/browser.js'
import { startOidcWorld } from '../mcp/sign-in/oidc-world.js'
import { eventually } from '../support/eventually.js'
import { readAllRows } from './open-tables.js'
import { callNode, openPlace, type Place, startNode, startProgram, startWorkerProgram } from './programs.js'

const SECRET = 'hunter2-of-a-server'

/** Of all processes: a worker's agents run in it, and its servers below it. */
function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
    .join('\n')
}

async function signInByCode(place: Place, url: string) {
  const args = ['admin', 'mcp-login', 'tracker', '--url', url, '--device', '--tenant', 'default']
  const login = await startProgram(place, args, /^(http:\S+)$/m)
  const ended = once(login.child, 'exit')
  await visit(login.said[1] ?? '')
  await ended
  return login
}

describe('sign-ins to MCP servers on a cluster', { timeout: 180_000 }, () => {
  it('one sign-in for all workers, renewed once, sealed in the database, and on no command line', async () => {
    await using world = await startOidcWorld()
    const tables = await createTestDatabase()
    await using _tables = { [Symbol.asyncDispose]: () => tables.drop() }
    const lines: string[] = []
    await using place = await openPlace(tables.url, ({ body }) => {
      lines.push(commandLines())
      const said = JSON.stringify(body.messages.at(-1))
      if (said.includes('tool_result')) return said.includes('did read') ? 'It did read.' : `It did not: ${said}`
      return { tools: [{ name: 'mcp__tracker__read', input: {} }] }
    })
    place.env['KEDGE_SECRET_MCP_SIGN_INS'] = randomBytes(32).toString('hex')
    // It ends at once: what counts is how it is started.
    const stdio = ''
    writeFileSync(
      place.app,
      `export default { name: '', options: () => ({
        settingSources: [], allowedTools: ['mcp__tracker'],
        mcpServers: {
          tracker: { type: 'http', url: ${JSON.stringify(world.server.url)} },
          silent: { type: 'http', url: 'http://127.0.0.1:9/${SECRET}', headers: { Authorization: 'Bearer ${SECRET}' } },
          program: { command: process.execPath, args: ['-e', ${JSON.stringify(stdio)}], env: { A_SECRET: '${SECRET}' } },
        },
        stderr: (text) => void console.error(text),
        debug: true,
      }) }`,
    )
    const login = await signInByCode(place, world.server.url)
    assert.equal(login.child.exitCode, 0, login.log())
    assert.match(login.out(), /Signed in to tracker, for all sessions of default/)

    const workers = await Promise.all([1, 2].map(() => startWorkerProgram(place, '--capacity', '1')))
    const node = await startNode(place)
    await using _programs = {
      [Symbol.asyncDispose]: async () => void (await Promise.all([...workers, node].map((one) => one.end('SIGKILL')))),
    }
    const begin = async () => {
      const created = await callNode(node.url, 'POST', '/v1/sessions', { cwd: place.folder })
      return String(created.json.id)
    }
    const ask = (session: string, id: string) =>
      callNode(node.url, 'POST', `/v1/sessions/${session}/prompts`, { id, content: 'Use it.' })
    const answered = (session: string, count: number) =>
      eventually('the turn is done', async () => {
        const { text } = await callNode(node.url, 'GET', `/v1/sessions/${session}/log?limit=10000`)
        assert.ok(!text.includes('It did not'), workers.map((one) => one.log()).join('----'))
        return text.split('"result":"It did read."').length > count
      })
    const sessions = [await begin(), await begin()]
    await Promise.all(sessions.map((session) => ask(session, 'first')))
    await Promise.all(sessions.map((session) => answered(session, 1)))

    const [old = ''] = world.server.tokens.flatMap((one) => one?.replace('Bearer ', '') ?? []).slice(-1)
    world.server.refused.add(old)
    const tokenRequests = () => world.asked.filter((path) => path === 'POST /token').length
    const before = tokenRequests()
    await Promise.all(sessions.map((session) => ask(session, 'second')))
    await Promise.all(sessions.map((session) => answered(session, 2)))
    // A second one with the same refresh token would have ended the whole sign-in there.
    assert.equal(tokenRequests() - before, 1)

    const tokens = [...new Set(world.server.tokens.flatMap((one) => one?.replace('Bearer ', '') ?? []))]
    assert.ok(tokens.length >= 2, 'the renewed token was used')
    const { database } = await readAllRows(tables)
    const printed = [login.out(), login.log(), node.log(), ...workers.map((one) => one.log() + one.out())].join('\n')
    for (const secret of [...tokens, place.env['KEDGE_SECRET_MCP_SIGN_INS'] ?? '']) {
      assert.ok(!database.includes(secret), 'the database has no secret')
      assert.ok(!printed.includes(secret), 'nothing printed has one')
    }
    assert.ok(lines.length > 0 && lines.some((one) => one.includes('kedge.cjs')), 'the programs were looked at')
    for (const secret of [SECRET, world.server.url, ...tokens])
      assert.ok(!lines.some((one) => one.includes(secret) && !one.includes('mcp-login')), 'a command line has a secret')

    const out = await startProgram(place, ['admin', 'mcp-logout', 'tracker'], /(Signed out of tracker)/)
    await out.end('SIGTERM')
    assert.equal(world.asked.filter((path) => path === 'POST /token/revocation').length, 2)
  })
})
