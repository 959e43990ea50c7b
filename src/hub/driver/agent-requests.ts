/** What an agent asks of people: each call of these callbacks becomes a request, and its decision the agent's answer. */
import type { ElicitationRequest, OnElicitation, OnMcpSignIn } from '../../protocol/mcp-servers.js'
import type { CanUseTool, PermissionUpdate } from '../../protocol/permission-types.js'
import type { Ask, AskingAgent, AskKind, RuleSuggestion } from '../../protocol/session-log/ask-types.js'
import { modeName } from '../../protocol/shown/vocabulary.js'
import { toElicitationResult, toMcpSignInAnswer, toPermissionResult } from '../answers.js'
import type { SessionJournal } from './session-journal.js'

export type AgentRequestPorts = {
  session: string
  journal: Pick<SessionJournal, 'decide'>
  /** Returns the id of a request. `call` is the tool call that needs a decision, the same on every machine. */
  newAskId(call?: string): string | Promise<string>
  hash(text: string): Promise<string>
  now(): number
  /** Returns the sub-agent that makes this call; undefined if it isn't a sub-agent's. */
  askerOf(useId: string): AskingAgent | undefined
}

type AskFields = Omit<Ask, 'id' | 'session' | 'since'>

export function createAgentRequestHandlers(ports: AgentRequestPorts): {
  canUseTool: CanUseTool
  onElicitation: OnElicitation
  onMcpSignIn: OnMcpSignIn
} {
  const { session, journal, newAskId, hash, now, askerOf } = ports
  const toAsk = (id: string, fields: AskFields): Ask => ({
    id,
    session,
    ...fields,
    since: new Date(now()).toISOString(),
  })
  return {
    async canUseTool(name, input, options) {
      const { agentID, toolUseID, signal, canPark = false } = options
      const asker = agentID === undefined ? undefined : askerOf(toolUseID)
      const fields = createAskOfToolCall(name, input, options, { hash: await hash(JSON.stringify(input)), asker })
      const ask = toAsk(await newAskId(`${agentID ?? ''} ${toolUseID}`), fields)
      const decision = await journal.decide(ask, { canPark, signal })
      if (decision === 'park') return { behavior: 'park' }
      if ('void' in decision) return { behavior: 'deny', message: `The question was withdrawn: ${decision.void}` }
      return toPermissionResult(ask, decision.answer)
    },
    async onElicitation(request, { signal, toolUseID: useId, questionKey: key, canPark = false }) {
      const origin = useId === undefined || key === undefined ? undefined : { useId, key }
      const id = await newAskId(origin && `elicitation ${origin.useId} ${origin.key}`)
      const fields = { ...createElicitationAsk(request), ...(origin ? { origin } : {}) }
      const decision = await journal.decide(toAsk(id, fields), { canPark, signal })
      if (decision === 'park') return { action: canPark ? 'park' : 'cancel' }
      if ('void' in decision) return { action: 'cancel' }
      return toElicitationResult(decision.answer)
    },
    async onMcpSignIn(request, { signal }) {
      const why = { layer: 'tool' as const, text: `The MCP server ${request.server} needs a sign-in.` }
      const fields: AskFields = { kind: 'sign-in', agent: [], signIn: request, why, suggestions: [] }
      const decision = await journal.decide(toAsk(await newAskId(), fields), { canPark: false, signal })
      return decision === 'park' || 'void' in decision ? { action: 'cancel' } : toMcpSignInAnswer(decision.answer)
    },
  }
}

function createAskOfToolCall(
  name: string,
  input: Record<string, unknown>,
  options: Parameters<CanUseTool>[2],
  { hash, asker }: { hash: string; asker: AskingAgent | undefined },
): AskFields {
  return {
    kind: kindOf(name),
    agent: options.agentID === undefined ? [] : [options.agentID],
    ...(asker ? { asker } : {}),
    tool: { name, input, hash, useId: options.toolUseID },
    ...(options.preview ? { preview: options.preview } : {}),
    why: options.why ?? { layer: options.blockedPath ? 'path' : 'tool', text: options.decisionReason ?? '' },
    suggestions: (options.suggestions ?? []).map(toSuggestion),
  }
}

function createElicitationAsk(request: ElicitationRequest): AskFields {
  const why = { layer: 'tool' as const, text: `The MCP server ${request.serverName} asks.` }
  return { kind: 'elicitation', agent: [], elicitation: request, why, suggestions: [] }
}

function kindOf(tool: string): AskKind {
  if (tool === 'AskUserQuestion') return 'question'
  return tool === 'ExitPlanMode' ? 'plan' : 'permission'
}

const SCOPES = {
  session: 'session',
  cliArg: 'session',
  localSettings: 'local',
  projectSettings: 'project',
  userSettings: 'user',
} as const

function toSuggestion(update: PermissionUpdate): RuleSuggestion {
  return { update, rule: describe(update), scope: SCOPES[update.destination] }
}

function describe(update: PermissionUpdate): string {
  if (update.type === 'setMode')
    return update.mode === 'acceptEdits' ? 'all file edits' : `permission mode ${modeName(update.mode)}`
  if ('directories' in update) return update.directories.map((folder) => `folder ${folder}`).join(', ')
  return update.rules
    .map(({ toolName, ruleContent }) => (ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`))
    .join(', ')
}
