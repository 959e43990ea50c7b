/** The schema a host wants answers to match: checked before the session starts, then used to judge what the model hands in. */
import type { OutputUnit, SchemaDraft, Validator } from '@cfworker/json-schema'
import { isObject } from '../../protocol/json.js'
import { findSchemaProblem, resolveJsonPointer } from './schema-problems.js'

export type OutputSchema = {
  /** As the host gave it; what the model is shown. */
  schema: Record<string, unknown>
  /** `/path: must be …` for each mismatch; empty when it matches. */
  problems(value: unknown): string[]
}

export type OutputSchemaResult = { ok: true; schema: OutputSchema } | { ok: false; problem: string }

/** Reported of one answer; one wrong shape may break hundreds of rules. */
const MAX_PROBLEMS = 10

export async function compileOutputSchema(schema: unknown): Promise<OutputSchemaResult> {
  if (!isObject(schema)) return { ok: false, problem: 'it must be an object' }
  const problem = findSchemaProblem(schema)
  if (problem !== undefined) return { ok: false, problem }
  if (schema.type !== 'object') return { ok: false, problem: '/type: must be "object", as the answer is one' }
  const { Validator: Judge } = await import('@cfworker/json-schema')
  const validator = new Judge(schema, draftOf(schema.$schema), false)
  return {
    ok: true,
    schema: {
      schema,
      problems(value) {
        const { valid, errors } = judge(validator, value)
        if (valid) return []
        if (errors === undefined) return ['/: is nested too deep to be checked']
        return [...new Set(errors.flatMap((error) => describe(error, schema) ?? []))].slice(0, MAX_PROBLEMS)
      },
    },
  }
}

/** Without errors: the validator gave up, as it does where the stack ends. */
function judge(validator: Validator, value: unknown): { valid: boolean; errors?: OutputUnit[] } {
  try {
    return validator.validate(value)
  } catch {
    return { valid: false }
  }
}

function draftOf(name: unknown): SchemaDraft {
  const text = String(name)
  if (text.includes('draft-04')) return '4'
  if (text.includes('draft-06') || text.includes('draft-07')) return '7'
  return text.includes('2019-09') ? '2019-09' : '2020-12'
}

/** In the words that readers of such errors know. Undefined for those that only say that something below is wrong. */
function describe(
  { instanceLocation, keyword, keywordLocation, error }: OutputUnit,
  schema: object,
): string | undefined {
  const place = instanceLocation.slice(1)
  const limit = resolveJsonPointer(schema, keywordLocation)
  const says = (text: string) => `${place || '/'}: ${text}`
  switch (keyword) {
    case 'type':
      return says(`must be ${Array.isArray(limit) ? limit.join(' or ') : String(limit)}`)
    case 'required':
      return says(`must have required property ${/"(.*)"/.exec(error)?.[1] ?? ''}`)
    case 'false':
      return says('must NOT be there')
    case 'enum':
      return says(`must be one of ${JSON.stringify(limit)}`)
    case 'const':
      return says(`must be ${JSON.stringify(limit)}`)
    case 'pattern':
      return says(`must match pattern ${String(limit)}`)
    case 'properties':
    case 'additionalProperties':
    case 'patternProperties':
    case 'items':
    case 'prefixItems':
    case '$ref':
    case 'allOf':
      return undefined
    default:
      return says(error)
  }
}
