/** MCP servers whose tools would have the same names: none of them runs under a rule that could mean another. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSdkMcpServer, type Options, query, tool } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'

type Names = Record<string, string[]>

/** Lets a model call each of the tools once, where nothing is asked: which of them ran, as `server tool`. */
async function ranOf(
  names: Names,
  called: string[],
  more: Options = {},
): Promise<{ ran: string[]; offered: string[] }> {
  const ran: string[] = []
  const mcpServers = Object.fromEntries(
    Object.entries(names).map(([server, tools]) => [
      server,
      createSdkMcpServer({
        name: 'x',
        tools: tools.map((name) =>
          tool(name, `${name} of ${server}`, { type: 'object' }, async () => {
            ran.push(`${server} ${name}`)
            return { content: [{ type: 'text', text: 'ran' }] }
          }),
        ),
      }),
    ]),
  )
  const offered: { name: string; description: string }[] = []
  await using model = await startModelServer(({ body }) => {
    const tools = (body.tools ?? []) as { name: string; description: string }[]
    offered.splice(0, offered.length, ...tools.filter(({ name }) => name.startsWith('mcp__')))
    const wanted = offered.filter(({ description }) => called.some((one) => description === one))
    return body.messages.length < 2 ? { tools: wanted.map(({ name }) => ({ name, input: {} })) } : 'Done.'
  })
  await using options = testOptions(model, { mcpServers, ...more })
  await collect(query({ prompt: 'Go.', options }))
  return { ran, offered: offered.map(({ name, description }) => `${description}: ${name}`) }
}

/** Everything that is asked is allowed. */
const canUseTool: Options['canUseTool'] = async (_, input) => ({ behavior: 'allow', updatedInput: input })

describe('a server whose name would look like another', () => {
  const rules = ['mcp__a_b', 'mcp__a_b__*', 'mcp__a_b__x']
  for (const order of [
    ['a.b', 'a_b'],
    ['a_b', 'a.b'],
  ])
    it(`approves nothing for either: ${order.join(', then ')}`, async () => {
      const names = Object.fromEntries(order.map((name) => [name, ['x']]))
      for (const rule of rules) {
        const { ran, offered } = await ranOf(names, ['x of a.b', 'x of a_b'], { allowedTools: [rule] })
        assert.deepEqual(ran, [], rule)
        assert.equal(offered.length, 1, 'the second one is not used')
      }
    })

  it('takes nothing from a server that is alone with its name', async () => {
    for (const rule of rules) {
      const { ran } = await ranOf({ 'a.b': ['x'], c: ['x'] }, ['x of a.b', 'x of c'], { allowedTools: [rule] })
      assert.deepEqual(ran, ['a.b x'], rule)
    }
  })
})

describe('a tool whose name reads as one of another server', () => {
  const names = { a: ['b__t', 'own'], a__b: ['t', 'own'] }
  const all = ['b__t of a', 'own of a', 't of a__b', 'own of a__b']

  it('does not run under a rule for the other, nor the other under a rule for it', async () => {
    for (const rule of ['mcp__a', 'mcp__a__*', 'mcp__a__b', 'mcp__a__b__*', 'mcp__a__b__t']) {
      const { ran } = await ranOf(names, all, { allowedTools: [rule] })
      assert.deepEqual(
        ran.filter((one) => one !== 'a own'),
        [],
        rule,
      )
    }
  })

  it('is denied by a rule for either', async () => {
    for (const rule of ['mcp__a__b__t', 'mcp__a__b', 'mcp__a']) {
      const more: Options = { disallowedTools: [rule], canUseTool }
      const { ran } = await ranOf(names, ['b__t of a', 't of a__b'], more)
      assert.deepEqual(ran, [], rule)
    }
  })

  it('is seen by hooks that match the name both would have', async () => {
    const seen: string[] = []
    const deny = async (input: unknown) => {
      seen.push((input as { tool_name: string }).tool_name)
      return { hookSpecificOutput: { hookEventName: 'PreToolUse' as const, permissionDecision: 'deny' as const } }
    }
    const { ran } = await ranOf(names, ['b__t of a', 't of a__b'], {
      hooks: { PreToolUse: [{ matcher: 'mcp__a__b__t', hooks: [deny] }] },
      canUseTool,
    })
    assert.deepEqual([ran, seen.length], [[], 2])
  })

  it('runs when it is asked about', async () => {
    const asked: string[] = []
    const { ran } = await ranOf(names, all, {
      canUseTool: async (name, input, { suggestions }) => {
        asked.push(`${name} ${suggestions?.length ?? 0}`)
        return { behavior: 'allow', updatedInput: input }
      },
    })
    assert.deepEqual(ran.sort(), ['a b__t', 'a own', 'a__b own', 'a__b t'])
    assert.equal(new Set(asked).size, 4)
    assert.ok(asked.includes('mcp__a__b__t 0'), 'no rule is suggested that would approve nothing')
    assert.ok(asked.includes('mcp__a__own 1'))
  })
})

it('a permission prompt tool whose name can mean two servers is refused', async () => {
  await using model = await startModelServer([])
  const server = { type: 'stdio' as const, command: process.execPath, args: ['-e', ''] }
  await using options = testOptions(model, {
    mcpServers: { a: server, a__b: server },
    permissionPromptToolName: 'mcp__a__b__approve',
  })
  const { error } = await collect(query({ prompt: 'Go.', options }))
  assert.match(
    String(error),
    /mcp__a__b__approve \(--permission-prompt-tool\) can mean tools of the MCP servers "a" and "a__b": rename one/,
  )
})
