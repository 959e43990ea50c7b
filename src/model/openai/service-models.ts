/** What is known of the models of other vendors without asking. List prices in USD per million tokens; corrections are welcome. */
import { type ModelTokenPrice, splitLongContextSuffix } from '../model-facts.js'
import { type ConfiguredServiceModel, nameAtService, type Service } from './service.js'

export type ServiceModelFacts = {
  contextWindow: number
  outputLimit: number
  images: boolean
  tools: boolean
  reasoning: boolean
  /** The least effort it can be told to make. */
  leastEffort: 'none' | 'minimal' | 'low'
  /** Nobody has said how much fits in: it is a guess. */
  isGuess: boolean
}

type Known = Omit<ServiceModelFacts, 'images' | 'tools' | 'isGuess'> & { price: ModelTokenPrice }

/** Context windows assumed for an unknown model, in tokens: at a remote service, and on the user's own machine. */
const REMOTE_WINDOW = 128_000
const LOCAL_WINDOW = 32_768

function known(
  contextWindow: number,
  outputLimit: number,
  [input, cacheRead, output]: readonly [number, number, number],
  leastEffort?: Known['leastEffort'],
): Known {
  const price = { input, output, cacheWrite5m: input, cacheWrite1h: input, cacheRead }
  return { contextWindow, outputLimit, price, reasoning: leastEffort !== undefined, leastEffort: leastEffort ?? 'none' }
}

const TABLE: Readonly<Record<string, Known>> = {
  'openai/gpt-5': known(400_000, 128_000, [1.25, 0.125, 10], 'minimal'),
  'openai/gpt-5-mini': known(400_000, 128_000, [0.25, 0.025, 2], 'minimal'),
  'openai/gpt-5-nano': known(400_000, 128_000, [0.05, 0.005, 0.4], 'minimal'),
  'openai/gpt-5-codex': known(400_000, 128_000, [1.25, 0.125, 10], 'low'),
  'openai/gpt-5.1': known(400_000, 128_000, [1.25, 0.125, 10], 'none'),
  'openai/gpt-5.2': known(400_000, 128_000, [1.75, 0.175, 14], 'none'),
  'openai/gpt-4.1': known(1_047_576, 32_768, [2, 0.5, 8]),
  'openai/gpt-4.1-mini': known(1_047_576, 32_768, [0.4, 0.1, 1.6]),
  'openai/gpt-4o': known(128_000, 16_384, [2.5, 1.25, 10]),
  'openai/gpt-4o-mini': known(128_000, 16_384, [0.15, 0.075, 0.6]),
  'openai/o3': known(200_000, 100_000, [2, 0.5, 8], 'low'),
  'openai/o4-mini': known(200_000, 100_000, [1.1, 0.275, 4.4], 'low'),
}

/** Returns what is known about a service's model. `model`: with the name of the service before it. */
export function serviceModelFacts(service: Service, model: string): ServiceModelFacts {
  const name = nameAtService(service, splitLongContextSuffix(model).id)
  const own: ConfiguredServiceModel = Object.hasOwn(service.models, name) ? (service.models[name] ?? {}) : {}
  const found = tableEntry(model)
  const window = own.contextWindow ?? found?.contextWindow
  const contextWindow = window ?? (service.isLocal ? LOCAL_WINDOW : REMOTE_WINDOW)
  return {
    contextWindow,
    // Room for the question is left, however small the window is.
    outputLimit: own.maxOutputTokens ?? found?.outputLimit ?? Math.floor(Math.min(32_000, contextWindow / 4)),
    images: own.images ?? true,
    tools: own.tools ?? true,
    reasoning: own.reasoning ?? found?.reasoning ?? /^(?:o\d|gpt-[5-9]|gpt-oss|codex)/.test(name),
    leastEffort: found?.leastEffort ?? 'low',
    isGuess: window === undefined,
  }
}

/** Returns the price of a service's model. Undefined: not known to us. */
export function builtInPriceOfServiceModel(model: string): ModelTokenPrice | undefined {
  return tableEntry(model)?.price
}

/** Dated snapshots cost what the model costs. */
function tableEntry(model: string): Known | undefined {
  const name = splitLongContextSuffix(model).id.replace(/-\d{4}-\d{2}-\d{2}$/, '')
  return Object.hasOwn(TABLE, name) ? TABLE[name] : undefined
}
