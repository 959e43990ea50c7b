/** Tells a misspelled model name from a new model. Loaded when a request can't be sent, or after the API refused the name. */
import type { ModelFailure } from '../../engine/ports.js'
import { nearestName } from '../../protocol/command-table/nearest-name.js'
import { KNOWN_SERVICES } from '../../protocol/option-table/known-services.js'
import { capitalized, FIX_WORDS as W } from '../../protocol/shown/fix-words.js'
import { splitLongContextSuffix } from '../model-facts.js'
import { PRACTICE_MODEL } from '../practice/practice-provider.js'

/** What can be misspelled: `best` isn't here, because `test` is one letter away. */
const NAMES = [PRACTICE_MODEL, 'sonnet', 'opus', 'haiku', 'opusplan', 'default']

export type UnknownModelFacts = {
  model: string
  /** Names of the setting `modelProviders`. */
  services?: readonly string[] | undefined
  /** The endpoint is the user's own: its models may have any prefix. */
  ownEndpoint: boolean
}

/** Returns the alias, or `service/model`, that a name was probably meant to be; undefined: it isn't close to one. */
export function meantModel({ model, services = [] }: UnknownModelFacts): string | undefined {
  const slash = model.indexOf('/')
  if (slash < 1) {
    const word = splitLongContextSuffix(model).id.toLowerCase()
    const meant = nearestName(word, NAMES, mostSteps(word))
    return meant === model ? undefined : meant
  }
  const service = model.slice(0, slash)
  const known = [...services, ...KNOWN_SERVICES]
  if (known.includes(service)) return undefined
  const meant = nearestName(service.toLowerCase(), known, mostSteps(service))
  return meant === undefined ? undefined : `${meant}${model.slice(slash)}`
}

/** Short names are near to many words. */
function mostSteps(word: string): number {
  return word.length <= 5 ? 1 : 2
}

/** Returns the failure of a request whose model is misspelled; undefined: the name is plausible. */
export function unknownModelFailure(facts: UnknownModelFacts): ModelFailure | undefined {
  const { model, services = [], ownEndpoint } = facts
  const text = (problem: string): ModelFailure => ({
    kind: 'invalid_request',
    code: 'model_not_found',
    text: problem,
    status: null,
  })
  const meant = meantModel(facts)
  const slash = model.indexOf('/')
  if (slash < 1)
    return meant === undefined ? undefined : text(`${model} isn't a model that Kedge knows. Did you mean ${meant}?`)
  const service = model.slice(0, slash)
  const known = [...services, ...KNOWN_SERVICES]
  if (known.includes(service) || (meant === undefined && ownEndpoint)) return undefined
  const advice =
    meant === undefined ? `Services: ${known.join(', ')}.` : `Did you mean ${meant.slice(0, meant.indexOf('/'))}?`
  return text(`${service} isn't a service that Kedge knows. ${advice}`)
}

/** Returns what to do about a name that `meantModel` has corrected. */
export function fixForMeantModel(meant: string): string {
  return meant === PRACTICE_MODEL
    ? `${capitalized(W.practice.library)}.`
    : `To use ${meant}, ${W.anotherModel.library}.`
}
