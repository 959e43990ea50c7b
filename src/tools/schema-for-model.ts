/** The schema of a tool as a model reads it. */
import { isObject } from '../protocol/json.js'
import type { JsonSchema, Tool } from './tool.js'

/** Which draft it follows says nothing to a model, and hidden fields are not for it. */
export function schemaForModel({ inputSchema, hidden = [] }: Pick<Tool, 'inputSchema' | 'hidden'>): JsonSchema {
  const { $schema: _, ...schema } = inputSchema
  const { properties } = schema
  if (hidden.length === 0 || !isObject(properties)) return schema
  const shown = Object.entries(properties).filter(([name]) => !hidden.includes(name))
  return { ...schema, properties: Object.fromEntries(shown) }
}
