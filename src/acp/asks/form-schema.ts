/** The form of an MCP server in the words of the client's protocol, which are almost the same. Pure. */
import type { ElicitationPropertySchema, ElicitationSchema } from '@agentclientprotocol/sdk/unstable'
import { isObject } from '../../protocol/json.js'

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'array']

/**
 * Returns the form that an MCP server requested, in the schema of ACP. Undefined: it has fields that no form can
 * show.
 */
export function toAcpFormSchema(requested: Record<string, unknown> | undefined): ElicitationSchema | undefined {
  if (!isObject(requested)) return { type: 'object', properties: {} }
  const properties = isObject(requested['properties']) ? requested['properties'] : {}
  const fields: [string, ElicitationPropertySchema][] = []
  for (const [name, field] of Object.entries(properties)) {
    if (!isObject(field) || !TYPES.includes(field['type'])) return undefined
    fields.push([name, withTitles(field)])
  }
  const required = Array.isArray(requested['required']) ? requested['required'].map(String) : undefined
  return { type: 'object', properties: Object.fromEntries(fields), ...(required ? { required } : {}) }
}

/** Names beside values are an older way of saying what `oneOf` says. */
function withTitles({ enumNames, ...field }: Record<string, unknown>): ElicitationPropertySchema {
  const values = field['enum']
  if (!Array.isArray(values) || !Array.isArray(enumNames)) return field as ElicitationPropertySchema // its type was checked
  const { enum: _, ...rest } = field
  const oneOf = values.map((value, at) => ({ const: String(value), title: String(enumNames[at] ?? value) }))
  return { ...rest, type: 'string', oneOf } as ElicitationPropertySchema // a field of text with choices
}
