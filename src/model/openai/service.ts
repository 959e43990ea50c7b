/**
 * Services that speak one of OpenAI's APIs, by the name that stands before the slash of a model: `openai/gpt-5`,
 * `ollama/qwen3:32b`. The well-known ones need no settings; others, and what differs, come from the setting `modelProviders`.
 */
import { ConfigurationError } from '../../errors.js'
import { type KNOWN_SERVICES, knownServiceOfModel } from '../../protocol/option-table/known-services.js'

/** What is known of one model of a service; absent: the built-in table, or nothing. */
export type ConfiguredServiceModel = {
  contextWindow?: number | undefined
  maxOutputTokens?: number | undefined
  /** False: it can't see pictures. */
  images?: boolean | undefined
  /** False: it can't call tools. */
  tools?: boolean | undefined
  /** True: it thinks before it answers, and can be told how hard. */
  reasoning?: boolean | undefined
}

/** One entry of the setting `modelProviders`. */
export type ConfiguredService = {
  api?: string | undefined
  baseUrl?: string | undefined
  apiKeyEnv?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  models?: Readonly<Record<string, ConfiguredServiceModel>> | undefined
}
export type ConfiguredServices = Readonly<Record<string, ConfiguredService>>

export type Service = {
  name: string
  api: 'responses' | 'chat'
  baseUrl: URL
  /** The variable that holds the key. */
  keyVariable: string | undefined
  /** Answers without one: a server of one's own. */
  isLocal: boolean
  headers: Readonly<Record<string, string>>
  models: Readonly<Record<string, ConfiguredServiceModel>>
}

type Environment = Readonly<Record<string, string | undefined>>
type Preset = { api?: 'responses'; baseUrl: string; baseVariable?: string; key?: string }

/** As their own documentation has them. */
const PRESETS: Readonly<Record<(typeof KNOWN_SERVICES)[number], Preset>> = {
  openai: {
    api: 'responses',
    baseUrl: 'https://api.openai.com/v1',
    baseVariable: 'OPENAI_BASE_URL',
    key: 'OPENAI_API_KEY',
  },
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1', key: 'OPENROUTER_API_KEY' },
  gemini: { baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai', key: 'GEMINI_API_KEY' },
  deepseek: { baseUrl: 'https://api.deepseek.com/v1', key: 'DEEPSEEK_API_KEY' },
  litellm: { baseUrl: 'http://127.0.0.1:4000/v1', key: 'LITELLM_API_KEY' },
  ollama: { baseUrl: 'http://127.0.0.1:11434/v1', baseVariable: 'OLLAMA_HOST', key: 'OLLAMA_API_KEY' },
  llamacpp: { baseUrl: 'http://127.0.0.1:8080/v1' },
  vllm: { baseUrl: 'http://127.0.0.1:8000/v1', key: 'VLLM_API_KEY' },
  lmstudio: { baseUrl: 'http://127.0.0.1:1234/v1' },
}

/**
 * The service of a model name; undefined: the name is for the Messages API. Where the user has an endpoint of their own for that,
 * its names may have slashes too: then only services that were set up count.
 */
export function findServiceOfModel(model: string, env: Environment, own: ConfiguredServices = {}): Service | undefined {
  const slash = model.indexOf('/')
  if (slash < 1 || slash === model.length - 1) return undefined
  const name = model.slice(0, slash)
  const given = Object.hasOwn(own, name) ? own[name] : undefined
  const known = knownServiceOfModel(model)
  const preset = known && PRESETS[known]
  if (!given && !preset) return undefined
  if (!given && isSet(env, 'ANTHROPIC_BASE_URL') && !isSetUp(env, preset)) return undefined
  return describe(name, preset, given ?? {}, env)
}

/** Services that are in use: of the setting, and of these models. A key alone, which other programs may want, chooses none. */
export function servicesInUse(
  env: Environment,
  own: ConfiguredServices = {},
  models: readonly string[] = [],
): Service[] {
  const names = [...Object.keys(own), ...models.flatMap((model) => knownServiceOfModel(`${model}/`) ?? [])]
  return [...new Set(names)].flatMap((name) => findServiceOfModel(`${name}/any`, env, own) ?? [])
}

/** The name the service itself has for a model. */
export function nameAtService({ name }: Pick<Service, 'name'>, model: string): string {
  return model.slice(name.length + 1)
}

function describe(name: string, preset: Preset | undefined, given: ConfiguredService, env: Environment): Service {
  const { baseVariable } = preset ?? {}
  const variable = baseVariable === undefined ? undefined : env[baseVariable]?.trim() || undefined
  const fromVariable = baseVariable === 'OLLAMA_HOST' && variable !== undefined ? ollamaUrl(variable) : variable
  const where = given.baseUrl ?? fromVariable ?? preset?.baseUrl
  const place = given.baseUrl === undefined && fromVariable ? (baseVariable ?? '') : `modelProviders.${name}.baseUrl`
  if (where === undefined) throw new ConfigurationError(place, `${place} is missing: where is ${name}?`)
  const baseUrl = readUrl(where, place)
  // If the user points a known service's name at another address, that service's key must not be sent there.
  const keyVariable = given.apiKeyEnv ?? (given.baseUrl === undefined ? preset?.key : undefined)
  return {
    name,
    api: given.api === 'responses' || given.api === 'chat' ? given.api : (preset?.api ?? 'chat'),
    baseUrl,
    keyVariable,
    isLocal: isLoopback(baseUrl),
    headers: given.headers ?? {},
    models: given.models ?? {},
  }
}

/** As Ollama reads it itself: a host, with or without a port, that may be the one its server listens on. */
function ollamaUrl(host: string): string {
  const url = /^https?:/.test(host) ? host : `http://${host}`
  if (!URL.canParse(url)) return url
  const { protocol, hostname, port } = new URL(url)
  return `${protocol}//${hostname === '0.0.0.0' ? '127.0.0.1' : hostname}:${port || '11434'}/v1`
}

/** The value itself is never repeated: it may hold a password. */
function readUrl(value: string, place: string): URL {
  const refuse = (why: string) => new ConfigurationError(place, `${place} ${why}`)
  if (!URL.canParse(value)) throw refuse('is not a URL.')
  const url = new URL(value)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse('must be http or https.')
  if (url.username !== '' || url.password !== '')
    throw refuse('must not hold a user name or password; name the variable with the key in apiKeyEnv.')
  if (url.search !== '' || url.hash !== '') throw refuse('must not have a query or fragment.')
  return url
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

function isSetUp(env: Environment, preset: Preset | undefined): boolean {
  return isSet(env, preset?.key) || isSet(env, preset?.baseVariable)
}

function isSet(env: Environment, name: string | undefined): boolean {
  return name !== undefined && (env[name] ?? '').trim() !== ''
}
