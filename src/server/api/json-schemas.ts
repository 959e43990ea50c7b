/** JSON Schemas that know their TypeScript type, so that routes, checks and the OpenAPI document say the same. */

export type JsonSchema = Record<string, unknown>
/** `of` is never there: it carries the type. */
export type Schema<T> = { json: JsonSchema; isOptional: boolean; readonly of?: T }
export type TypeOf<S> = S extends Schema<infer T> ? T : never
export type Fields = Record<string, Schema<unknown>>
type OptionalKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends { isOptional: true } ? K : never
}[keyof F]
export type ObjectOf<F extends Fields> = { [K in Exclude<keyof F, OptionalKeys<F>>]: TypeOf<F[K]> } & {
  [K in OptionalKeys<F>]?: TypeOf<F[K]>
}

function make<T>(json: JsonSchema): Schema<T> & { isOptional: false } {
  return { json, isOptional: false }
}

/** Texts have an end: what strangers send is kept in memory. */
const LONGEST_TEXT = 4096
/** No U+0000: neither a text in PostgreSQL nor a path can hold it. What is said may, since it is stored as JSON. */
const NO_NUL = String.raw`^[^\u0000]*$`

export const text = (more: JsonSchema = {}) =>
  make<string>({ type: 'string', maxLength: LONGEST_TEXT, pattern: NO_NUL, ...more })
export const longText = (more: JsonSchema = {}) => make<string>({ type: 'string', ...more })
export const integer = (more: JsonSchema = {}) => make<number>({ type: 'integer', ...more })
export const number = (more: JsonSchema = {}) => make<number>({ type: 'number', ...more })
export const flag = (more: JsonSchema = {}) => make<boolean>({ type: 'boolean', ...more })
export const anything = (more: JsonSchema = {}) => make<unknown>(more)
export const choice = <const C extends readonly string[]>(choices: C, more: JsonSchema = {}) =>
  make<C[number]>({ type: 'string', enum: choices, ...more })
export const list = <T>(items: Schema<T>, more: JsonSchema = {}) =>
  make<T[]>({ type: 'array', items: items.json, ...more })
export const record = <T>(values: Schema<T>, more: JsonSchema = {}) =>
  make<Record<string, T>>({ type: 'object', additionalProperties: values.json, ...more })
export const nullable = <T>({ json }: Schema<T>) => make<T | null>({ anyOf: [json, { type: 'null' }] })
export const oneOf = <S extends readonly Schema<unknown>[]>(...schemas: S) =>
  make<TypeOf<S[number]>>({ anyOf: schemas.map(({ json }) => json) })
export const optional = <T>({ json }: Schema<T>): Schema<T> & { isOptional: true } => ({ json, isOptional: true })
export const exactly = <const T extends string>(value: T) => make<T>({ type: 'string', const: value })
/** Of a type the library has, described by its fields or not at all. */
export const given = <T>(json: JsonSchema) => make<T>(json)

/** Other fields are refused by name. */
export function object<F extends Fields>(fields: F, more: JsonSchema = {}) {
  const required = Object.keys(fields).filter((name) => !fields[name]?.isOptional)
  return make<ObjectOf<F>>({
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, { json }]) => [name, json])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    ...more,
  })
}

/** What we send: who reads it must not be surprised by a field that is added later. */
export const answerObject = <F extends Fields>(fields: F, more: JsonSchema = {}) =>
  object(fields, { additionalProperties: true, ...more })
