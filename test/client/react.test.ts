/** `kedge/react` where there is no browser: pages that a server renders. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from 'kedge/client'
import { KedgeProvider, useClient, useRequests, useSession, useSessions } from 'kedge/react'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'

const ID = '5e1f0000-0000-4000-8000-000000000000'

function Page() {
  const { items, status, requests, isReady } = useSession(ID)
  const counts = [items, requests, useSessions().sessions, useRequests().requests].map((list) => list.length)
  return createElement('p', null, `${counts.join(' ')} ${isReady} ${status ?? 'no status'} ${typeof useClient().send}`)
}

test('a server renders a page with kedge/react before anything is loaded, and sends nothing', () => {
  const client = createClient({ fetch: () => assert.fail('nothing is fetched') })
  const html = renderToString(createElement(KedgeProvider, { client }, createElement(Page)))
  assert.equal(html, '<p>0 0 0 0 false no status function</p>')
})

test('hooks take a client, and without one they say what to do', () => {
  const client = createClient({ fetch: () => assert.fail('nothing is fetched') })
  const Given = () => {
    const { isReady } = useSessions({ client })
    return createElement('i', null, `${isReady} ${useRequests({ client }).isReady}`)
  }
  assert.equal(renderToString(createElement(Given)), '<i>false false</i>')
  assert.throws(() => renderToString(createElement(Page)), /put <KedgeProvider client=\{createClient/)
})
