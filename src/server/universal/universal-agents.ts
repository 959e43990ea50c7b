/** The agents of the universal API: one, by several names, and what it can be set to. Clients of 0.1 and of 0.4 ask differently. */

import { configOptions, INITIAL_CONFIG, offeredModes } from '../../acp/sessions/config-options.js'
import { isCloudSelected } from '../../model/clouds/load-cloud-factory.js'
import { modelChoices } from '../../model/model-facts.js'
import { createPlatformIdentity } from '../../platform/identity.js'
import { VERSION } from '../../platform/version.js'
import type { Options } from '../../protocol/options.js'
import { EFFORTS, freeObjectSchema } from '../api/api-schemas.js'
import {
  booleanSchema,
  listSchema,
  objectSchema,
  optionalSchema,
  responseObjectSchema,
  textSchema,
} from '../api/json-schemas.js'
import { defineOperation, type Operation } from '../api/operation.js'
import { HttpProblem } from '../api/problems.js'

const tag = 'Universal'

/** One agent, by the names it may be asked for; `mock` is the one that needs no key. */
const AGENTS = ['claude', 'kedge', 'mock'] as const
/** Permission modes of the universal API. */
export const UNIVERSAL_AGENT_MODES = [
  { id: 'build', name: 'Build', description: 'Works, and asks before calls that need approval.' },
  { id: 'plan', name: 'Plan', description: 'Reads and plans; changes nothing.' },
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
  config: optionalSchema(booleanSchema({ description: 'Whether to include the options of a session.' })),
  no_cache: optionalSchema(booleanSchema({ description: 'No effect, because nothing is cached.' })),
}

export const UNIVERSAL_AGENT_OPERATIONS: Operation[] = [
  defineOperation({
    id: 'universalListAgents',
    method: 'get',
    path: '/universal/v1/agents',
    tag,
    scope: 'read',
    query,
    summary: 'Lists agents and their capabilities.',
    answer: responseObjectSchema({ agents: listSchema(freeObjectSchema) }),
    run: async ({ query: { config = false } }, { server }) => ({
      agents: (['claude', 'mock'] as const).map((agent) => infoOf(agent, server.options, config)),
    }),
  }),
  defineOperation({
    id: 'universalGetAgent',
    method: 'get',
    path: '/universal/v1/agents/{agent}',
    tag,
    scope: 'read',
    query,
    summary: 'Returns an agent.',
    problems: ['unsupported_agent'],
    answer: freeObjectSchema,
    run: async ({ params, query: { config = false } }, { server }) =>
      infoOf(readUniversalAgentName(params.agent), server.options, config),
  }),
  defineOperation({
    id: 'universalInstallAgent',
    method: 'post',
    path: '/universal/v1/agents/{agent}/install',
    tag,
    scope: 'prompt',
    problems: ['unsupported_agent'],
    summary: 'Installs nothing: the agent is part of this program.',
    body: objectSchema({
      reinstall: optionalSchema(booleanSchema()),
      agentVersion: optionalSchema(textSchema({ description: 'No effect, because there is one version.' })),
      agentProcessVersion: optionalSchema(textSchema({ description: 'No effect.' })),
    }),
    answer: responseObjectSchema({ already_installed: booleanSchema(), artifacts: listSchema(freeObjectSchema) }),
    async run({ params }) {
      readUniversalAgentName(params.agent)
      return { already_installed: true, artifacts: [] }
    },
  }),
  defineOperation({
    id: 'universalListModels',
    method: 'get',
    path: '/universal/v1/agents/{agent}/models',
    tag,
    scope: 'read',
    summary: 'Lists the models of an agent.',
    problems: ['unsupported_agent'],
    answer: responseObjectSchema({ models: listSchema(freeObjectSchema), defaultModel: optionalSchema(textSchema()) }),
    async run({ params }, { server }) {
      if (readUniversalAgentName(params.agent) === 'mock')
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
  defineOperation({
    id: 'universalListModes',
    method: 'get',
    path: '/universal/v1/agents/{agent}/modes',
    tag,
    scope: 'read',
    summary: 'Lists the permission modes of an agent.',
    problems: ['unsupported_agent'],
    answer: responseObjectSchema({ modes: listSchema(freeObjectSchema) }),
    async run({ params }) {
      readUniversalAgentName(params.agent)
      return { modes: UNIVERSAL_AGENT_MODES }
    },
  }),
]

function infoOf(id: 'claude' | 'mock', options: Options, withConfig: boolean) {
  const env: Record<string, string | undefined> = options.env ?? process.env
  const model = id === 'mock' ? 'practice' : (options.model ?? 'default')
  const hasKey = isCloudSelected(env) || KEYS.some((name) => (env[name] ?? '') !== '')
  const credentialsAvailable = model === 'practice' || hasKey
  const chosen = { ...INITIAL_CONFIG, model, ...(options.permissionMode ? { mode: options.permissionMode } : {}) }
  const modes = offeredModes(createPlatformIdentity().uid !== 0)
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
export function readUniversalAgentName(agent: string): 'claude' | 'mock' {
  if (!(AGENTS as readonly string[]).includes(agent))
    throw new HttpProblem('unsupported_agent', `There is no agent ${JSON.stringify(agent)}.`)
  return agent === 'mock' ? 'mock' : 'claude'
}
