/** `kedge mcp login`: leads a person to the page of an authorization server, and back. */

import type { RemoteConfig } from '../../mcp/servers.js'
import {
  type AuthorizationAnswer,
  readAuthorizationAnswer,
  readPastedAnswer,
} from '../../mcp/sign-in/authorization-answer.js'
import { type OAuthLibrary, SignInError, signIn } from '../../mcp/sign-in/sign-in.js'
import { createSignInFetch } from '../../mcp/sign-in/sign-in-fetch.js'
import type { SignInStore } from '../../mcp/sign-in/sign-in-store.js'
import type { StoredSignIn } from '../../mcp/sign-in/stored-sign-in.js'
import { listenForRedirect, type RedirectListener } from '../../platform/http/redirect-listener.js'
import type { Platform } from '../../platform/platform.js'
import { hasBrowser, openBrowser } from '../../platform/programs/open-browser.js'
import { printableText } from '../../platform/visible-text.js'
import { messageOf } from '../../protocol/thrown.js'
import { print, printToStderr } from '../terminal-output.js'
import type { FetchServerStatuses, FoundMcpServer } from './found-servers.js'
import { readHiddenLine, readLines } from './input-lines.js'

/** A server at an address, as it is configured and as that is understood. */
export type RemoteServer = FoundMcpServer & { remote: RemoteConfig }

/** What a sign-in needs of this machine and its user. */
export type SignInPlace = { store: SignInStore; platform: Platform; library(): Promise<OAuthLibrary> }

export type LoginChoices = { 'no-browser': boolean; again: boolean; scopes?: string; 'client-secret': boolean }

/** The user might have to find a password and a second factor. */
const PATIENCE_MS = 10 * 60_000

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
  const web = createSignInFetch({
    serverUrl: remote.url,
    allowPrivateAddress: remote.allowPrivateAddress === true,
    network: platform.network,
  })
  let listener: RedirectListener
  try {
    listener = await openListener(oauth.callbackPort, before)
  } catch (error) {
    return fail(`can't listen for the browser on localhost: ${messageOf(error)}`)
  }
  try {
    await signIn(
      server,
      oauth,
      {
        ...(scopes ? { scope: scopes.join(' ') } : {}),
        ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      },
      {
        library: await library(),
        fetch: web.fetch,
        store,
        clock: platform.clock,
        random: () => platform.identity.hex(32),
        redirectUrl: listener.url,
        ask: (address, expected) => askUser(address, expected, shown, choices, listener),
      },
    )
  } catch (error) {
    listener.show({ title: `Not signed in to ${shown}`, text: messageOf(error), isGood: false })
    return fail(`not signed in to ${shown}: ${messageOf(error)}`)
  } finally {
    listener.close()
    web.close()
  }
  listener.show({ title: `Signed in to ${shown}`, text: 'You can close this page and go back to Kedge.', isGood: true })
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

/** A client that was registered is known with the port it had: it is used again if that port is free. */
async function openListener(wanted: number | undefined, before: StoredSignIn | undefined): Promise<RedirectListener> {
  if (wanted !== undefined) return listenForRedirect(wanted)
  const port = before?.isRegistered && before.redirectUrl ? Number(new URL(before.redirectUrl).port) : 0
  return port > 0 ? listenForRedirect(port).catch(() => listenForRedirect()) : listenForRedirect()
}

async function askUser(
  address: URL,
  state: string,
  shown: string,
  choices: LoginChoices,
  listener: RedirectListener,
): Promise<AuthorizationAnswer> {
  const browser = !choices['no-browser'] && hasBrowser(process.env) && (await openBrowser(address))
  const how = browser
    ? 'Sign in in your browser. If it did not open, use this address:'
    : 'Open this address in a browser:'
  print(`Signing in to ${shown}. ${how}\n\n${address.href}\n\n`)
  const lines = readLines()
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      fromBrowser(state, listener),
      choices['no-browser'] || process.stdin.isTTY ? fromPaste(state, lines) : new Promise<never>(() => {}),
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new SignInError('no sign-in within 10 minutes.')), PATIENCE_MS)
      }),
    ])
  } finally {
    clearTimeout(timer)
    lines.close()
  }
}

async function fromBrowser(state: string, listener: RedirectListener): Promise<AuthorizationAnswer> {
  const query = await listener.next((given) => {
    const answer = readAuthorizationAnswer(given, state)
    return 'kind' in answer && answer.kind === 'stray' ? answer.problem : undefined
  })
  const answer = readAuthorizationAnswer(query, state)
  if ('kind' in answer) throw new SignInError(answer.problem)
  return answer
}

async function fromPaste(state: string, lines: ReturnType<typeof readLines>): Promise<AuthorizationAnswer> {
  print('If the browser can’t come back here, paste the address that it ended at:\n')
  for await (const line of lines.all) {
    if (line.trim() === '') continue
    const answer = readPastedAnswer(line, state)
    if (!('kind' in answer)) return answer
    if (answer.kind === 'refused') throw new SignInError(answer.problem)
    printToStderr(`${answer.problem} Paste the whole address.\n`)
  }
  // Nothing more will be pasted: the browser may still come.
  return new Promise<never>(() => {})
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
