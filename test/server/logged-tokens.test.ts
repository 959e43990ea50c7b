/** Tokens that end up where they do not belong are in no log. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send, serve } from './serving.js'

for (const main of [undefined, 'a-token-that-somebody-chose'])
  test(`neither paths, queries, headers nor names bring a token into a log (${main ? 'chosen' : 'made'})`, async () => {
    await using serving = await serve([], main === undefined ? {} : { token: main })
    const session = await serving.begin()
    const { token: lesser } = (await serving.call('POST', '/v1/tokens', { body: { name: 'Ada', scopes: ['read'] } }))
      .json
    const { host } = new URL(serving.url)
    const own = serving.server.token
    for (const secret of [own, lesser, encodeURIComponent(own).replace('-', '%2D')])
      for (const path of [
        ...[
          `/${secret}`,
          `/token=${secret}`,
          `/v1/${secret}/x`,
          `/v1/sessions/${secret}`,
          `/v1/sessions;token=${secret}`,
        ],
        ...[
          `/v1/sessions/${session}/asks/${secret}`,
          `/v1/sessions?token=${secret}`,
          `/v1/me?${secret}=1`,
          `/#token=${secret}`,
        ],
      ])
        for (const authorization of [{ authorization: `Bearer ${own}` }, {}] as Record<string, string>[])
          await send(serving.url, 'GET', path, { host, referer: `http://${host}/?token=${secret}`, ...authorization })
    for (const secret of [own, lesser])
      for (const path of ['/v1/tokens', '/v1/webhooks', `/v1/sessions/${session}/prompts`, '/v1/acp'])
        await serving.call('DELETE', `${path}/${encodeURIComponent(secret)}`)
    const log = serving.lines.join('')
    const audit = JSON.stringify((await serving.call('GET', '/v1/audit?limit=1000')).json)
    assert.ok(serving.lines.length > 50)
    assert.match(audit, /"operation":"revokeToken"/)
    for (const [name, text] of Object.entries({ log, audit }))
      for (const secret of [own, lesser, own.slice(4, 20)]) assert.ok(!text.includes(secret), `${name} has ${secret}`)
    assert.match(log, new RegExp(`"path":"/v1/sessions/${session}/asks/\\[redacted\\]"`))
  })
