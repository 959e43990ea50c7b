/** The first request of every connection. */
import type { SDKControlInitializeRequest } from '../../protocol/control.js'
import { serversForInitialize, withoutServerInstances } from '../../protocol/option-table/sdk-servers.js'
import { joinSystemPrompt } from '../../protocol/option-table/system-prompt.js'
import type { Options } from '../../protocol/options.js'
import type { AgentConnection } from '../agent-connection.js'

/** What lives in this process, as the agent is told of it. */
type InProcessParts = Pick<SDKControlInitializeRequest, 'hooks' | 'sdkMcpServerManifests'> & { sdkMcpServers: string[] }

export function initializeRequest(
  options: Options,
  { hooks, sdkMcpServers, sdkMcpServerManifests, own }: InProcessParts & Pick<AgentConnection, 'own'>,
): SDKControlInitializeRequest {
  const { systemPrompt, agents, promptSuggestions, outputFormat, forwardSubagentText } = options
  const { title, skills, planModeInstructions, toolAliases, supportedDialogKinds, perTaskStopAffordance } = options
  const delivered = serversForInitialize(options)
  // Ours keeps them in the order of the option, those of this process among them.
  const mcpServers = delivered && own ? withoutServerInstances(options.mcpServers ?? {}) : delivered
  return {
    subtype: 'initialize',
    ...(hooks ? { hooks } : {}),
    ...(sdkMcpServers.length > 0 ? { sdkMcpServers } : {}),
    ...(sdkMcpServerManifests ? { sdkMcpServerManifests } : {}),
    ...(mcpServers ? { mcpServers } : {}),
    ...(outputFormat ? { jsonSchema: outputFormat.schema } : {}),
    ...systemPromptFields(systemPrompt),
    ...(agents ? { agents } : {}),
    ...(promptSuggestions ? { promptSuggestions } : {}),
    ...(forwardSubagentText ? { forwardSubagentText } : {}),
    ...(title ? { title } : {}),
    ...(Array.isArray(skills) ? { skills } : {}),
    ...(planModeInstructions ? { planModeInstructions } : {}),
    ...(toolAliases ? { toolAliases } : {}),
    ...(supportedDialogKinds?.length ? { supportedDialogKinds } : {}),
    ...(perTaskStopAffordance ? { perTaskStopAffordance } : {}),
    ...(options.sessionStore ? { sessionSync: true } : {}),
  }
}

/** No option means: no system prompt. The preset means: the agent's own, which is also what saying nothing means. */
function systemPromptFields(systemPrompt: Options['systemPrompt']) {
  if (systemPrompt === undefined) return { systemPrompt: '' }
  if (typeof systemPrompt === 'string' || Array.isArray(systemPrompt))
    return { systemPrompt: joinSystemPrompt(systemPrompt) }
  return systemPrompt.append ? { appendSystemPrompt: systemPrompt.append } : {}
}
