/** The environment variables the model client obeys, read once into plain settings; garbage is refused by name. */
import { ConfigurationError } from '../../errors.js'
import type { Environment } from '../../platform/environment.js'
import { trimTrailingCharacters } from '../../platform/trim-end.js'
import type { RequestPlanLimits } from '../client/request-plan.js'
import type { ModelAliases } from '../model-facts.js'
import { refuseVariables } from './refused-variables.js'
import { readRequestVariables } from './request-variables.js'

export type ModelEnvironment = RequestPlanLimits & {
  baseUrl: URL
  /** Names in lower case. */
  customHeaders: Readonly<Record<string, string>>
  timeoutMs: number
  maxRetries: number
  streamIdleMs: number
  streamPingOnlyMs: number
  apiKeyHelperTtlMs: number
  clientApp: string | null
  aliases: ModelAliases
}

export const DEFAULT_BASE_URL = 'https://api.anthropic.com'
/** The longest delay timers can count. */
const MAX_MS = 2_147_483_647

/**
 * Reads the environment variables of model requests. Throws a `ConfigurationError` that names the variable. An empty
 * value is the same as none.
 */
export function readModelEnvironment(env: Environment): ModelEnvironment {
  refuseVariables(env)
  const number = (name: string, minimum: number, maximum: number) =>
    readNumber(name, nonBlankVariable(env, name), minimum, maximum)
  const aliases = {
    default: nonBlankVariable(env, 'ANTHROPIC_MODEL'),
    sonnet: nonBlankVariable(env, 'ANTHROPIC_DEFAULT_SONNET_MODEL'),
    opus: nonBlankVariable(env, 'ANTHROPIC_DEFAULT_OPUS_MODEL'),
    haiku: nonBlankVariable(env, 'ANTHROPIC_DEFAULT_HAIKU_MODEL'),
  }
  return {
    baseUrl: parseBaseUrl(nonBlankVariable(env, 'ANTHROPIC_BASE_URL') ?? DEFAULT_BASE_URL, 'ANTHROPIC_BASE_URL'),
    customHeaders: readHeaders(nonBlankVariable(env, 'ANTHROPIC_CUSTOM_HEADERS') ?? ''),
    timeoutMs: number('API_TIMEOUT_MS', 1, MAX_MS) ?? 600_000,
    maxRetries: number('CLAUDE_CODE_MAX_RETRIES', 0, 1000) ?? 10,
    maxOutputTokens: number('CLAUDE_CODE_MAX_OUTPUT_TOKENS', 1, 10_000_000),
    maxThinkingTokens: number('MAX_THINKING_TOKENS', 0, 10_000_000),
    streamIdleMs: number('KEDGE_STREAM_IDLE_MS', 1, MAX_MS) ?? 120_000,
    streamPingOnlyMs: number('KEDGE_STREAM_PING_ONLY_MS', 1, MAX_MS) ?? 600_000,
    apiKeyHelperTtlMs: number('CLAUDE_CODE_API_KEY_HELPER_TTL_MS', 0, MAX_MS) ?? 300_000,
    clientApp: readClientApp(nonBlankVariable(env, 'CLAUDE_AGENT_SDK_CLIENT_APP')),
    aliases,
    ...readRequestVariables(env, aliases),
  }
}

/** The value itself is never repeated: it may hold a password. */
export function parseBaseUrl(value: string, name: string): URL {
  const refuse = (why: string) => new ConfigurationError(name, `${name} ${why}`)
  if (value !== value.trim()) throw refuse('has blanks around it; remove them.')
  if (!URL.canParse(value)) throw refuse('is not a URL.')
  const url = new URL(value)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse(`must be http or https, not ${url.protocol}`)
  if (url.username !== '' || url.password !== '') {
    throw refuse('must not hold a user name or password; use ANTHROPIC_AUTH_TOKEN or ANTHROPIC_CUSTOM_HEADERS.')
  }
  if (url.search !== '' || url.hash !== '') throw refuse('must not have a query or fragment.')
  return url
}

/** Joins a path to the base, whose own path is kept. */
export function joinEndpointPath(base: URL, path: string): URL {
  return new URL(`${trimTrailingCharacters(base.href, '/')}${path}`)
}

/** Returns the value of an environment variable. Undefined for one that is not set, or only blanks. */
export function nonBlankVariable(env: Environment, name: string): string | undefined {
  const value = env[name]
  return value === undefined || value.trim() === '' ? undefined : value
}

function readNumber(name: string, value: string | undefined, minimum: number, maximum: number): number | null {
  if (value === undefined) return null
  const number = /^\d+$/.test(value.trim()) ? Number(value) : Number.NaN
  if (number >= minimum && number <= maximum) return number
  const shown = JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  throw new ConfigurationError(name, `${name} must be a whole number from ${minimum} to ${maximum}, not ${shown}.`)
}

function readHeaders(value: string): Record<string, string> {
  const headers: Record<string, string> = {}
  value.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '') return
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
    const content = line.slice(colon + 1).trim()
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(content)) {
      // The line is not repeated: headers are where tokens live.
      throw new ConfigurationError(
        'ANTHROPIC_CUSTOM_HEADERS',
        `ANTHROPIC_CUSTOM_HEADERS line ${index + 1} is not of the form "Name: value".`,
      )
    }
    headers[name] = content
  })
  return headers
}

function readClientApp(value: string | undefined): string | null {
  if (value === undefined) return null
  if (/^[\x21-\x7e][\x20-\x7e]*$/.test(value)) return value.trim()
  throw new ConfigurationError(
    'CLAUDE_AGENT_SDK_CLIENT_APP',
    'CLAUDE_AGENT_SDK_CLIENT_APP may hold printable ASCII characters only: it is sent as a header.',
  )
}
