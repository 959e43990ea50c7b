/** Settings as JSON Schema, for editors: made from the table of known keys by `scripts/emit-schema.mjs`. */
import { settingsShape } from './known-keys.js'
import type { ObjectShape, Shape } from './shape.js'

/** By name. The hooks of all events look the same, so they are described once. */
export function settingsSchemas(): Record<'Settings' | 'SettingsHooks', object> {
  const events = Object.keys(settingsShape.keys.hooks.keys)
  const hooks = {
    type: 'object',
    properties: Object.fromEntries(events.map((event) => [event, { $ref: '#/$defs/SettingsHooks' }])),
    description: settingsShape.keys.hooks.about,
  }
  return {
    Settings: {
      type: 'object',
      properties: { ...propertiesOf(settingsShape.keys), hooks },
      description: settingsShape.about,
    },
    SettingsHooks: schemaOf(settingsShape.keys.hooks.keys.PostToolUse),
  }
}

function propertiesOf(keys: Readonly<Record<string, Shape>>): Record<string, object> {
  return Object.fromEntries(Object.entries(keys).map(([key, shape]) => [key, schemaOf(shape)]))
}

function schemaOf(shape: Shape): object {
  return { ...typeOf(shape), description: shape.about }
}

function variantOf(by: string, kind: string, { keys, needs = [], about }: ObjectShape): object {
  const properties = { [by]: { type: 'string', enum: [kind] }, ...propertiesOf(keys) }
  return { type: 'object', properties, required: [by, ...needs], description: about }
}

function typeOf(shape: Shape): object {
  switch (shape.kind) {
    case 'object':
      return { type: 'object', properties: propertiesOf(shape.keys), ...(shape.needs && { required: shape.needs }) }
    case 'variant':
      return { anyOf: Object.entries(shape.of).map(([kind, of]) => variantOf(shape.by, kind, of)) }
    case 'json':
      return { type: 'object' }
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(shape.of) }
    case 'list':
      return { type: 'array', items: schemaOf(shape.of) }
    case 'choice':
      return { type: 'string', enum: shape.values }
    case 'number':
      return { type: 'number' }
    case 'switch':
      return { type: 'boolean' }
    case 'text':
      return { type: 'string' }
  }
}
