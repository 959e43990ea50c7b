/** How a session describes itself: the `system/init` of each turn, the answer to `initialize`, and its system prompt. */
import { codingPrompt, type PromptFacts, subAgentPrompt } from '../../prompts/system.js'
import type { SDKControlInitializeResponse } from '../../protocol/control.js'
import type { SDKSystemMessage } from '../../protocol/messages.js'
import type { AgentDefinition } from '../../protocol/options.js'
import { COMPATIBLE_VERSION } from '../../sessions/write-transcript.js'
import { agentInfos } from '../agents/known-agents.js'
import type { SessionParts } from '../session-parts.js'

export function initMessage(parts: SessionParts): SDKSystemMessage {
  const { settings, sessionId, permissions, model, platform, project } = parts
  return {
    type: 'system',
    subtype: 'init',
    cwd: settings.cwd,
    session_id: sessionId,
    tools: [...new Set([...parts.offered, ...parts.deferred].map(({ name }) => name))],
    mcp_servers: parts.mcp.statuses().map(({ name, status }) => ({ name, status })),
    model: currentModel(parts),
    permissionMode: permissions.mode(),
    slash_commands: [...project.lists.commandNames, ...parts.mcp.prompts().map(({ name }) => name)],
    apiKeySource: model.apiKeySource(),
    ...(settings.betas.length > 0 ? { betas: settings.betas } : {}),
    claude_code_version: COMPATIBLE_VERSION,
    output_style: project.style?.name ?? 'default',
    agents: [...parts.agents.keys()],
    skills: project.lists.skills,
    plugins: project.lists.plugins,
    uuid: platform.identity.uuid(),
    fast_mode_state: 'off',
  }
}

export function initializeResponse(parts: SessionParts): SDKControlInitializeResponse {
  const { model, platform, project } = parts
  return {
    commands: [
      ...project.lists.commands,
      ...parts.mcp
        .prompts()
        .map(({ title, description, argumentHint }) => ({ name: title, description, argumentHint })),
    ],
    output_style: project.style?.name ?? 'default',
    available_output_styles: project.lists.outputStyles,
    models: model.choices(),
    account: {
      tokenSource: model.tokenSource(),
      ...(model.apiKeySource() === 'none' ? {} : { apiKeySource: model.apiKeySource() }),
    },
    agents: agentInfos(parts.agents),
    pid: platform.identity.pid,
  }
}

/** The model of the running turn: a command may name its own. */
export function currentModel({ model, turn }: SessionParts): string {
  return turn.model === undefined ? model.current() : model.resolve(turn.model)
}

/** Read once per turn, but the same words for the whole session, so that the prompt cache holds. */
export function systemPrompt(parts: SessionParts): string[] {
  const { prompt, model, project } = parts
  // Kept apart from what a host may still set: asking about the context must not decide the prompt.
  prompt.own ??= codingPrompt({ ...promptFacts(parts, model.current()), style: project.style })
  const text = [prompt.system ?? prompt.own, prompt.append ?? ''].filter((part) => part !== '').join('\n\n')
  return text === '' ? [] : [text]
}

export function agentPrompt(parts: SessionParts, definition: AgentDefinition, model: string): string {
  const { prompt, criticalSystemReminder_EXPERIMENTAL: critical = '' } = definition
  return subAgentPrompt([prompt, critical], promptFacts(parts, model))
}

function promptFacts({ settings, platform, permissions }: SessionParts, model: string): PromptFacts {
  return {
    cwd: settings.cwd,
    os: platform.identity.os,
    date: new Date(platform.clock.now()).toISOString().slice(0, 10),
    model,
    directories: permissions.directories(),
  }
}
