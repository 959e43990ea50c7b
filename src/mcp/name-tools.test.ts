import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toNamePart, toPrefixedMcpToolName } from './clean-text.js'
import type { SessionMcpServer } from './configured-server.js'
import { nameTools } from './name-tools.js'
import type { McpTool } from './server-tool.js'

/** Of a server its name and its tools are looked at. */
function server(name: string, tools: readonly string[]): SessionMcpServer {
  const offer = () => ({ tools: tools.map((tool) => ({ name: tool })) })
  const owns = (toolName: string) => toolName.startsWith(`mcp__${toNamePart(name)}__`)
  return { name, owns, connection: { offer } } as unknown as SessionMcpServer
}

function namesOf(servers: readonly SessionMcpServer[]): string[] {
  const make = (name: string) => ({ definition: { name } }) as unknown as McpTool
  return nameTools(servers, make).list.map(({ definition }) => definition.name)
}

test('of two tools that would have one name always the same gets the longer one, whichever server came first', () => {
  const [a, b] = [server('a b', ['x']), server('a.b', ['x'])]
  const one = namesOf([a, b])
  const other = namesOf([b, a])
  assert.deepEqual(new Set(one), new Set(other))
  assert.equal(one[0], 'mcp__a_b__x')
  assert.match(one[1] ?? '', /^mcp__a_b__x_[0-9a-f]{8}$/)
  assert.equal(other[1], 'mcp__a_b__x')
})

test('a tool that its server lists twice is there once', () => {
  assert.deepEqual(namesOf([server('s', ['x', 'x', 'y'])]), ['mcp__s__x', 'mcp__s__y'])
})

test('a name that is too long is cut, and two that begin alike stay two', () => {
  const long = 'x'.repeat(200)
  const names = [toPrefixedMcpToolName('s', `${long}1`), toPrefixedMcpToolName('s', `${long}2`)]
  assert.deepEqual(
    names.map(({ length }) => length),
    [128, 128],
  )
  assert.notEqual(names[0], names[1])
})

test("a name that reads as a tool of another server is that server's, even while it offers nothing", () => {
  const [a, idle] = [server('a', ['b__t', 'plain']), server('a__b', [])]
  assert.deepEqual(namesOf([a]), ['mcp__a__b__t', 'mcp__a__plain'])
  const [moved, plain] = namesOf([a, idle])
  assert.match(moved ?? '', /^mcp__a__b__t_[0-9a-f]{8}$/)
  assert.equal(plain, 'mcp__a__plain')
  assert.deepEqual(namesOf([a, server('a__b', ['t'])]), [moved, plain, 'mcp__a__b__t'])
})

test('of two tools of one server the one that is called so has the name', () => {
  assert.match(namesOf([server('s', ['x.y', 'x_y'])])[0] ?? '', /^mcp__s__x_y_[0-9a-f]{8}$/)
  assert.equal(namesOf([server('s', ['x.y', 'x_y'])])[1], 'mcp__s__x_y')
})
