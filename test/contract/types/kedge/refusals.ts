// What the types must refuse. Each expectation fails to compile when the error it expects is gone.
import {
  type EXIT_REASONS,
  HOOK_EVENTS,
  type HookInput,
  type Options,
  type PermissionUpdate,
  query,
  type SDKMessage,
  type SDKSessionOptions,
  tool,
} from 'kedge'
import { z } from 'zod'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_proof: Equal<A, B>): void => {}

// The lists are literal tuples, not string arrays.
same<(typeof HOOK_EVENTS)[0], 'PreToolUse'>(true)
same<(typeof EXIT_REASONS)['length'], 5>(true)
same<(typeof EXIT_REASONS)[number], 'clear' | 'logout' | 'prompt_input_exit' | 'other' | 'bypass_permissions_disabled'>(
  true,
)
// @ts-expect-error not an event
export const event: (typeof HOOK_EVENTS)[number] = 'BeforeToolUse'
// @ts-expect-error read-only
HOOK_EVENTS[0] = 'PreToolUse'

export function narrows(message: SDKMessage, input: HookInput, update: PermissionUpdate): void {
  // @ts-expect-error not every message has a result
  message.result
  // @ts-expect-error no such type of message
  if (message.type === 'nonsense') return
  if (message.type === 'system') {
    // @ts-expect-error no such subtype
    if (message.subtype === 'nonsense') return
    if (message.subtype === 'init') {
      const tools: string[] = message.tools
      // @ts-expect-error belongs to compact_boundary
      message.compact_metadata
      return void tools
    }
    if (message.subtype === 'status') same<typeof message.status, 'compacting' | null>(true)
  }
  if (message.type === 'result') {
    if (message.subtype === 'success') same<typeof message.result, string>(true)
    // @ts-expect-error failures have no result text
    else message.result
  }
  if (message.type === 'assistant') {
    for (const block of message.message.content) {
      // @ts-expect-error not every block is text
      block.text
      if (block.type === 'tool_use') same<typeof block.input, unknown>(true)
    }
  }
  // @ts-expect-error only tool events name a tool
  input.tool_name
  if (input.hook_event_name === 'SessionEnd') same<typeof input.reason, (typeof EXIT_REASONS)[number]>(true)
  // @ts-expect-error only rule updates have rules
  update.rules
}

/** Every member of the union is told apart: nothing is left over, and nothing is `any`. */
export function isComplete(message: SDKMessage): SDKMessage['type'] {
  same<0 extends 1 & SDKMessage ? true : false, false>(true)
  switch (message.type) {
    case 'assistant':
    case 'user':
    case 'result':
    case 'system':
    case 'stream_event':
    case 'tool_progress':
    case 'auth_status':
    case 'tool_use_summary':
    case 'rate_limit_event':
    case 'command_lifecycle':
    case 'conversation_reset':
    case 'prompt_suggestion':
      return message.type
    default: {
      const none: never = message
      return none
    }
  }
}

export const options: Options[] = [
  // @ts-expect-error unknown option
  { allowTools: ['Read'] },
  // @ts-expect-error not a mode
  { permissionMode: 'yolo' },
  // @ts-expect-error not a hook event
  { hooks: { BeforeTool: [] } },
  // @ts-expect-error a server needs a command
  { mcpServers: { files: { args: [] } } },
  // @ts-expect-error a denial needs a message
  { canUseTool: async () => ({ behavior: 'deny' }) },
  // @ts-expect-error a hook answers with a known decision
  { hooks: { Stop: [{ hooks: [async () => ({ decision: 'maybe' })] }] } },
]

// @ts-expect-error a session needs a model
export const session: SDKSessionOptions = { cwd: '/' }
// @ts-expect-error a prompt is needed
query({ options: {} })
// @ts-expect-error a user message is not a string
query({ prompt: (async function* () { yield 'hello' })() }) // biome-ignore format: one line, one expectation

tool('add', 'Adds', { a: z.number() }, async (args) => {
  same<typeof args.a, number>(true)
  // @ts-expect-error not in the shape
  args.b
  return { content: [] }
})
// @ts-expect-error content is needed
tool('none', 'Nothing', {}, async () => ({ isError: true }))
