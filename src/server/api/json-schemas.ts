/** JSON Schemas that know their TypeScript type, so that routes, checks and the OpenAPI document say the same. */

export type ApiJsonSchema = Record<string, unknown>
/** `of` is never there: it carries the type. */
export type TypedSchema<T> = { json: ApiJsonSchema; isOptional: boolean; readonly of?: T }
export type TypeOfSchema<S> = S extends TypedSchema<infer T> ? T : never
export type SchemaFields = Record<string, TypedSchema<unknown>>
type OptionalKeys<F extends SchemaFields> = {
  [K in keyof F]: F[K] extends { isOptional: true } ? K : never
}[keyof F]
export type TypeOfSchemaFields<F extends SchemaFields> = {
  [K in Exclude<keyof F, OptionalKeys<F>>]: TypeOfSchema<F[K]>
} & {
  [K in OptionalKeys<F>]?: TypeOfSchema<F[K]>
}

function make<T>(json: ApiJsonSchema): TypedSchema<T> & { isOptional: false } {
  return { json, isOptional: false }
}

/** Texts have an end: what strangers send is kept in memory. */
const LONGEST_TEXT = 4096
/** No U+0000: neither a text in PostgreSQL nor a path can hold it. What is said may, since it is stored as JSON. */
const NO_NUL = String.raw`^[^\u0000]*$`

export const textSchema = (more: ApiJsonSchema = {}) =>
  make<string>({ type: 'string', maxLength: LONGEST_TEXT, pattern: NO_NUL, ...more })
export const longTextSchema = (more: ApiJsonSchema = {}) => make<string>({ type: 'string', ...more })
export const integerSchema = (more: ApiJsonSchema = {}) => make<number>({ type: 'integer', ...more })
export const numberSchema = (more: ApiJsonSchema = {}) => make<number>({ type: 'number', ...more })
export const booleanSchema = (more: ApiJsonSchema = {}) => make<boolean>({ type: 'boolean', ...more })
export const anySchema = (more: ApiJsonSchema = {}) => make<unknown>(more)
export const choiceSchema = <const C extends readonly string[]>(choices: C, more: ApiJsonSchema = {}) =>
  make<C[number]>({ type: 'string', enum: choices, ...more })
export const listSchema = <T>(items: TypedSchema<T>, more: ApiJsonSchema = {}) =>
  make<T[]>({ type: 'array', items: items.json, ...more })
export const recordSchema = <T>(values: TypedSchema<T>, more: ApiJsonSchema = {}) =>
  make<Record<string, T>>({ type: 'object', additionalProperties: values.json, ...more })
export const nullableSchema = <T>({ json }: TypedSchema<T>) => make<T | null>({ anyOf: [json, { type: 'null' }] })
export const anyOfSchema = <S extends readonly TypedSchema<unknown>[]>(...schemas: S) =>
  make<TypeOfSchema<S[number]>>({ anyOf: schemas.map(({ json }) => json) })
/** Marks a field as optional. */
export const optionalSchema = <T>({ json }: TypedSchema<T>): TypedSchema<T> & { isOptional: true } => ({
  json,
  isOptional: true,
})
/** Returns the schema of one fixed text. */
export const constSchema = <const T extends string>(value: T) => make<T>({ type: 'string', const: value })
/** Returns the schema of a type of the library, described by its fields or not at all. */
export const typedSchema = <T>(json: ApiJsonSchema) => make<T>(json)

/** Returns the schema of a request's object. Other fields are refused by name. */
export function objectSchema<F extends SchemaFields>(fields: F, more: ApiJsonSchema = {}) {
  const required = Object.keys(fields).filter((name) => !fields[name]?.isOptional)
  return make<TypeOfSchemaFields<F>>({
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, { json }]) => [name, json])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    ...more,
  })
}

/** Returns the schema of one of several named objects, which the field `by` tells apart. */
export function createUnionSchema(by: string, names: Record<string, string>, description: string): ApiJsonSchema {
  const refs = Object.entries(names).map(([value, name]): [string, string] => [value, `#/components/schemas/${name}`])
  return {
    description,
    oneOf: refs.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: by, mapping: Object.fromEntries(refs) },
  }
}

/** Returns the schema of an object that the server sends: clients must accept fields that are added later. */
export const responseObjectSchema = <F extends SchemaFields>(fields: F, more: ApiJsonSchema = {}) =>
  objectSchema(fields, { additionalProperties: true, ...more })
