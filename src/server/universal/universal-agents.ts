/** The agents of the universal API: one, by several names, and what it can be set to. Clients of 0.1 and of 0.4 ask differently. */

import { CHOSEN, configOptions, modesFor } from '../../acp/sessions/config-options.js'
import { asksForCloud } from '../../model/clouds/open-cloud.js'
import { modelChoices } from '../../model/model-facts.js'
import { createIdentity } from '../../platform/identity.js'
import { VERSION } from '../../platform/version.js'
import type { Options } from '../../protocol/options.js'
import { EFFORTS, freeObject } from '../api/api-schemas.js'
import { flag, listSchema, object, optional, responseObject, textSchema } from '../api/json-schemas.js'
import { type Operation, operation } from '../api/operation.js'
import { HttpProblem } from '../api/problems.js'

const tag = 'Universal'

/** One agent, by the names it may be asked for; `mock` is the one that needs no key. */
const AGENTS = ['claude', 'kedge', 'mock'] as const
export const AGENT_MODES = [
  { id: 'build', name: 'Build', description: 'Works, and asks before it does what is not allowed yet.' },
  { id: 'plan', name: 'Plan', description: 'Reads and plans, and changes nothing.' },
]
const CAPABILITIES = {
  planMode: true,
  permissions: true,
  questions: true,
  toolCalls: true,
  toolResults: true,
  textMessages: true,
  images: true,
  fileAttachments: true,
  sessionLifecycle: true,
  errorEvents: true,
  reasoning: true,
  status: true,
  commandExecution: true,
  fileChanges: true,
  mcpTools: true,
  streamingDeltas: true,
  itemStarted: true,
  sharedProcess: true,
  variants: true,
}
const KEYS = ['ANTHROPIC_API_KEY', 'CLAUDE_API_KEY', 'ANTHROPIC_AUTH_TOKEN']

/** What a client of 0.4 says with it. */
const query = {
  config: optional(flag({ description: 'With what a session of the agent can be set to.' })),
  no_cache: optional(flag({ description: 'Nothing is cached, so it makes no difference.' })),
}

export const UNIVERSAL_AGENT_OPERATIONS: Operation[] = [
  operation({
    id: 'universalListAgents',
    method: 'get',
    path: '/universal/v1/agents',
    tag,
    scope: 'read',
    query,
    summary: 'The agents there are, and what they can do.',
    answer: responseObject({ agents: listSchema(freeObject) }),
    run: async ({ query: { config = false } }, { server }) => ({
      agents: (['claude', 'mock'] as const).map((agent) => infoOf(agent, server.options, config)),
    }),
  }),
  operation({
    id: 'universalGetAgent',
    method: 'get',
    path: '/universal/v1/agents/{agent}',
    tag,
    scope: 'read',
    query,
    summary: 'One of them.',
    problems: ['unsupported_agent'],
    answer: freeObject,
    run: async ({ params, query: { config = false } }, { server }) =>
      infoOf(knownAgent(params.agent), server.options, config),
  }),
  operation({
    id: 'universalInstallAgent',
    method: 'post',
    path: '/universal/v1/agents/{agent}/install',
    tag,
    scope: 'prompt',
    problems: ['unsupported_agent'],
    summary: 'Nothing is left to do: the agent is a part of this program.',
    body: object({
      reinstall: optional(flag()),
      agentVersion: optional(textSchema({ description: 'There is one version, so it makes no difference.' })),
      agentProcessVersion: optional(textSchema({ description: 'The same.' })),
    }),
    answer: responseObject({ already_installed: flag(), artifacts: listSchema(freeObject) }),
    async run({ params }) {
      knownAgent(params.agent)
      return { already_installed: true, artifacts: [] }
    },
  }),
  operation({
    id: 'universalListModels',
    method: 'get',
    path: '/universal/v1/agents/{agent}/models',
    tag,
    scope: 'read',
    summary: 'Models the agent can use.',
    problems: ['unsupported_agent'],
    answer: responseObject({ models: listSchema(freeObject), defaultModel: optional(textSchema()) }),
    async run({ params }, { server }) {
      if (knownAgent(params.agent) === 'mock')
        return { models: [{ id: 'practice', name: 'Practice' }], defaultModel: 'practice' }
      const models = modelChoices(server.options.model).map(({ value, displayName, supportedEffortLevels }) => ({
        id: value,
        name: displayName,
        variants: supportedEffortLevels ?? [...EFFORTS],
        defaultVariant: null,
      }))
      return { models, defaultModel: server.options.model ?? 'default' }
    },
  }),
  operation({
    id: 'universalListModes',
    method: 'get',
    path: '/universal/v1/agents/{agent}/modes',
    tag,
    scope: 'read',
    summary: 'Modes the agent can work in.',
    problems: ['unsupported_agent'],
    answer: responseObject({ modes: listSchema(freeObject) }),
    async run({ params }) {
      knownAgent(params.agent)
      return { modes: AGENT_MODES }
    },
  }),
]

function infoOf(id: 'claude' | 'mock', options: Options, withConfig: boolean) {
  const env: Record<string, string | undefined> = options.env ?? process.env
  const model = id === 'mock' ? 'practice' : (options.model ?? 'default')
  const hasKey = asksForCloud(env) || KEYS.some((name) => (env[name] ?? '') !== '')
  const credentialsAvailable = model === 'practice' || hasKey
  const chosen = { ...CHOSEN, model, ...(options.permissionMode ? { mode: options.permissionMode } : {}) }
  const modes = modesFor(createIdentity().uid !== 0)
  return {
    id,
    credentialsAvailable,
    installed: true,
    version: VERSION,
    path: null,
    capabilities: CAPABILITIES,
    serverStatus: null,
    ...(withConfig
      ? { configOptions: configOptions(chosen, modelChoices(id === 'mock' ? model : options.model), modes, false) }
      : {}),
  }
}

/** `kedge` is `claude` by another name. */
export function knownAgent(agent: string): 'claude' | 'mock' {
  if (!(AGENTS as readonly string[]).includes(agent))
    throw new HttpProblem('unsupported_agent', `There is no agent ${JSON.stringify(agent)}.`)
  return agent === 'mock' ? 'mock' : 'claude'
}
