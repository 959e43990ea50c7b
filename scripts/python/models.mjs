// The schemas of the API document as Python types: a TypedDict for each object, so that JSON stays the dictionary it is, and a
// union for each choice, so that a type checker tells its members apart.

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/
export const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)
const SIMPLE = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }

/** `{ typeOf(schema, name), text() }`: types that operations ask for are added to those of the document. */
export function pythonModels({ components, info }) {
  const blocks = new Map()
  const typeOf = createTypes(blocks)
  for (const [name, schema] of Object.entries(components.schemas)) typeOf.define(name, schema)
  return { typeOf, text: () => [head(info.version), ...blocks.values()].join('\n\n\n').concat('\n') }
}

function head(version) {
  return `"""What the API of a Kedge server takes and returns. Generated from openapi.json ${version} by \`npm run python\`."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, NotRequired, TypedDict, Union`
}

function createTypes(blocks) {
  const typeOf = (schema, name) => {
    if (schema === undefined || schema === true) return 'Any'
    if (schema.$ref) return schema.$ref.replace(/^.*\//, '')
    if (schema.const !== undefined) return literal([schema.const])
    if (schema.enum) return literal(schema.enum)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return union(choices.map((each, at) => typeOf(each, `${name}${choiceName(each, at)}`)))
    if (schema.allOf) return typeOf(merged(schema), name)
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, name)))
    if (schema.type === 'array') return `List[${typeOf(schema.items, `${name}Item`)}]`
    if (schema.type === 'object' || schema.properties) return objectType(schema, name)
    return SIMPLE[schema.type] ?? 'Any'
  }
  const objectType = (schema, name) => {
    if (schema.properties === undefined) return `Dict[str, ${typeOf(valueSchema(schema), `${name}Value`)}]`
    define(name, schema)
    return name
  }
  const define = (name, schema) => {
    if (blocks.has(name)) return
    blocks.set(name, '')
    const isObject = schema.properties !== undefined && !schema.anyOf && !schema.oneOf && !schema.allOf
    const text = isObject ? typedDict(name, schema, typeOf) : alias(name, schema, typeOf)
    // Behind what it is made of: an alias is evaluated where it stands.
    blocks.delete(name)
    blocks.set(name, text)
  }
  return Object.assign(typeOf, { define })
}

function valueSchema({ additionalProperties }) {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

function typedDict(name, { properties, required = [], description }, typeOf) {
  const fields = Object.entries(properties).map(([key, schema]) => {
    const type = typeOf(schema, `${name}${pascal(key)}`)
    return { key, type: required.includes(key) ? type : `NotRequired[${type}]`, description: schema.description }
  })
  if (fields.some(({ key }) => !IDENTIFIER.test(key) || KEYWORDS.has(key))) {
    const rows = fields.map(({ key, type }) => `        ${JSON.stringify(key)}: ${JSON.stringify(type)},\n`).join('')
    return `${comment(description, '')}${name} = TypedDict(\n    ${JSON.stringify(name)},\n    {\n${rows}    },\n)`
  }
  const rows = fields.map((field) => `${comment(field.description, '    ')}    ${field.key}: ${field.type}`)
  return [`class ${name}(TypedDict):`, ...docstring(description), ...(rows.length > 0 ? rows : ['    pass'])].join('\n')
}

function alias(name, schema, typeOf) {
  const type = typeOf(schema, name)
  // As text, because a name in it may come later in the file.
  const quoted = type.replace(/"[^"]*"|[A-Za-z_]\w*/g, (word) => (isOwnName(word) ? JSON.stringify(word) : word))
  return `${comment(schema.description, '')}${name} = ${quoted}`
}

const OWN = new Set([
  'Any',
  'Dict',
  'List',
  'Literal',
  'NotRequired',
  'Union',
  'str',
  'int',
  'float',
  'bool',
  'None',
  'True',
  'False',
])
function isOwnName(word) {
  return !word.startsWith('"') && !OWN.has(word)
}

/** Objects that are one: their fields together. */
function merged({ allOf, ...rest }) {
  const parts = allOf.filter(({ properties }) => properties)
  if (parts.length !== allOf.length) return allOf.find(({ $ref }) => $ref) ?? {}
  return {
    ...rest,
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

/** By the field that tells it apart from the others, or by its place. */
function choiceName({ properties = {} }, at) {
  const tags = ['subtype', 'kind', 'type', 'change', 'action', 'behavior']
  const tag = tags.map((each) => properties[each]?.const).find((value) => typeof value === 'string')
  return tag === undefined ? `${at + 1}` : pascal(tag)
}

function union(types) {
  const unique = [...new Set(types)]
  if (unique.includes('Any')) return 'Any'
  return unique.length === 1 ? unique[0] : `Union[${unique.join(', ')}]`
}

function literal(values) {
  return `Literal[${values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : pythonValue(value))).join(', ')}]`
}

function pythonValue(value) {
  return value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : String(value)
}

export function pascal(text) {
  return text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter) => letter.toUpperCase())
}

function docstring(text) {
  return text === undefined ? [] : [`    """${oneLine(text)}"""`, '']
}

function comment(text, indent) {
  return text === undefined ? '' : `${indent}#: ${oneLine(text)}\n`
}

export function oneLine(text) {
  return text.replace(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim()
}
