// A Python method for each operation of the native API.
import { KEYWORDS, oneLine, pascal } from './models.mjs'

/** Other protocols, and what only a browser needs. */
const LEFT_OUT = /^(?:\/universal\/|\/v1\/(?:acp|login|logout|docs|openapi\.json)(?:\/|$))/
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

export function pythonOperations({ paths, info }, models) {
  const methods = Object.entries(paths)
    .filter(([path]) => !LEFT_OUT.test(path))
    .flatMap(([path, entry]) =>
      METHODS.filter((verb) => entry[verb]).map((verb) => method(verb, path, entry[verb], models.typeOf)),
    )
  const names = [...new Set(methods.flatMap(({ names: own }) => own))].sort()
  return `"""One method for each operation of the API. Generated from openapi.json ${info.version} by \`npm run python\`."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Literal, Union

from .models import (
${names.map((name) => `    ${name},\n`).join('')})
from .transport import OMIT, Omitted, Transport, path_of


class Operations:
    """The operations of a server. \`Kedge\` has them, and what makes them easy to use."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

${methods.map(({ text }) => text).join('\n')}`
}

function method(verb, path, operation, typeOf) {
  const { operationId, parameters = [], requestBody, responses, summary } = operation
  const base = pascal(operationId)
  const isStream = Object.values(responses).some(({ content }) => content?.['text/event-stream'])
  const [inPath, inQuery] = ['path', 'query'].map((place) => parameters.filter((each) => each.in === place))
  const body = bodyOf(requestBody, base, typeOf)
  const queries = inQuery.filter(({ name }) => !(isStream && name === 'after'))
  const options = [
    ...queries.map(({ name, required, schema }) => ({
      name,
      required,
      type: typeOf(schema, `${base}${pascal(name)}`),
    })),
    ...(isStream ? [{ name: 'after', type: 'int', value: '0' }] : []),
    ...body.options,
  ]
  const returned = returnType(responses, `${base}Response`, typeOf)
  const signature = [
    'self',
    ...inPath.map(({ name }) => `${snake(name)}: str`),
    ...body.parameters,
    ...(options.length > 0 ? ['*', ...options.sort(byRequired).map(optionText)] : []),
  ]
  const call = [
    JSON.stringify(verb.toUpperCase()),
    `path_of(${[JSON.stringify(path), ...inPath.map(({ name }) => `${name}=${snake(name)}`)].join(', ')})`,
    ...(queries.length > 0
      ? [`query={${queries.map(({ name }) => `${JSON.stringify(name)}: ${snake(name)}`).join(', ')}}`]
      : []),
    ...body.call,
  ]
  const performed = `self._transport.${returned.how}(${call.join(', ')})`
  const text = isStream
    ? `        return self._transport.follow(${call.slice(1).join(', ')}, after=after)`
    : returned.type === 'None'
      ? `        ${performed}`
      : `        result: ${returned.type} = ${performed}\n        return result`
  const type = isStream ? `Iterator[${returned.type}]` : returned.type
  return {
    names: namesIn([...signature, type].join(' ')),
    text: `    def ${snake(operationId)}(\n${signature.map((each) => `        ${each},\n`).join('')}    ) -> ${type}:
        """${oneLine(summary)}"""
${text}
`,
  }
}

/** The fields of a plain object become arguments of their own; anything else is one. */
function bodyOf(requestBody, base, typeOf) {
  if (!requestBody) return { parameters: [], options: [], call: [] }
  const [[kind, { schema }]] = Object.entries(requestBody.content)
  if (kind !== 'application/json')
    return { parameters: ['body: bytes'], options: [], call: ['body=body', `content_type=${JSON.stringify(kind)}`] }
  const isPlain = schema.properties !== undefined && !schema.anyOf && !schema.oneOf
  if (!isPlain) {
    const type = typeOf({ ...schema }, `${base}Body`)
    return { parameters: [`body: ${type}`], options: [], call: ['json=body'] }
  }
  const { properties, required = [] } = schema
  const options = Object.entries(properties).map(([name, each]) => ({
    name,
    required: required.includes(name),
    type: typeOf(each, `${base}${pascal(name)}`),
  }))
  const fields = Object.keys(properties).map((name) => `${JSON.stringify(name)}: ${snake(name)}`)
  return { parameters: [], options, call: [`json={${fields.join(', ')}}`] }
}

function returnType(responses, name, typeOf) {
  const [, { content }] = Object.entries(responses).find(([status]) => status.startsWith('2'))
  if (content === undefined) return { type: 'None', how: 'call' }
  const [[kind, { schema }]] = Object.entries(content)
  if (kind === 'application/json' || kind === 'text/event-stream') return { type: typeOf(schema, name), how: 'call' }
  return { type: 'bytes', how: 'download' }
}

function byRequired(a, b) {
  return Number(b.required ?? false) - Number(a.required ?? false)
}

function optionText({ name, type, required, value }) {
  if (required) return `${snake(name)}: ${type}`
  return value === undefined ? `${snake(name)}: Union[${type}, Omitted] = OMIT` : `${snake(name)}: ${type} = ${value}`
}

function snake(name) {
  const text = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  return KEYWORDS.has(text) ? `${text}_` : text
}

const KNOWN = new Set([
  'None',
  'True',
  'False',
  'Any',
  'Dict',
  'Iterator',
  'List',
  'Literal',
  'Union',
  'Omitted',
  'OMIT',
])
function namesIn(text) {
  const bare = text.replace(/"[^"]*"/g, '')
  return [...bare.matchAll(/\b[A-Z]\w*/g)].map(([name]) => name).filter((name) => !KNOWN.has(name))
}
