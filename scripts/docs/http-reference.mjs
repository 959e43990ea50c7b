// The HTTP API as pages, one for each tag of the OpenAPI document: operations with parameters, bodies, responses and examples.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `[{ id, title, text }]`, Markdown. */
export function httpPages(root) {
  const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )
  const tags = [...new Set(operations.map(({ tags: [tag] }) => tag))]
  return tags.map((tag) => ({
    id: `http-${tag.toLowerCase().replace(/\W+/g, '-')}`,
    title: `HTTP API: ${tag}`,
    text: [
      `# HTTP API: ${tag}`,
      '',
      'Generated from `openapi.json`. [Run the server](server.md) explains tokens, errors, and streams.',
      '',
      ...operations
        .filter(({ tags: [own] }) => own === tag)
        .flatMap((operation) => operationLines(operation, document)),
    ].join('\n'),
  }))
}

function operationLines(
  { method, path, summary, 'x-scope': scope, parameters = [], requestBody, responses },
  document,
) {
  const body = Object.values(requestBody?.content ?? {})[0]
  const given = [
    ...parameters.map(({ name, in: place, required, schema }) =>
      member(name, schema, required === true, `In the ${place}.`, document),
    ),
    ...bodyMembers(body?.schema, document),
  ]
  const [done] = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const answer = Object.values(done?.[1].content ?? {})[0]
  const errors = Object.entries(responses).filter(([status]) => !status.startsWith('2'))
  return [
    `## ${method} ${path}`,
    '',
    `${summary}${scope === undefined ? '' : ` Needs the scope \`${scope}\`.`}`,
    '',
    ...(given.length > 0 ? [...given, ''] : []),
    ...exampleLines('Request', body),
    ...(done ? [`**Response ${done[0]}**${answer?.schema ? `: ${typeOf(answer.schema, document)}` : ''}`, ''] : []),
    ...exampleLines('', answer),
    `Errors: ${errors.map(([status, { description }]) => `${status} (${description})`).join(', ')}.`,
    '',
  ]
}

function bodyMembers(schema, document) {
  const { properties, required = [] } = resolved(schema ?? {}, document)
  return Object.entries(properties ?? {}).map(([name, own]) => member(name, own, required.includes(name), '', document))
}

function member(name, schema, isRequired, more, document) {
  const { description = '', maximum, minimum, maxLength, default: usual } = schema
  const limits = [
    minimum === undefined && maximum === undefined ? '' : `From ${minimum ?? 0} to ${maximum ?? 'any number'}.`,
    maxLength === undefined || maxLength >= 4096 ? '' : `At most ${maxLength} characters.`,
    usual === undefined ? '' : `Default: \`${usual}\`.`,
  ]
  const about = [isRequired ? 'Required.' : '', description, more, ...limits].filter((text) => text !== '').join(' ')
  return `@@ ${name}${isRequired ? '' : '?'} | ${typeOf(schema, document)} | ${about.replace(/\s+/g, ' ')}`
}

const resolved = (schema, document) =>
  schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)]

function typeOf(schema, document) {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join('|')
  const several = schema.anyOf ?? schema.oneOf
  if (several) return [...new Set(several.map((each) => typeOf(each, document)))].join('|')
  if (schema.type === 'array') return `${typeOf(schema.items ?? {}, document)}[]`
  return [schema.type ?? 'any'].flat().join('|')
}

function exampleLines(title, content) {
  const [example] = Object.values(content?.examples ?? {})
  if (example?.value === undefined) return []
  const text = typeof example.value === 'string' ? example.value.trimEnd() : JSON.stringify(example.value, undefined, 2)
  return [
    ...(title === '' ? [] : [`**${title}**`, '']),
    `\`\`\`${typeof example.value === 'string' ? 'text' : 'json'}`,
    ...text.split('\n'),
    '```',
    '',
  ]
}
