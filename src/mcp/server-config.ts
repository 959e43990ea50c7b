/** What a configuration says about one server: checked, and with variables put in. Nothing is run or evaluated. */

import { isObject, type JsonObject } from '../protocol/json.js'
import { cleanServerLine } from './clean-text.js'
import { readToolPolicies, type ToolPolicies } from './policy/tool-policy.js'

export type ServerConfig = (
  | { type: 'stdio'; command: string; args: string[]; env: Record<string, string> }
  | {
      type: 'http' | 'sse'
      url: string
      headers: Record<string, string>
      headersHelper?: string
      allowPrivateAddress?: true
      oauth?: RemoteSignInConfig
    }
  | { type: 'sdk' }
) & {
  /** For one call of a tool, in ms. */
  timeoutMs?: number
  /** The first turn waits for it, and its tools are never left for a search. */
  alwaysLoad: boolean
  /** It may put questions to the session's model, each with permission. */
  sampling: boolean
  /** No turn begins without it. */
  required: boolean
  /** What is to be done about calls of single tools. */
  toolPolicies?: ToolPolicies
}

/** A server at an address. */
export type RemoteConfig = Extract<ServerConfig, { type: 'http' | 'sse' }>

/** How to sign in, where a server's own word is not enough. */
export type RemoteSignInConfig = {
  /** A client that was registered by hand. */
  clientId?: string
  clientSecret?: string
  /** Where a document describes this client (a client id metadata document). */
  clientMetadataUrl?: string
  /** The only authorization server that may sign in: a client secret goes to no other one. */
  issuer?: string
  /** In place of those that the server asks for. */
  scopes?: string[]
  /** The port of `http://localhost` that the browser comes back to. */
  callbackPort?: number
}

export type CheckedServerConfig = { ok: true; config: ServerConfig } | { ok: false; problem: string }

/** Less is taken for a mistake, of seconds for milliseconds. */
const MIN_TIMEOUT_MS = 1000
const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000
const MAX_TEXT = 32_768
const MAX_ITEMS = 1000

export type ConfigVariables = Readonly<Record<string, string | undefined>>

export function checkServerConfig(value: unknown, variables: ConfigVariables): CheckedServerConfig {
  if (!isObject(value)) return { ok: false, problem: 'its configuration is no object' }
  const problems: string[] = []
  const expand = (text: string) => expandVariables(text, variables, problems)
  const config = readServer(value, expand, problems)
  const [problem] = problems
  return config && problem === undefined ? { ok: true, config } : { ok: false, problem: problem ?? 'unknown' }
}

function readServer(value: JsonObject, expand: (text: string) => string, problems: string[]): ServerConfig | undefined {
  const { command, args, env, url, headers, headersHelper, timeout, alwaysLoad, sampling, required } = value
  const type: unknown = value['type'] ?? (url !== undefined && command === undefined ? undefined : 'stdio')
  const toolPolicies = readToolPolicies(value['tools'], problems)
  const common = {
    ...readTimeout(timeout, problems),
    alwaysLoad: alwaysLoad === true || required === true,
    required: required === true,
    sampling: sampling === true,
    ...(toolPolicies ? { toolPolicies } : {}),
  }
  switch (type) {
    case 'sdk':
      return { type, ...common }
    case 'stdio': {
      if (typeof command !== 'string' || command === '') {
        problems.push('`command` must be a text')
        return undefined
      }
      const given = args === undefined ? [] : args
      if (!Array.isArray(given) || given.length > MAX_ITEMS || !given.every(isText)) {
        problems.push('`args` must be a list of texts')
        return undefined
      }
      return {
        type,
        command: checked('command', expand(command), problems),
        args: given.map((argument) => checked('args', expand(argument), problems)),
        env: readTexts('env', env, expand, problems),
        ...common,
      }
    }
    case 'http':
    case 'sse': {
      if (!isText(url)) {
        problems.push('`url` must be a text')
        return undefined
      }
      if (headersHelper !== undefined && !isText(headersHelper)) problems.push('`headersHelper` must be a text')
      return {
        type,
        url: checkUrl(expand(url), problems),
        headers: checkHeaders(readTexts('headers', headers, expand, problems), problems),
        ...(isText(headersHelper) ? { headersHelper } : {}),
        ...(value['allowPrivateAddress'] === true ? { allowPrivateAddress: true } : {}),
        ...(value['oauth'] === undefined ? {} : { oauth: readSignInConfig(value['oauth'], expand, problems) }),
        ...common,
      }
    }
    default:
      problems.push(
        type === undefined
          ? 'a server with `url` needs `type`: "http" or "sse"'
          : `there is no \`type\` ${cleanServerLine(JSON.stringify(type), 100)}: use stdio, http, sse or sdk`,
      )
      return undefined
  }
}

function readSignInConfig(value: unknown, expand: (text: string) => string, problems: string[]): RemoteSignInConfig {
  if (!isObject(value)) {
    problems.push('`oauth` must be an object')
    return {}
  }
  const { scopes, callbackPort } = value
  const text = (key: 'clientId' | 'clientSecret' | 'clientMetadataUrl' | 'issuer') => {
    const given = value[key]
    if (given === undefined) return {}
    if (!isText(given) || given === '') problems.push(`\`oauth.${key}\` must be a text`)
    return isText(given) ? { [key]: checked(`oauth.${key}`, expand(given), problems) } : {}
  }
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.length <= MAX_ITEMS && scopes.every(isText)))
    problems.push('`oauth.scopes` must be a list of texts')
  const isPort = Number.isInteger(callbackPort) && Number(callbackPort) > 0 && Number(callbackPort) < 65_536
  if (callbackPort !== undefined && !isPort) problems.push('`oauth.callbackPort` must be a port')
  return {
    ...text('clientId'),
    ...text('clientSecret'),
    ...text('clientMetadataUrl'),
    ...text('issuer'),
    ...(Array.isArray(scopes) ? { scopes: scopes.map((scope) => expand(String(scope))) } : {}),
    ...(isPort ? { callbackPort: Number(callbackPort) } : {}),
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT
}

function checked(what: string, text: string, problems: string[]): string {
  if (text.includes('\0')) problems.push(`\`${what}\` holds a NUL character`)
  return text
}

function readTimeout(value: unknown, problems: string[]): { timeoutMs?: number } {
  if (typeof value === 'number' && value >= MIN_TIMEOUT_MS) return { timeoutMs: Math.min(value, MAX_TIMEOUT_MS) }
  if (value !== undefined && typeof value !== 'number') problems.push('`timeout` must be a number of ms')
  return {}
}

function readTexts(
  what: string,
  value: unknown,
  expand: (text: string) => string,
  problems: string[],
): Record<string, string> {
  if (value === undefined) return {}
  const entries = isObject(value) ? Object.entries(value) : []
  const texts = entries.filter((entry): entry is [string, string] => isText(entry[1]))
  if (!isObject(value) || texts.length < entries.length || entries.length > MAX_ITEMS) {
    problems.push(`\`${what}\` must be a map of texts`)
  }
  return Object.fromEntries(texts.map(([name, text]) => [name, checked(what, expand(text), problems)]))
}

function checkUrl(text: string, problems: string[]): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '') {
    return url.href
  }
  problems.push('`url` must be an http or https address without a password in it (use `headers` for that)')
  return text
}

/**
 * Returns the headers that can be sent; others are added to `problems`. Also for headers that a helper printed. The
 * value is never repeated: it may be a key.
 */
export function checkHeaders(headers: Record<string, string>, problems: string[]): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) problems.push('`headers` has a name that is no header')
    else if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      problems.push(
        `the header ${cleanServerLine(name)} has a value that no header may have (a line break, or Unicode)`,
      )
    }
  }
  return headers
}

/**
 * Expands the variables in a configured value: `${NAME}` and `${NAME:-default}`, once and nothing more: what is put
 * in is not looked at again, and `$NAME`, `$(…)` and backquotes mean nothing. A name without a value and without a
 * default makes the configuration unusable.
 */
export function expandVariables(text: string, variables: ConfigVariables, problems: string[]): string {
  // Behind the last bracket nothing is closed, and looking for it from each that opens takes for ever.
  const end = text.lastIndexOf('}') + 1
  const put = (_whole: string, name: string, fallback?: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (value !== undefined && (value !== '' || fallback === undefined)) return value
    if (fallback !== undefined) return fallback
    problems.push(
      `it needs the environment variable ${name}, which isn't set, or holds a secret that servers don't receive (\`KEDGE_PASS_SECRETS=1\` passes them)`,
    )
    return ''
  }
  return text.slice(0, end).replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, put) + text.slice(end)
}
