/** Variables that change every request: what is cached and for how long, further fields of the body, what a named model can do. */
import { ConfigurationError } from '../../errors.js'
import type { Environment } from '../../platform/environment.js'
import { readSwitch } from '../../platform/switch.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import type { ModelAbilities, RequestPlanLimits } from '../client/request-plan.js'
import { type ModelAliases, splitLongContextSuffix, vendorModelId } from '../model-facts.js'

/** For each model family: the variable that turns its cache off, and the variable that lists its model's abilities. */
const FAMILIES = [
  ['haiku', 'DISABLE_PROMPT_CACHING_HAIKU', 'ANTHROPIC_DEFAULT_HAIKU_MODEL_SUPPORTED_CAPABILITIES'],
  ['sonnet', 'DISABLE_PROMPT_CACHING_SONNET', 'ANTHROPIC_DEFAULT_SONNET_MODEL_SUPPORTED_CAPABILITIES'],
  ['opus', 'DISABLE_PROMPT_CACHING_OPUS', 'ANTHROPIC_DEFAULT_OPUS_MODEL_SUPPORTED_CAPABILITIES'],
] as const
/** Written elsewhere in the body: there would be two of them. */
const OURS = ['model', 'messages', 'system', 'tools', 'stream']

const FOR_AN_HOUR = 'ENABLE_PROMPT_CACHING_1H'

/** How long the API is asked to keep what it was sent. */
export function promptCacheTtl(env: Environment): '5m' | '1h' {
  return readSwitch(env[FOR_AN_HOUR]) === true ? '1h' : '5m'
}

/** Nothing where nothing is set. */
export function readRequestVariables(
  env: Environment,
  aliases: ModelAliases,
): Pick<RequestPlanLimits, 'cache' | 'extraBody' | 'abilities'> {
  const isOn = (name: string) => readSwitch(env[name]) === true
  const everywhere = isOn('DISABLE_PROMPT_CACHING')
  const families = FAMILIES.flatMap(([family, off]) => (isOn(off) ? family : []))
  const isOf = (family: (typeof families)[number], model: string) =>
    vendorModelId(model).includes(family) || splitLongContextSuffix(aliases[family] ?? '').id === model
  const usual = promptCacheTtl(env) === '1h' ? ('1h' as const) : undefined
  const cache = (model: string) =>
    everywhere || families.some((family) => isOf(family, model)) ? ('none' as const) : usual
  const extraBody = readExtraBody(env['CLAUDE_CODE_EXTRA_BODY'] ?? '')
  const abilities = readAbilities(env, aliases)
  return {
    ...((everywhere || families.length > 0 || usual) && { cache }),
    ...(extraBody && { extraBody }),
    ...(abilities.size > 0 && { abilities }),
  }
}

/** What the models that variables name can do, where somebody says so: of an ARN nothing else is known. */
function readAbilities(env: Environment, aliases: ModelAliases): ReadonlyMap<string, ModelAbilities> {
  const abilities = new Map<string, ModelAbilities>()
  for (const [family, , name] of FAMILIES) {
    const said = env[name]
    if (said === undefined || !aliases[family]) continue
    const has = new Set(said.split(',').map((one) => one.trim()))
    const effort = has.has('effort') ? (['low', 'medium', 'high'] as const) : []
    abilities.set(splitLongContextSuffix(aliases[family]).id, {
      thinking: has.has('adaptive_thinking') ? 'adaptive' : has.has('thinking') ? 'budget' : 'none',
      efforts: has.has('max_effort') ? [...effort, 'max'] : effort,
      isInterleaved: has.has('interleaved_thinking'),
    })
  }
  return abilities
}

/** The value is not repeated: it may hold what nobody else is to read. */
function readExtraBody(value: string): JsonObject | undefined {
  if (value.trim() === '') return undefined
  const name = 'CLAUDE_CODE_EXTRA_BODY'
  let body: unknown
  try {
    body = JSON.parse(value)
  } catch {}
  if (!isObject(body)) throw new ConfigurationError(name, `${name} must be a JSON object, such as {"top_k":5}.`)
  const refused = OURS.find((field) => Object.hasOwn(body, field))
  if (refused !== undefined) throw new ConfigurationError(name, `${name} can't set ${refused}: the session writes it.`)
  return body
}
