/** A request to the model as tests look at it: the parsed body plus the few readings of it that tests keep needing. */
import { AssertionError } from 'node:assert'
import type { MessageParam, TextBlockParam } from '../protocol/content.js'

/** The body of `POST /v1/messages`. Fields not named here are kept. */
export type MessagesBody = {
  /** The model that is asked. */
  model: string
  /** How long the answer may be. */
  max_tokens: number
  /** The conversation so far. */
  messages: MessageParam[]
  /** The system prompt. */
  system?: string | TextBlockParam[]
  /** The tools it is offered. */
  tools?: {
    /** The tool. */
    name: string
    /** What the model is told of it. */
    description?: string
    /** JSON Schema of its input. */
    input_schema?: unknown
    [key: string]: unknown
  }[]
  /** Whether the answer is to come piece by piece. */
  stream?: boolean
  /** Whether and how much it may think. */
  thinking?: {
    /** Whether it may think. */
    type: string
    /** How much. */
    budget_tokens?: number
    [key: string]: unknown
  }
  /** The caller. */
  metadata?: {
    /** The caller's id. */
    user_id?: string
  }
  [key: string]: unknown
}

/** How a response ended: sent whole, cut by the script, or abandoned by the client. */
export type Outcome = 'complete' | 'cut' | 'aborted'

/** A request to the model, with what tests look at most. */
export type ModelRequest = {
  /** Counts from 0 in order of arrival. */
  readonly index: number
  /** With the query: `/v1/messages?beta=true`. */
  readonly path: string
  /** Its headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Its body. */
  readonly body: MessagesBody
  /** The system prompt as one text. */
  readonly system: string
  /** The text of the first user message: the same in every request of a conversation. */
  readonly opening: string
  /** The text of the last user message; empty when it holds only tool results. */
  readonly prompt: string
  /** The tool results in the last user message. */
  readonly toolResults: readonly ToolResult[]
  /** The names of the tools that were offered. */
  readonly tools: readonly string[]
  /** Settles when the response is over: `await` it to see that a client really went away. */
  readonly ended: Promise<Outcome>
}

/** What the model was told about a call. */
export type ToolResult = {
  /** The id of the call. */
  readonly id: string
  /** The result as text. */
  readonly text: string
  /** Whether the call failed. */
  readonly isError: boolean
}

/** Every given field must match: a string must be contained, a RegExp must match, `tools` must all be offered. */
export type RequestMatcher = {
  /** The model that is asked. */
  model?: string | RegExp
  /** The system prompt as one text. */
  system?: string | RegExp
  /** The text of the first user message. */
  opening?: string | RegExp
  /** The text of the last user message. */
  prompt?: string | RegExp
  /** At least one tool result of the last message. */
  toolResult?: string | RegExp
  /** Names of tools that have to be offered. */
  tools?: readonly string[]
}

/** Throws an `AssertionError` that names the first field that does not match. */
export function assertMatches(request: ModelRequest, matcher: RequestMatcher): void {
  const mismatch = findMismatch(request, matcher)
  if (!mismatch) return
  throw new AssertionError({
    message: `request ${request.index}: ${mismatch.field} does not match ${show(mismatch.expected)}: ${show(mismatch.actual)}`,
    actual: mismatch.actual,
    expected: mismatch.expected,
    operator: 'match',
  })
}

export function findMismatch(
  request: ModelRequest,
  matcher: RequestMatcher,
): { field: string; expected: unknown; actual: unknown } | undefined {
  const texts = {
    model: request.body.model,
    system: request.system,
    opening: request.opening,
    prompt: request.prompt,
  }
  for (const [field, actual] of Object.entries(texts)) {
    // The keys of `texts` are keys of RequestMatcher with text patterns.
    const expected = matcher[field as keyof typeof texts]
    if (expected !== undefined && !matches(actual, expected)) return { field, expected, actual }
  }
  const { toolResult, tools } = matcher
  if (toolResult !== undefined && !request.toolResults.some((result) => matches(result.text, toolResult))) {
    return { field: 'toolResult', expected: toolResult, actual: request.toolResults.map((result) => result.text) }
  }
  if (tools?.some((name) => !request.tools.includes(name))) {
    return { field: 'tools', expected: tools, actual: request.tools }
  }
  return undefined
}

/** Adds the readings to a parsed body. Tolerates any JSON: what is malformed reads as empty. */
export function toObservedRequest(
  body: MessagesBody,
  rest: Pick<ModelRequest, 'index' | 'path' | 'headers' | 'ended'>,
): ModelRequest {
  const messages = Array.isArray(body.messages) ? body.messages : []
  const users = messages.filter((message) => message?.role === 'user')
  const last = users.at(-1)?.content
  return {
    index: rest.index,
    path: rest.path,
    headers: rest.headers,
    body,
    system: textOf(body.system),
    opening: textOf(users[0]?.content),
    prompt: textOf(last),
    toolResults: toolResultsOf(last),
    tools: Array.isArray(body.tools) ? body.tools.map((tool) => String(tool?.name)) : [],
    ended: rest.ended,
  }
}

function matches(text: string, pattern: string | RegExp): boolean {
  // A copy, because a RegExp with the g flag remembers where it stopped.
  return typeof pattern === 'string' ? text.includes(pattern) : new RegExp(pattern).test(text)
}

function show(value: unknown): string {
  const text = value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? String(value))
  return text.length > 500 ? `${text.slice(0, 499)}…` : text
}

function textOf(content: string | readonly { type: string }[] | undefined): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.flatMap((block) => (block?.type === 'text' ? [String(block.text)] : [])).join('\n')
}

function toolResultsOf(content: MessageParam['content'] | undefined): ToolResult[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((block) => {
    if (block?.type !== 'tool_result') return []
    return [{ id: block.tool_use_id, text: textOf(block.content), isError: block.is_error === true }]
  })
}
