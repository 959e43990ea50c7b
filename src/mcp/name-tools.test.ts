import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toolNameOf } from './clean-text.js'
import type { Server } from './configured-server.js'
import { nameTools } from './name-tools.js'
import type { McpTool } from './server-tool.js'

/** Of a server its name and its tools are looked at. */
function server(name: string, tools: readonly string[]): Server {
  const offer = () => ({ tools: tools.map((tool) => ({ name: tool })) })
  return { name, connection: { offer } } as unknown as Server
}

function namesOf(servers: readonly Server[]): string[] {
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
  const names = [toolNameOf('s', `${long}1`), toolNameOf('s', `${long}2`)]
  assert.deepEqual(
    names.map(({ length }) => length),
    [128, 128],
  )
  assert.notEqual(names[0], names[1])
})
