/** "Sign in to tracker" where people see it: a terminal, a page in a browser, an editor. With oidc-provider. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startModelServer, testOptions } from 'kedge/testing'
import type { LogEntry } from '../../../src/protocol/session-log/entries.js'
import { openRig } from '../../acp/rig.js'
import { use } from '../../acp/rows-turn.js'
import { noTerminal, openPty } from '../../terminal/pty.js'
import { whyNoBrowser } from '../../web/browser.js'
import { startPageStage } from '../../web/page-stage.js'
import { visit } from './browser.js'
import { configureServers, recordingBrowser } from './command.js'
import { type OidcWorld, startOidcWorld } from './oidc-world.js'

const serversOf = (world: OidcWorld) => ({ tracker: { type: 'http' as const, url: world.server.url } })

/** The browser went to the page and back, where the session listens, or to where it can't go. */
async function comeBackElsewhere(address: string): Promise<string> {
  return (await visit(address, new URL(address).searchParams.get('redirect_uri') ?? '')).url
}

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

describe('in the web app', { skip: whyNoBrowser, timeout: 180_000 }, () => {
  test('a click, the page in another tab, and back; the log has no code', async () => {
    await using world = await startOidcWorld()
    await using stage = await startPageStage(
      { hello: ['Hello there.'], 'use it': [{ tools: [{ name: 'mcp__tracker__read', input: {} }] }, 'It is read.'] },
      { options: { mcpServers: serversOf(world), mcpSignIns: true, allowedTools: ['mcp__tracker'] } },
    )
    const session = await stage.begin('hello')
    const page = await stage.open(`#/s/${session}`)
    await page.getByRole('heading', { name: 'Sign in to tracker' }).waitFor()
    await page.locator('button:not([aria-disabled=true])', { hasText: /^Sign in$/ }).click()
    const link = page.getByRole('link', { name: 'Open sign-in page' })
    await link.waitFor()
    const [other] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await other.getByPlaceholder('Enter any login').fill('ada')
    await other.getByPlaceholder('and password').fill('secret')
    await other.locator('button[type=submit]').click()
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.getByRole('heading', { name: 'Signed in to tracker' }).waitFor()
    await page.getByText('Signed in to tracker.').first().waitFor()
    await stage.serving.send(session, 'second', 'use it')
    await page.getByText('It is read.').first().waitFor()
    const log = await stage.serving.ended(session, 'second')
    assert.ok(JSON.stringify(log).includes('did read'))
    await page.context().close()
  })

  test('from another machine: the address that the browser ended at is pasted; then it can be canceled, too', async () => {
    await using world = await startOidcWorld()
    await using stage = await startPageStage(
      { hello: ['Hello there.'] },
      { options: { mcpServers: serversOf(world), mcpSignIns: true } },
    )
    const first = await stage.begin('hello')
    const page = await stage.open(`#/s/${first}`)
    const press = (name: RegExp) => page.locator('button:not([aria-disabled=true])', { hasText: name }).click()
    await press(/^Sign in$/)
    await press(/^Cancel sign-in$/)
    await page.getByText('Not signed in.').first().waitFor()
    const info = await stage.serving.call('GET', `/v1/sessions/${first}`)
    assert.notEqual(info.json.status, 'needs-you')

    const second = await stage.serving.begin({ title: 'another' })
    await stage.serving.send(second, 'first', 'hello')
    await page.goto(`${stage.serving.url}/#/s/${second}`)
    await press(/^Sign in$/)
    const link = page.getByRole('link', { name: 'Open sign-in page' })
    const callback = await comeBackElsewhere((await link.getAttribute('href')) ?? '')
    await page.getByLabel(/paste its address here/).fill(callback)
    await press(/^Finish sign-in$/)
    await page.getByText('Signed in to tracker.').first().waitFor()
    const isOver = (entry: LogEntry) => JSON.stringify(entry).includes('mcp_signed_in')
    const log = JSON.stringify(await stage.serving.log(second, isOver))
    const code = new URL(callback).searchParams.get('code') ?? ''
    assert.ok(code !== '' && !log.includes(code))
    assert.match(log, /"action":"finish"/)
    await page.context().close()
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
