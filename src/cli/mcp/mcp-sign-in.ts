/** `kedge mcp login`, `logout`, and `status`: signing in to servers, and what is kept of it. */
import { checkServerConfig } from '../../mcp/server-config.js'
import { createSignInFetch } from '../../mcp/sign-in/sign-in-fetch.js'
import { createSignInStore } from '../../mcp/sign-in/sign-in-store.js'
import { signOut } from '../../mcp/sign-in/sign-out.js'
import type { StoredSignIn } from '../../mcp/sign-in/stored-sign-in.js'
import { readCommandLine } from '../../platform/command-line/read-command-line.js'
import { homeFolder } from '../../platform/home.js'
import { nodePlatform } from '../../platform/node-platform.js'
import { openSystemKeyring } from '../../platform/programs/system-keyring.js'
import { printableText } from '../../platform/visible-text.js'
import type { Command } from '../../protocol/command-table/command-row.js'
import {
  MCP_LOGIN_COMMAND,
  MCP_LOGOUT_COMMAND,
  MCP_STATUS_COMMAND,
} from '../../protocol/command-table/mcp-command-rows.js'
import { configFolder } from '../../sessions/transcript-paths.js'
import { type McpSignInFile, openMcpSignInFile } from '../../settings/mcp-sign-in-file.js'
import { commandEnvironment } from '../../tools/bash/command-environment.js'
import { print, printCommandText, printJson, printToStderr } from '../terminal-output.js'
import type { FetchServerStatuses, FoundMcpServer } from './found-servers.js'
import { loginToServer, type RemoteServer, type SignInPlace } from './mcp-login.js'

export type SignInCommandPorts = Pick<SignInPlace, 'library'> & {
  servers: readonly FoundMcpServer[]
  ask: FetchServerStatuses
}

export async function mcpSignInCommand(
  command: Command,
  args: readonly string[],
  { servers, ask, library }: SignInCommandPorts,
): Promise<number> {
  const platform = nodePlatform()
  const { files, clock, identity } = platform
  const configDir = configFolder(process.env, homeFolder(process.env))
  const keyring = async () => openSystemKeyring()
  const file = openMcpSignInFile({ configDir, files, clock, uid: identity.uid, keyring })
  const store = createSignInStore(file)
  const place = { store, platform, library }
  // Compared by name: this file is bundled separately and has its own copy of the rows.
  if (command.name === MCP_LOGIN_COMMAND.name) {
    const read = readCommandLine(MCP_LOGIN_COMMAND, args)
    if ('text' in read) return printCommandText(read)
    const [name = ''] = read.words
    const remote = findRemote(name, servers)
    if (typeof remote === 'string') return fail(remote)
    await chooseStorage(read.values.storage, file)
    return loginToServer(remote, read.values, place, ask)
  }
  if (command.name === MCP_LOGOUT_COMMAND.name) {
    const read = readCommandLine(MCP_LOGOUT_COMMAND, args)
    return 'text' in read ? printCommandText(read) : logout(read.words[0] ?? '', servers, place)
  }
  const read = readCommandLine(MCP_STATUS_COMMAND, args)
  return 'text' in read ? printCommandText(read) : status(read.words[0], read.values.json, servers, place)
}

/** A keyring that can't be used is no reason not to sign in. */
async function chooseStorage(storage: string | undefined, file: McpSignInFile): Promise<void> {
  if (storage !== 'keyring' && storage !== 'file') return
  const problem = await file.useStorage(storage)
  if (problem === undefined) return
  const instead = storage === 'keyring' ? ` Sign-ins are kept in ${file.path}, which only you can read.` : ''
  printToStderr(`Warning: the system keyring can't be used: ${problem}.${instead}\n`)
}

/** The nearest of that name; a text says why there is nothing to sign in to. */
function findRemote(name: string, servers: readonly FoundMcpServer[]): RemoteServer | string {
  const shown = printableText(name, 100)
  const found = servers.find((server) => server.name === name)
  if (!found) return `there's no MCP server named ${shown}. \`kedge mcp list\` lists all servers.`
  const checked = checkServerConfig(found.config, commandEnvironment(process.env, process.cwd()))
  if (!checked.ok) return `${shown} can't be used: ${checked.problem}.`
  const { config } = checked
  if (config.type === 'stdio' || config.type === 'sdk')
    return `${shown} is a program. Only servers at an address have a sign-in.`
  const hasOwn = Object.keys(config.headers).some((header) => header.toLowerCase() === 'authorization')
  if (hasOwn || config.headersHelper !== undefined)
    return `${shown} has its own headers in its configuration. Remove ${hasOwn ? 'Authorization' : '`headersHelper`'} to sign in.`
  return { ...found, remote: config }
}

async function logout(
  name: string,
  servers: readonly FoundMcpServer[],
  { store, platform, library }: SignInPlace,
): Promise<number> {
  const shown = printableText(name, 100)
  const known = (await store.list()).filter(({ server }) => server === name)
  if (known.length === 0) {
    if (!servers.some((server) => server.name === name))
      return fail(`there's no MCP server named ${shown}. \`kedge mcp list\` lists all servers.`)
    print(`You are not signed in to ${shown}.\n`)
    return 0
  }
  const config = findRemote(name, servers)
  for (const { server, url } of known) {
    const allowPrivateAddress = typeof config === 'object' && config.remote.allowPrivateAddress === true
    const web = createSignInFetch({ serverUrl: url, allowPrivateAddress, network: platform.network })
    const done = await signOut({ server, url }, { library, fetch: web.fetch, store })
    const end = {
      revoked: '',
      'not-offered': ' The server has no way to revoke tokens: they end by themselves.',
      unconfirmed: ` The tokens could not be revoked${'problem' in done ? ` (${done.problem})` : ''}: they end by themselves.`,
      'not-signed-in': '',
    }[done.kind]
    print(`Signed out of ${shown}.${end}\n`)
  }
  return 0
}

type SignInStatus = {
  name: string
  url: string
  signedIn: boolean
  authorizationServer?: string
  signedInAt?: string
  expiresAt?: string
  /** A new token comes without another sign-in. */
  canRenew?: boolean
  scopes?: string[]
  /** The server asked for these since: sign in again to get them. */
  missingScopes?: string[]
}

async function status(
  name: string | undefined,
  asJson: boolean,
  servers: readonly FoundMcpServer[],
  { store, platform }: SignInPlace,
): Promise<number> {
  const kept = await store.list()
  const configured = servers.flatMap((server, index) => {
    const isNearest = servers.findIndex((other) => other.name === server.name) === index
    const remote = isNearest ? findRemote(server.name, servers) : ''
    return typeof remote === 'string' ? [] : [{ server: server.name, url: remote.remote.url }]
  })
  const isSame = (a: { server: string; url: string }) => (b: { server: string; url: string }) =>
    a.server === b.server && a.url === b.url
  const others = kept.filter((one) => one.tokens && !configured.some(isSame(one)))
  const all = [...configured, ...others]
    .filter(({ server }) => name === undefined || server === name)
    .map((one) => describe(one, kept.find(isSame(one)), platform.clock.now()))
  if (name !== undefined && all.length === 0) {
    const remote = findRemote(name, servers)
    return fail(typeof remote === 'string' ? remote : `there is nothing to know of ${printableText(name, 100)}.`)
  }
  if (asJson) printJson({ servers: all })
  else print(all.length > 0 ? `${all.map(statusLine).join('\n')}\n` : 'No MCP servers at an address configured.\n')
  return 0
}

function describe({ server, url }: { server: string; url: string }, known: StoredSignIn | undefined, now: number) {
  const { tokens, expiresAt, scope, wantedScope, issuer, signedInAt } = known ?? {}
  // A query may be a key of its own.
  const shownUrl = URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : ''
  const granted = tokens?.scope ?? scope
  const missing = words(wantedScope).filter((one) => !words(granted).includes(one))
  const canRenew = tokens?.refresh_token !== undefined
  const isOver = expiresAt !== undefined && expiresAt <= now && !canRenew
  const found: SignInStatus = {
    name: server,
    url: shownUrl,
    signedIn: tokens !== undefined && !isOver,
    ...(tokens && issuer !== undefined ? { authorizationServer: issuer } : {}),
    ...(tokens && signedInAt !== undefined ? { signedInAt } : {}),
    ...(tokens && expiresAt !== undefined ? { expiresAt: new Date(expiresAt).toISOString() } : {}),
    ...(tokens ? { canRenew } : {}),
    ...(tokens && granted ? { scopes: words(granted) } : {}),
    ...(tokens && missing.length > 0 ? { missingScopes: missing } : {}),
  }
  return found
}

function statusLine(status: SignInStatus): string {
  const name = printableText(status.name, 100)
  if (!status.signedIn) {
    const why = status.expiresAt === undefined ? '' : ` since ${status.expiresAt}`
    return `${name}: not signed in${why} (kedge mcp login ${name})`
  }
  const until = status.expiresAt === undefined ? '' : `, until ${status.expiresAt}`
  const renewed = status.canRenew ? ', renewed automatically' : ''
  const missing = status.missingScopes ? `; the server wants more rights: kedge mcp login ${name}` : ''
  return `${name}: signed in with ${printableText(status.authorizationServer ?? '', 200)}${until}${renewed}${missing}`
}

function words(text: string | undefined): string[] {
  return (text ?? '').split(/\s+/).filter(Boolean)
}

function fail(problem: string): number {
  printToStderr(`error: ${problem}\n`)
  return 1
}
