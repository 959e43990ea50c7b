/** Does what hooks ask for that aren't commands; loaded with the first one. */

import type { EngineRequest } from '../../engine/ports.js'
import { postHookEvent } from '../../hooks/http-hook.js'
import type { ServiceAnswer, ServiceHook, SessionHooks } from '../../hooks/session-hooks.js'
import type { MessageParam } from '../../protocol/content.js'
import type { HookInput } from '../../protocol/hooks.js'
import type { JsonObject } from '../../protocol/json.js'
import type { createSubAgent } from '../agents/sub-agent.js'
import type { DiscoveredConfiguration, SessionLocation } from '../configuration.js'
import type { Conversation } from '../conversation.js'
import type { askModelOnce } from '../tools/ask-model.js'
import { fillHookInput } from './fill-hook-input.js'
import { AGENT_HOOK_SYSTEM, hookQuestion, PROMPT_HOOK_SYSTEM, readVerdict, verdictToOutput } from './hook-verdict.js'

export type HookServicePorts = {
  main(): Conversation
  settings: SessionLocation
  hookLimits: DiscoveredConfiguration['hookLimits']
  /** Hooks that nothing is told to, for the agents of hooks: a hook must not run because of a hook. */
  silent: SessionHooks
  /** The environment of commands. */
  environment: Readonly<Record<string, string | undefined>>
  /** Functions of the agent's bundle, so the part that loads this file has no copy of them. */
  createSubAgent: typeof createSubAgent
  askModelOnce: typeof askModelOnce
}

/** Turns of an agent that checks a condition. */
const MAX_AGENT_TURNS = 30
const READERS = ['Read', 'Grep', 'Glob']

export async function runHookService(
  hook: ServiceHook,
  input: HookInput,
  ports: HookServicePorts,
  signal: AbortSignal,
): Promise<ServiceAnswer> {
  switch (hook.type) {
    case 'http':
      return { printed: await postHookEvent(hook, input, httpPorts(ports), signal) }
    case 'prompt':
      return judged(await askPrompt(hook, input, ports, signal), input, hook.continueOnBlock)
    case 'agent':
      return judged(await askAgent(hook, input, ports, signal), input)
    case 'mcp_tool':
      return { printed: await callMcpTool(hook, input, ports.main(), signal) }
  }
}

function judged(answer: string, { hook_event_name }: HookInput, continueOnBlock?: boolean): ServiceAnswer {
  return { printed: JSON.stringify(verdictToOutput(readVerdict(answer), hook_event_name, continueOnBlock)) }
}

function httpPorts({ main, hookLimits, environment }: HookServicePorts) {
  const { platform } = main().shared
  return {
    http: platform.http,
    network: platform.network,
    environment,
    limits: hookLimits ?? { urls: [] },
  }
}

type Asking<T extends ServiceHook['type']> = Extract<ServiceHook, { type: T }>

async function askPrompt(
  { prompt, model: named }: Asking<'prompt'>,
  input: HookInput,
  { main, askModelOnce }: HookServicePorts,
  signal: AbortSignal,
): Promise<string> {
  const { model } = main()
  const name = named === undefined ? (model.small() ?? model.current()) : model.resolve(named)
  const messages: MessageParam[] = [{ role: 'user', content: [{ type: 'text', text: hookQuestion(prompt, input) }] }]
  const request: EngineRequest = {
    model: name,
    system: [PROMPT_HOOK_SYSTEM],
    tools: [],
    messages,
    partial: false,
    plain: true,
  }
  const outcome = await askModelOnce(model.port, request, signal)
  if (!outcome) throw new Error('it was canceled')
  if (!outcome.ok) throw new Error(outcome.failure.text)
  return outcome.message.content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('')
}

/** A sub-agent that can only read, and that asks nobody. */
async function askAgent(
  { prompt, model: named }: Asking<'agent'>,
  input: HookInput,
  { main, silent, createSubAgent }: HookServicePorts,
  signal: AbortSignal,
): Promise<string> {
  const conversation = main()
  const { identity } = conversation.shared.platform
  const model = named ?? conversation.model.small()
  const toolUseId = `toolu_${identity.hex(24)}`
  const agent = createSubAgent(
    { ...conversation, hooks: silent },
    {
      id: identity.hex(8),
      type: 'hook',
      definition: {
        description: 'Checks a condition of a hook',
        prompt: AGENT_HOOK_SYSTEM,
        tools: READERS,
        ...(model === undefined ? {} : { model }),
      },
      toolUseId,
      depth: 1,
      mode: () => 'dontAsk',
      maxTurns: MAX_AGENT_TURNS,
      view: { toolUseId, isShown: () => false, forwardsText: false },
      wrapHooks: () => silent,
    },
  )
  try {
    const end = await agent.run(hookQuestion(prompt, input), signal)
    if (end.reason !== 'completed')
      throw new Error(end.failure?.text ?? `its agent ended without a verdict (${end.reason})`)
    return end.text
  } finally {
    agent.close()
  }
}

async function callMcpTool(
  { server, tool: called, input: given = {} }: Asking<'mcp_tool'>,
  event: HookInput,
  { shared }: Conversation,
  signal: AbortSignal,
): Promise<string> {
  const name = `mcp__${server}__${called}`
  const tool = shared.mcp.find(name)
  if (!tool) throw new Error(`MCP server ${server} has no tool ${called}, or is not connected`)
  const input: JsonObject = fillHookInput(given, event)
  const problem = await tool.check(input)
  if (problem !== undefined) throw new Error(problem)
  const id = `toolu_${shared.platform.identity.hex(24)}`
  const outcome = await tool.execute({ id, name, input }, signal, () => {})
  if (!outcome.ok) throw new Error(outcome.error)
  return typeof outcome.content === 'string'
    ? outcome.content
    : outcome.content.flatMap((block) => ('text' in block ? String(block.text) : [])).join('')
}
