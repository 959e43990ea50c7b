/** The published schemas of the protocol, as one question: is this what the method's params or result should be? */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dereference, type OutputUnit, type Schema, validate } from '@cfworker/json-schema'

// biome-ignore lint/suspicious/noExplicitAny: a message is whatever the other side said
export type Wire = any

/** `stable` is what every client may be sent; `unstable` has what a client must have asked for. */
export type Flavor = 'stable' | 'unstable'
export type Part = 'Request' | 'Response' | 'Notification'
/** Who handles the method: `proxy` and `protocol` are the schema's words too. */
export type Side = 'agent' | 'client' | 'protocol'

export type AcpSchema = {
  has(side: Side, method: string, part: Part): boolean
  /** What is wrong with it, in a few words; undefined if nothing is. */
  judge(side: Side, method: string, part: Part, value: unknown): string | undefined
  judgeError(value: unknown): string | undefined
  /** Fields at the root of it, or of its `update`, that the schema does not know. */
  strangers(side: Side, method: string, part: Part, value: Wire): string[]
}

export function readAcpSchema(flavor: Flavor): AcpSchema {
  const name = flavor === 'stable' ? 'schema' : 'schema.unstable'
  const path = createRequire(import.meta.url).resolve(`@agentclientprotocol/sdk/schema/v1/${name}.json`)
  const root: Wire = JSON.parse(readFileSync(path, 'utf8'))
  const definitions: Record<string, Wire> = root.$defs
  // Made once: looking up references is most of what a validator costs to make.
  const lookup = dereference(root)
  const names = new Map<string, string>()
  for (const [definition, body] of Object.entries(definitions)) {
    const part = /(Request|Response|Notification)$/.exec(definition)?.[1]
    if (body['x-method'] && part) names.set(`${body['x-side']} ${body['x-method']} ${part}`, definition)
  }

  function check(definition: string, value: unknown): string | undefined {
    const schema: Schema = definitions[definition]
    if (isUpdate(value) || validate(value, schema, '2020-12', lookup, true).valid) return undefined
    const { errors } = validate(value, schema, '2020-12', lookup, false)
    return `${definition}: ${deepest(errors)}`
  }

  const kinds = new Map<string, Schema>(
    definitions['SessionUpdate'].oneOf.map((kind: Wire) => [kind.properties?.sessionUpdate?.const, kind]),
  )
  /** Most messages are updates, and all but one of the kinds need not be tried. */
  const isUpdate = (value: Wire) => {
    const kind = kinds.get(value?.update?.sessionUpdate)
    if (!kind || typeof value.sessionId !== 'string' || '_meta' in value) return false
    return validate(value.update, kind, '2020-12', lookup, true).valid
  }

  const fieldsByName = new Map<string, Set<string>>()
  const fieldsOf = (definition: string): Set<string> => {
    let known = fieldsByName.get(definition)
    if (!known) {
      known = new Set()
      fieldsByName.set(definition, known)
      collectFields(definitions[definition], definitions, known, new Set())
    }
    return known
  }

  return {
    has: (side, method, part) => names.has(`${side} ${method} ${part}`),
    judge(side, method, part, value) {
      const definition = names.get(`${side} ${method} ${part}`)
      return definition === undefined ? `no ${part} of ${method} for the ${side}` : check(definition, value ?? {})
    },
    judgeError: (value) => check('Error', value),
    strangers(side, method, part, value) {
      const definition = names.get(`${side} ${method} ${part}`)
      if (definition === undefined || typeof value !== 'object' || value === null) return []
      const unknown = (of: object, known: Set<string>) => Object.keys(of).filter((key) => !known.has(key))
      const update = method === 'session/update' && typeof value.update === 'object' ? value.update : {}
      return [
        ...unknown(value, fieldsOf(definition)).map((key) => `${definition}.${key}`),
        ...unknown(update, fieldsOf('SessionUpdate')).map((key) => `${update.sessionUpdate}.${key}`),
      ]
    },
  }
}

/** Every field any of the alternatives has. */
function collectFields(schema: Wire, definitions: Record<string, Wire>, into: Set<string>, seen: Set<Wire>): void {
  if (!schema || seen.has(schema)) return
  seen.add(schema)
  for (const key of Object.keys(schema.properties ?? {})) into.add(key)
  const inner = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
  if (schema.$ref) inner.push(definitions[schema.$ref.split('/').at(-1)])
  for (const one of inner) collectFields(one, definitions, into, seen)
}

/** Of many alternatives that all fail, the one that came furthest says most. */
function deepest(errors: readonly OutputUnit[]): string {
  const depth = (error: OutputUnit) => error.instanceLocation.split('/').length
  const worst = [...errors].sort((a, b) => depth(b) - depth(a))[0]
  return worst ? `${worst.instanceLocation} ${worst.error}` : 'not valid'
}
