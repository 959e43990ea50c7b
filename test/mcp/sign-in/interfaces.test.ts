/** "Sign in to tracker" where people see it: a terminal, an editor; test/web has the page. With oidc-provider. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { startModelServer, testOptions } from 'kedge/testing'
import { openRig } from '../../acp/rig.js'
import { use } from '../../acp/rows-turn.js'
import { sampledTest as test } from '../../support/tier.js'
import { noTerminal, openPty } from '../../terminal/pty.js'
import { visit } from './browser.js'
import { configureServers, recordingBrowser } from './command.js'
import { type OidcWorld, startOidcWorld } from './oidc-world.js'

const serversOf = (world: OidcWorld) => ({ tracker: { type: 'http' as const, url: world.server.url } })

describe('in a terminal', { skip: noTerminal }, () => {
  test('a key begins it, the browser opens, and the tool works in the same session', async () => {
    await using world = await startOidcWorld()
    await using server = await startModelServer(({ body }) => {
      const said = JSON.stringify(body.messages.at(-1))
      if (said.includes('tool_result')) return said.includes('did read') ? 'It did read.' : 'It did not.'
      return said.includes('use it') ? { tools: [{ name: 'mcp__tracker__read', input: {} }] } : 'I wait.'
    })
    await using options = testOptions(server)
    configureServers(options, serversOf(world))
    const browser = recordingBrowser(options)
    const args = ['--allowedTools', 'mcp__tracker']
    await using pty = await openPty({ cwd: options.cwd, env: { ...options.env, ...browser.more }, args })
    await pty.see('for help')
    pty.type('hello\r')
    await pty.see('Sign in to tracker')
    await pty.rest()
    await pty.see('Sign in with a code')
    pty.type('\r')
    await pty.see('Kedge continues when you are back')
    assert.match((await visit(await browser.opened())).text, /Signed in to tracker/)
    await pty.see('Signed in to tracker.')
    pty.type('use it\r')
    await pty.see('It did read.')
    const said = pty.raw()
    const tokens = world.server.tokens.flatMap((one) => (one === undefined ? [] : [one.replace('Bearer ', '')]))
    assert.ok(tokens.length > 0 && !tokens.some((token) => said.includes(token)))
  })
})

describe('in an editor', () => {
  for (const kind of ['rich', 'poor'] as const) {
    test(`${kind} client: choices, the page, and the tool works in the same session`, async () => {
      await using world = await startOidcWorld()
      await using rig = await openRig(kind, { prepare: (options) => configureServers(options, serversOf(world)) })
      const seen: string[] = []
      rig.person.permission = async ({ toolCall, options }) => {
        const text = JSON.stringify(toolCall)
        seen.push(`${toolCall.title}: ${options.map(({ name }: { name: string }) => name).join(', ')}`)
        const start = options.find(({ name }: { name: string }) => name === 'Sign in')
        if (start) return { outcome: { outcome: 'selected', optionId: start.optionId } }
        const address = /http:[^"\\]+\/auth\?[^"\\]+/.exec(text)?.[0]
        if (kind === 'poor' && address) void visit(address)
        // It waits, until the browser is back and the request is withdrawn.
        return new Promise(() => {})
      }
      rig.person.elicitation = async ({ mode, url }) => {
        seen.push(mode)
        void visit(url)
        return { action: 'accept' }
      }
      const session = await rig.begin({ _meta: { claudeCode: { options: { allowedTools: ['mcp__tracker'] } } } })
      await session.play(['Hello.'])
      const told = kind === 'rich' ? 'notice' : 'agent_thought_chunk'
      await session.update(told, (update) => JSON.stringify(update).includes('Signed in to tracker'))
      const played = await session.play([use('mcp__tracker__read', {}), 'Done.'])
      assert.match(JSON.stringify(played.updates()), /did read/)
      assert.equal(seen[0], 'Sign in to tracker: Sign in, Sign in with a code, Not now')
      if (kind === 'rich') assert.ok(seen.includes('url'), seen.join('\n'))
    })
  }
})
