/** The JSON Schema a tool shows the model, tied to the TypeScript type of its input: neither can name a field the other lacks. */

export type PropertySchema = {
  description?: string
  default?: unknown
  /** Absent beside `anyOf`, and where anything goes. */
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
  anyOf?: readonly PropertySchema[]
  enum?: readonly string[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  format?: 'uri'
  minItems?: number
  maxItems?: number
  items?: PropertySchema
  properties?: Readonly<Record<string, PropertySchema>>
  required?: readonly string[]
  propertyNames?: PropertySchema
  additionalProperties?: false | PropertySchema
}

type RequiredKeys<Input> = { [Key in keyof Input]-?: undefined extends Input[Key] ? never : Key }[keyof Input]

export type InputSchema<Input> = {
  $schema: 'https://json-schema.org/draft/2020-12/schema'
  type: 'object'
  properties: { [Key in keyof Required<Input>]: PropertySchema }
  /** Only an input that takes any key leaves this open. */
  additionalProperties: string extends keyof Input ? Readonly<Record<string, never>> : false
} & ([RequiredKeys<Input>] extends [never] ? { required?: never } : { required: RequiredKeys<Input>[] })
