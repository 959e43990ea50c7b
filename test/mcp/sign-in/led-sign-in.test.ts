/** Sign-ins in a running session, which its host leads (`onMcpSignIn`), with oidc-provider. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { McpSignInAnswer, McpSignInRequest, OnMcpSignIn, Options, SDKMessage } from 'kedge'
import { eventually } from '../../support/eventually.js'
import { openSession } from '../session.js'
import { visit } from './browser.js'
import { signInFile } from './command.js'
import { type OidcWorld, startOidcWorld } from './oidc-world.js'

type Asked = McpSignInRequest & { signal: AbortSignal; answer(answer: McpSignInAnswer): void }

/** A host that answers when a test says so. */
function leadingHost() {
  const asked: Asked[] = []
  const onMcpSignIn: OnMcpSignIn = (request, { signal }) =>
    new Promise((answer) => void asked.push({ ...request, signal, answer }))
  return {
    onMcpSignIn,
    asked,
    /** The request at this place, once it is there. */
    async at(place: number): Promise<Asked> {
      await eventually(`request ${place} of the host`, () => asked.length > place)
      const found = asked[place]
      assert.ok(found)
      return found
    },
  }
}

function open(world: OidcWorld, more: Options) {
  const tracker = { type: 'http', url: `${world.server.url}` } as const
  return openSession({
    mcpServers: { tracker },
    mcpSignIns: true,
    allowedTools: ['mcp__tracker'],
    includeNotices: true,
    ...more,
  })
}

const noticesIn = (messages: readonly SDKMessage[]) =>
  messages.flatMap((one) => (one.type === 'system' && one.subtype === 'informational' ? [String(one.code)] : []))

describe('onMcpSignIn (mcp_sign_in, --mcp-sign-in-requests), with oidc-provider', () => {
  for (const isolation of ['in-process', 'process'] as const) {
    test(`${isolation}: offered, begun, led through the browser, and connected in the same session`, async () => {
      await using world = await startOidcWorld()
      const host = leadingHost()
      await using session = await open(world, { onMcpSignIn: host.onMcpSignIn, isolation })
      const offer = await host.at(0)
      assert.deepEqual(
        [offer.server, offer.url, offer.step, offer.address],
        ['tracker', world.server.url, 'offer', undefined],
      )
      assert.deepEqual(
        world.asked.filter((path) => path === 'POST /reg'),
        [],
        'nothing is registered before the user wants it',
      )
      offer.answer({ action: 'start' })
      const page = await host.at(1)
      assert.deepEqual([page.step, page.canPaste], ['visit', true])
      assert.equal(new URL(page.address ?? '').origin, world.issuer)
      assert.match((await visit(page.address ?? '')).text, /Signed in to tracker/)
      await session.until('tracker', ({ status }) => status === 'connected')
      assert.equal(page.signal.aborted, true)
      const { text, messages } = await session.call('mcp__tracker__read')
      assert.equal(text, 'did read')
      assert.ok(noticesIn(messages).includes('mcp_signed_in'), noticesIn(messages).join())
      assert.equal(host.asked.length, 2)
    })
  }

  test('the address is pasted; that of another sign-in is not taken, and is asked for again', async () => {
    await using world = await startOidcWorld()
    const host = leadingHost()
    await using session = await open(world, { onMcpSignIn: host.onMcpSignIn })
    ;(await host.at(0)).answer({ action: 'start' })
    const page = await host.at(1)
    const redirect = new URL(page.address ?? '').searchParams.get('redirect_uri') ?? ''
    const { url } = await visit(page.address ?? '', redirect)
    const foreign = new URL(url)
    foreign.searchParams.set('state', 'of another sign-in')
    page.answer({ action: 'finish', callback: foreign.href })
    const again = await host.at(2)
    assert.match(String(again.problem), /another sign-in/)
    assert.equal(again.address, page.address)
    again.answer({ action: 'finish', callback: url })
    assert.equal((await session.until('tracker', ({ status }) => status === 'connected')).status, 'connected')
  })

  test('with a code on another device', async () => {
    await using world = await startOidcWorld()
    const host = leadingHost()
    await using session = await open(world, { onMcpSignIn: host.onMcpSignIn })
    ;(await host.at(0)).answer({ action: 'start', method: 'device' })
    const page = await host.at(1)
    assert.equal(page.canPaste, undefined)
    assert.match(String(page.code), /^[A-Z]{4}-[A-Z]{4}$/)
    await visit(page.address ?? '')
    await session.until('tracker', ({ status }) => status === 'connected')
    assert.equal((await session.call('mcp__tracker__read')).text, 'did read')
  })

  test('not now: nothing is begun, and nobody is asked again, until the server is connected again on request', async () => {
    await using world = await startOidcWorld()
    const host = leadingHost()
    await using session = await open(world, { onMcpSignIn: host.onMcpSignIn })
    ;(await host.at(0)).answer({ action: 'cancel' })
    const { messages } = await session.say('Go on.')
    assert.ok(noticesIn(messages).includes('mcp_needs_sign_in') || noticesIn(messages).length === 0)
    await session.say('And on.')
    assert.deepEqual([host.asked.length, world.asked.includes('POST /reg')], [1, false])
    await session.running.reconnectMcpServer('tracker').catch(() => {})
    ;(await host.at(1)).answer({ action: 'cancel' })
    assert.equal(host.asked[1]?.step, 'offer')
  })

  test('canceled on the way, or refused by the authorization server: not signed in, and nothing is kept', async () => {
    await using world = await startOidcWorld()
    const host = leadingHost()
    await using session = await open(world, { onMcpSignIn: host.onMcpSignIn })
    ;(await host.at(0)).answer({ action: 'start' })
    const page = await host.at(1)
    const back = new URL(new URL(page.address ?? '').searchParams.get('redirect_uri') ?? '')
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('state', new URL(page.address ?? '').searchParams.get('state') ?? '')
    await visit(back.href)
    const second = await host.at(2)
    assert.deepEqual([second.step, /access_denied/.test(String(second.problem))], ['offer', true])
    second.answer({ action: 'start' })
    ;(await host.at(3)).answer({ action: 'cancel' })
    const { messages } = await session.say('Go on.')
    assert.ok(!noticesIn(messages).includes('mcp_signed_in'))
    assert.equal((await session.until('tracker', ({ status }) => status !== 'pending')).status, 'needs-auth')
    const file = signInFile(session.options)
    const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).signIns : []
    assert.deepEqual(kept, [])
  })

  test('the session ends while a user is being asked: the query ends, and the request is withdrawn', async () => {
    await using world = await startOidcWorld()
    const host = leadingHost()
    const session = await open(world, { onMcpSignIn: host.onMcpSignIn })
    const offer = await host.at(0)
    await session[Symbol.asyncDispose]()
    assert.equal(offer.signal.aborted, true)
  })
})
