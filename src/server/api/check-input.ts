/** What a request says, checked against the operation it is for: anything that does not fit is refused by name. */
import type { IncomingMessage } from 'node:http'
import { Validator } from '@cfworker/json-schema'
import type { ApiJsonSchema } from './json-schemas.js'
import {
  createPathParameterSchema,
  listPathParamNames,
  needsBody,
  type Operation,
  type OperationInput,
} from './operation.js'
import { HttpProblem, type ProblemCode } from './problems.js'

/** Which problem a wrong name in a path is: there is nothing of that name. */
const UNKNOWN: Record<string, ProblemCode> = {
  session: 'session_not_found',
  name: 'session_not_found',
  agent: 'unsupported_agent',
  ask: 'ask_not_found',
  prompt: 'prompt_not_found',
  task: 'task_not_found',
  server: 'server_not_found',
  webhook: 'webhook_not_found',
  subscription: 'subscription_not_found',
  connection: 'connection_not_found',
  token: 'token_not_found',
}

export type OperationInputReader = (request: RawInput, maxBody: number) => Promise<OperationInput>
export type RawInput = { params: Record<string, string>; search: URLSearchParams; incoming: IncomingMessage }

export function createOperationInputReader(operation: Operation): OperationInputReader {
  const names = listPathParamNames(operation.path)
  const params = new Map(names.map((name) => [name, new Validator(createPathParameterSchema(name), '2020-12')]))
  const query = new Map(
    Object.entries(operation.query).map(([name, { json }]) => [name, { json, judge: new Validator(json, '2020-12') }]),
  )
  const body = operation.body && new Validator(operation.body.json, '2020-12', false)
  return async (asked, maxBody) => {
    for (const [name, judge] of params) {
      if (!judge.validate(asked.params[name] ?? '').valid)
        throw new HttpProblem(UNKNOWN[name] ?? 'not_found', `There is no such ${name}.`)
    }
    const given = queryOf(asked.search, query)
    for (const [name, { isOptional }] of Object.entries(operation.query))
      if (!isOptional && !(name in given)) throw new HttpProblem('invalid_request', `The parameter ${name} is missing.`)
    if (operation.bodyType !== undefined) checkType(asked.incoming, operation.bodyType)
    if (!body) return { params: asked.params, query: given, body: undefined }
    const text = await readBody(asked.incoming, operation.maxBody ?? maxBody)
    const value = text === '' && !needsBody(operation) ? {} : parse(text)
    const { valid, errors } = body.validate(value)
    if (!valid)
      throw new HttpProblem(
        'invalid_request',
        `The body is wrong: ${clearest(errors)}${nulIn(text.includes('\\u0000'))}`,
      )
    return { params: asked.params, query: given, body: value }
  }
}

function queryOf(search: URLSearchParams, known: Map<string, { json: ApiJsonSchema; judge: Validator }>) {
  const given: Record<string, unknown> = {}
  for (const [name, text] of search) {
    const parameter = known.get(name)
    if (!parameter)
      throw new HttpProblem('unknown_parameter', `There is no parameter ${JSON.stringify(name.slice(0, 100))}.`)
    if (Object.hasOwn(given, name)) throw new HttpProblem('invalid_request', `The parameter ${name} came twice.`)
    const value = fromText(text, parameter.json)
    const { valid, errors } = parameter.judge.validate(value)
    if (!valid)
      throw new HttpProblem(
        'invalid_request',
        `The parameter ${name} is wrong: ${clearest(errors)}${nulIn(text.includes('\0'))}`,
      )
    given[name] = value
  }
  return given
}

/** Parameters are texts; what isn't a number or switch stays one, and is refused as such. */
function fromText(text: string, { type }: ApiJsonSchema): unknown {
  if (type === 'integer' && /^\d{1,15}$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return type === 'array' ? text.split(',') : text
}

/** Forms of other pages can't be of our types without being asked about first. */
function checkType({ headers }: IncomingMessage, wanted: string): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== wanted || headers['content-encoding'] !== undefined)
    throw new HttpProblem('unsupported_media_type', `The body is not ${wanted}, or was compressed.`)
}

/** Reads the body. A client that disconnects in the middle of it causes the error, not the server. */
export async function* readBodyChunks(incoming: IncomingMessage): AsyncGenerator<Buffer, void> {
  try {
    yield* incoming
  } catch {
    throw new HttpProblem('request_timeout', 'The body was cut off.')
  }
}

async function readBody(incoming: IncomingMessage, maxBody: number): Promise<string> {
  const { headers } = incoming
  const tooLarge = () =>
    new HttpProblem('too_large', `A body has at most ${maxBody} bytes.`, { headers: { connection: 'close' } })
  if (Number(headers['content-length'] ?? 0) > maxBody) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of readBodyChunks(incoming)) {
    size += chunk.length
    if (size > maxBody) throw tooLarge()
    chunks.push(chunk)
  }
  if (size === 0) return ''
  checkType(incoming, 'application/json')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new HttpProblem('invalid_json', 'The body is not UTF-8.')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpProblem('invalid_json', text === '' ? 'The body is missing.' : 'The body is not valid JSON.')
  }
}

function nulIn(isThere: boolean): string {
  return isThere ? ' It contains the character U+0000: leave that out.' : ''
}

/** An unknown field often stands for a required one. */
function missingToo(errors: readonly { error: string }[], text: string): string {
  const missing = errors.find(({ error }) => /required property/.test(error))?.error
  return missing === undefined ? text : `${text} ${missing}`
}

/** The one furthest inside says what is wrong; those around it only that something is. */
function clearest(errors: readonly { instanceLocation: string; error: string }[]): string {
  const depth = ({ instanceLocation }: { instanceLocation: string }) => instanceLocation.split('/').length
  const [best] = [...errors].sort((a, b) => depth(b) - depth(a))
  if (!best) return 'it does not fit.'
  const place = best.instanceLocation.replace(/^#\/?/, '')
  // A schema without further properties.
  if (/^False boolean schema/.test(best.error)) return missingToo(errors, `${place} isn't a field.`)
  return `${place === '' ? '' : `${place}: `}${best.error}`.slice(0, 500)
}
