/** The JSON Schema a tool shows the model, tied to the TypeScript type of its input: neither can name a field the other lacks. */

export type PropertySchema = {
  description?: string
  default?: unknown
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
  enum?: readonly string[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  minItems?: number
  maxItems?: number
  items?: PropertySchema
  properties?: Readonly<Record<string, PropertySchema>>
  required?: readonly string[]
  additionalProperties?: false
}

type RequiredKeys<Input> = { [Key in keyof Input]-?: undefined extends Input[Key] ? never : Key }[keyof Input]

export type InputSchema<Input> = {
  $schema: 'https://json-schema.org/draft/2020-12/schema'
  type: 'object'
  properties: { [Key in keyof Required<Input>]: PropertySchema }
  required: RequiredKeys<Input>[]
  additionalProperties: false
}
