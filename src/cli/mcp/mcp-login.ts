/** `kedge mcp login`: leads a person to the page of an authorization server, and back. */

import type { RemoteConfig } from '../../mcp/servers.js'
import { leadSignIn } from '../../mcp/sign-in/lead-sign-in.js'
import type { OAuthLibrary } from '../../mcp/sign-in/sign-in-ports.js'
import type { SignInStore } from '../../mcp/sign-in/sign-in-store.js'
import type { Platform } from '../../platform/platform.js'
import { printableText } from '../../platform/visible-text.js'
import { print, printToStderr } from '../terminal-output.js'
import type { FetchServerStatuses, FoundMcpServer } from './found-servers.js'
import { readHiddenLine } from './input-lines.js'
import { createSignInPrompter } from './sign-in-prompter.js'

/** A server at an address, as it is configured and as that is understood. */
export type RemoteServer = FoundMcpServer & { remote: RemoteConfig }

/** What a sign-in needs of this machine and its user. */
export type SignInPlace = { store: SignInStore; platform: Platform; library(): Promise<OAuthLibrary> }

export type LoginChoices = {
  'no-browser': boolean
  device: boolean
  again: boolean
  scopes?: string
  'client-secret': boolean
}

export async function loginToServer(
  { name, config, remote }: RemoteServer,
  choices: LoginChoices,
  { store, platform, library }: SignInPlace,
  fetchStatuses: FetchServerStatuses,
): Promise<number> {
  const shown = printableText(name, 100)
  const server = { server: name, url: remote.url }
  const before = await store.find(server)
  const [state] = await fetchStatuses({ [name]: config })
  const isWanted = choices.again || choices.scopes !== undefined || before?.wantedScope !== undefined
  if (state?.status === 'connected' && !isWanted) {
    const how = before?.tokens ? `You are signed in to ${shown}.` : `${shown} wants no sign-in.`
    print(`${how}\n`)
    return 0
  }
  if (state?.status !== 'needs-auth' && !isWanted) return fail(state?.error ?? `${shown} can't be reached.`)
  const oauth = { ...remote.oauth, ...(await givenSecret(choices)), ...givenScopes(choices) }
  const { auth: { scopes, resourceMetadataUrl } = {} } = state ?? {}
  const end = await leadSignIn({
    server: name,
    config: { ...remote, oauth },
    challenge: {
      ...(scopes ? { scope: scopes.join(' ') } : {}),
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    },
    method: choices.device ? 'device' : 'browser',
    store,
    platform,
    library,
    show: createSignInPrompter(shown, {
      noBrowser: choices['no-browser'],
      deviceCommand: `kedge mcp login --device ${shown}`,
    }),
    signal: new AbortController().signal,
  })
  if (end.kind === 'canceled') return fail(`not signed in to ${shown}: the sign-in was canceled.`)
  if (end.kind === 'failed') return fail(`not signed in to ${shown}: ${end.problem}`)
  return sayResult(shown, (await fetchStatuses({ [name]: config }))[0])
}

/** A server may refuse even the token it just had its user fetch. */
function sayResult(shown: string, state: Awaited<ReturnType<FetchServerStatuses>>[number] | undefined): number {
  if (state?.status === 'connected') {
    print(`Signed in to ${shown}. It has ${state.tools?.length ?? 0} tools.\n`)
    return 0
  }
  return fail(`signed in to ${shown}, but it can't be used: ${state?.error ?? 'it is not configured anymore'}`)
}

/** Never an argument, which other users of the machine can read. */
async function givenSecret(choices: LoginChoices): Promise<{ clientSecret?: string }> {
  const ofEnvironment = process.env['MCP_CLIENT_SECRET']
  if (ofEnvironment) return { clientSecret: ofEnvironment }
  if (!choices['client-secret']) return {}
  return { clientSecret: await readHiddenLine('Client secret: ') }
}

function givenScopes({ scopes }: LoginChoices): { scopes?: string[] } {
  return scopes === undefined ? {} : { scopes: scopes.split(/\s+/).filter(Boolean) }
}

function fail(problem: string): number {
  printToStderr(`error: ${problem}\n`)
  return 1
}
