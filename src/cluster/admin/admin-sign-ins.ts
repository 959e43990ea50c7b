/** `kedge admin mcp-login` and `mcp-logout`: an operator signs in to an MCP server, for all sessions of a tenant. */
import { createSignInPrompter } from '../../cli/mcp/sign-in-prompter.js'
import { KedgeError } from '../../errors.js'
import { checkServerConfig } from '../../mcp/server-config.js'
import { leadSignIn } from '../../mcp/sign-in/lead-sign-in.js'
import { createSignInFetch } from '../../mcp/sign-in/sign-in-fetch.js'
import { signOut } from '../../mcp/sign-in/sign-out.js'
import { nodePlatform } from '../../platform/node-platform.js'
import { printableText } from '../../platform/visible-text.js'
import { writeAuditRow } from '../runs/audit.js'
import { createClusterSignInStore } from '../sign-ins/cluster-sign-in-store.js'
import { readSignInKey, SIGN_IN_KEY_VARIABLE } from '../sign-ins/sign-in-key.js'
import type { AdminAnswer, AdminContext } from './admin-context.js'

const library = () => import('../../mcp/transports/official-client.js')

export async function signInForTenant({
  cluster,
  tenant,
  words: [name = ''],
  values,
  environment,
}: AdminContext): Promise<AdminAnswer> {
  const shown = printableText(name, 100)
  const scopes = typeof values['scopes'] === 'string' ? values['scopes'].split(/\s+/).filter(Boolean) : undefined
  const given = { type: 'http', url: values['url'], ...(scopes ? { oauth: { scopes } } : {}) }
  const checked = checkServerConfig(given, {})
  if (!checked.ok || !('url' in checked.config)) throw new Error('Give the address of the server: --url https://…')
  const { store, platform, database } = openPlace({ cluster, tenant, environment })
  const end = await leadSignIn({
    server: name,
    config: checked.config,
    challenge: {},
    method: values['device'] ? 'device' : 'browser',
    store,
    platform,
    library,
    show: createSignInPrompter(shown, {
      noBrowser: values['no-browser'] === true,
      deviceCommand: `kedge admin mcp-login --device ${shown} --url …`,
    }),
    signal: new AbortController().signal,
  })
  if (end.kind !== 'signed-in') {
    const why = end.kind === 'failed' ? end.problem : 'The sign-in was canceled.'
    throw new KedgeError('invalid_option', `Not signed in to ${shown}: ${why}`)
  }
  await writeAuditRow(database, tenant, { who: 'operator', what: 'mcp-login', details: { server: name } })
  return { shown: { signedIn: true }, text: `Signed in to ${shown}, for all sessions of ${tenant}.\n` }
}

export async function signOutForTenant(context: AdminContext): Promise<AdminAnswer> {
  const {
    tenant,
    words: [name = ''],
  } = context
  const shown = printableText(name, 100)
  const { store, platform, database } = openPlace(context)
  const known = (await store.list()).filter(({ server }) => server === name)
  for (const { server, url } of known) {
    const web = createSignInFetch({ serverUrl: url, allowPrivateAddress: true, network: platform.network })
    await signOut({ server, url }, { library, fetch: web.fetch, store }).finally(() => web.close())
  }
  if (known.length === 0) return { shown: { signedOut: 0 }, text: `${tenant} is not signed in to ${shown}.\n` }
  await writeAuditRow(database, tenant, { who: 'operator', what: 'mcp-logout', details: { server: name } })
  return { shown: { signedOut: known.length }, text: `Signed out of ${shown}, for all sessions of ${tenant}.\n` }
}

function openPlace({ cluster, tenant, environment }: Pick<AdminContext, 'cluster' | 'tenant' | 'environment'>) {
  const key = readSignInKey(environment)
  if (!key)
    throw new KedgeError(
      'invalid_option',
      `Set ${SIGN_IN_KEY_VARIABLE} to the key that the workers have. Create one: openssl rand -hex 32`,
    )
  const platform = nodePlatform()
  const database = cluster.database.as(tenant)
  const { clock } = platform
  const newId = () => platform.identity.uuid()
  return { store: createClusterSignInStore({ database, key, clock, newId }), platform, database }
}
