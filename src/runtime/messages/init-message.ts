/** How a session describes itself: the `system/init` of each turn, the answer to `initialize`, and its system prompt. */
import { hasFastMode } from '../../model/model-facts.js'
import { oneLine } from '../../platform/visible-text.js'
import { codingPrompt, type PromptFacts, subAgentPrompt } from '../../prompts/system.js'
import type { SDKControlInitializeResponse } from '../../protocol/control.js'
import type { SDKSystemMessage } from '../../protocol/messages.js'
import type { AgentDefinition, SlashCommand } from '../../protocol/options.js'
import { escapeOwnTags } from '../../protocol/shown/own-tags.js'
import { TRANSCRIPT_VERSION } from '../../sessions/write-transcript.js'
import { agentInfos } from '../agents/known-agents.js'
import type { Conversation } from '../conversation.js'

export function initMessage(conversation: Conversation): SDKSystemMessage {
  const {
    shared: { settings, sessionId, platform, project },
    permissions,
    model,
  } = conversation
  return {
    type: 'system',
    subtype: 'init',
    cwd: settings.cwd,
    session_id: sessionId,
    tools: [...new Set([...conversation.offer.offered, ...conversation.offer.deferred].map(({ name }) => name))],
    mcp_servers: conversation.shared.mcp.statuses().map(({ name, status }) => ({ name, status })),
    model: currentModel(conversation),
    permissionMode: permissions.mode(),
    slash_commands: [...project.lists.commandNames, ...conversation.shared.mcp.prompts().map(({ name }) => name)],
    apiKeySource: model.credentials().source,
    ...(settings.betas.length > 0 ? { betas: [...settings.betas] } : {}),
    claude_code_version: TRANSCRIPT_VERSION,
    output_style: project.style?.name ?? 'default',
    agents: [...conversation.shared.agents.known.keys()],
    skills: project.lists.skills,
    plugins: project.lists.plugins,
    uuid: platform.identity.uuid(),
    fast_mode_state: fastModeOf(conversation),
  }
}

function fastModeOf(conversation: Conversation): 'on' | 'off' {
  return conversation.shared.live.fast && hasFastMode(currentModel(conversation)) ? 'on' : 'off'
}

export function initializeResponse(conversation: Conversation): SDKControlInitializeResponse {
  const { source, tokenSource, apiProvider } = conversation.model.credentials()
  const {
    model,
    shared: { platform, project },
  } = conversation
  return {
    commands: slashCommandsOf(conversation),
    output_style: project.style?.name ?? 'default',
    available_output_styles: project.lists.outputStyles,
    models: model.choices(),
    account: {
      tokenSource,
      ...(source === 'none' ? {} : { apiKeySource: source }),
      ...(apiProvider ? { apiProvider } : {}),
    },
    agents: agentInfos(conversation.shared.agents.known),
    pid: platform.identity.pid,
    hook_on_failure_supported: true,
    claude_code_version: TRANSCRIPT_VERSION,
    fast_mode_state: fastModeOf(conversation),
  }
}

/** Those of files and our own, then the prompts of servers that are there. */
export function slashCommandsOf({ shared: { project, mcp } }: Pick<Conversation, 'shared'>): SlashCommand[] {
  const prompts = mcp
    .prompts()
    .map(({ title: name, description, argumentHint }) => ({ name, description, argumentHint }))
  return [...project.lists.commands, ...prompts]
}

/** The model of the running turn: a command may name its own, and plans may have theirs. */
export function currentModel({ model, turn, permissions }: Conversation): string {
  if (turn.model !== undefined) return model.resolve(turn.model)
  const plans = model.forPlans()
  return plans !== undefined && permissions.mode() === 'plan' ? plans : model.current()
}

/** Read once per turn, but the same words for the whole session, so that the prompt cache holds. */
export function sessionSystemPrompt(conversation: Conversation): string[] {
  const {
    prompt,
    model,
    shared: { project },
  } = conversation
  // Kept apart from what a host may still set: asking about the context must not decide the prompt.
  const facts = () => promptFacts(conversation, model.current(), conversation.offer.offered)
  const own = () => (prompt.own ??= codingPrompt({ ...facts(), style: project.style }))
  const text = [prompt.system ?? own(), prompt.append ?? ''].filter((part) => part !== '').join('\n\n')
  return text === '' ? [] : [text]
}

type ToolNames = readonly { readonly name: string }[]

/** `tools`: those of the agent. */
export function subAgentSystemPrompt(
  conversation: Conversation,
  definition: AgentDefinition,
  model: string,
  tools: ToolNames,
): string {
  const { prompt, criticalSystemReminder_EXPERIMENTAL: critical = '' } = definition
  return subAgentPrompt([prompt, critical], promptFacts(conversation, model, tools))
}

function promptFacts({ shared, permissions }: Conversation, model: string, tools: ToolNames): PromptFacts {
  const { settings, platform, plan } = shared
  const language = settings.language && escapeOwnTags(oneLine(settings.language, 100))
  return {
    cwd: settings.cwd,
    os: platform.identity.os,
    shell: 'bash',
    date: new Date(platform.clock.now()).toISOString().slice(0, 10),
    model,
    directories: permissions.directories(),
    tools: new Set(tools.map(({ name }) => name)),
    canAsk: plan.canBeApproved(),
    withGit: settings.tellsGit !== false,
    ...(language === undefined || language === '' ? {} : { language }),
  }
}
