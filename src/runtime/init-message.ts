/** How a session describes itself: the `system/init` of each turn, the answer to `initialize`, and its system prompt. */
import { codingPrompt } from '../prompts/system.js'
import type { SDKControlInitializeResponse } from '../protocol/control.js'
import type { SDKSystemMessage } from '../protocol/messages.js'
import { COMPATIBLE_VERSION } from '../sessions/transcript.js'
import type { SessionParts } from './session-parts.js'

export function initMessage(parts: SessionParts): SDKSystemMessage {
  const { settings, sessionId, permissions, model, platform } = parts
  return {
    type: 'system',
    subtype: 'init',
    cwd: settings.cwd,
    session_id: sessionId,
    tools: parts.offered.map(({ name }) => name),
    mcp_servers: Object.keys(settings.mcpServers).map((name) => ({ name, status: 'failed' })),
    model: model.current(),
    permissionMode: permissions.mode(),
    slash_commands: [],
    apiKeySource: model.apiKeySource(),
    ...(settings.betas.length > 0 ? { betas: settings.betas } : {}),
    claude_code_version: COMPATIBLE_VERSION,
    output_style: 'default',
    agents: parts.agents.map(({ name }) => name),
    skills: [],
    plugins: [],
    uuid: platform.identity.uuid(),
    fast_mode_state: 'off',
  }
}

export function initializeResponse(parts: SessionParts): SDKControlInitializeResponse {
  const { model, platform } = parts
  return {
    commands: [],
    output_style: 'default',
    available_output_styles: ['default'],
    models: model.choices(),
    account: {
      tokenSource: model.tokenSource(),
      ...(model.apiKeySource() === 'none' ? {} : { apiKeySource: model.apiKeySource() }),
    },
    agents: parts.agents,
    pid: platform.identity.pid,
  }
}

/** Read once per turn, but the same words for the whole session, so that the prompt cache holds. */
export function systemPrompt(parts: SessionParts): string[] {
  const { prompt, settings, permissions, platform, model } = parts
  // Kept apart from what a host may still set: asking about the context must not decide the prompt.
  prompt.own ??= codingPrompt({
    cwd: settings.cwd,
    os: platform.identity.os,
    date: new Date(platform.clock.now()).toISOString().slice(0, 10),
    model: model.current(),
    directories: permissions.directories(),
  })
  const text = [prompt.system ?? prompt.own, prompt.append ?? ''].filter((part) => part !== '').join('\n\n')
  return text === '' ? [] : [text]
}
