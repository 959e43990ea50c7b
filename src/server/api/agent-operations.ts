/** What the agent of a session knows and has: models, commands, agents, MCP servers, context; and what would be permitted. */
import { explainPermission } from '../../sdk/explain-permission.js'
import { freeObjectSchema, modeSchema, schemaRef } from './api-schemas.js'
import {
  booleanSchema,
  listSchema,
  numberSchema,
  objectSchema,
  optionalSchema,
  responseObjectSchema,
  textSchema,
} from './json-schemas.js'
import { defineOperation, type Operation } from './operation.js'

const tag = 'Agent'
const problems = ['agent_failed', 'refused_by_agent', 'turn_over', 'not_on_cluster'] as const

export const AGENT_OPERATIONS: Operation[] = [
  defineOperation({
    id: 'listModels',
    method: 'get',
    path: '/v1/sessions/{session}/models',
    tag,
    scope: 'read',
    problems,
    summary: 'Lists the models a session can use.',
    answer: responseObjectSchema({ models: listSchema(schemaRef('ModelInfo')) }),
    run: async ({ params }, { server }) => ({
      models: await (await server.agentOf(params.session)).supportedModels(),
    }),
  }),
  defineOperation({
    id: 'listCommands',
    method: 'get',
    path: '/v1/sessions/{session}/commands',
    tag,
    scope: 'read',
    problems,
    summary: 'Lists slash commands.',
    answer: responseObjectSchema({ commands: listSchema(schemaRef('SlashCommand')) }),
    run: async ({ params }, { server }) => ({
      commands: await (await server.agentOf(params.session)).supportedCommands(),
    }),
  }),
  defineOperation({
    id: 'listAgents',
    method: 'get',
    path: '/v1/sessions/{session}/agents',
    tag,
    scope: 'read',
    problems,
    summary: 'Lists sub-agents.',
    answer: responseObjectSchema({ agents: listSchema(schemaRef('AgentInfo')) }),
    run: async ({ params }, { server }) => ({
      agents: await (await server.agentOf(params.session)).supportedAgents(),
    }),
  }),
  defineOperation({
    id: 'getContext',
    method: 'get',
    path: '/v1/sessions/{session}/context',
    tag,
    scope: 'read',
    problems,
    summary: 'Returns the use of the context window and the cost of the session.',
    answer: responseObjectSchema({ context: schemaRef('SDKControlGetContextUsageResponse'), costUsd: numberSchema() }),
    async run({ params }, { server }) {
      const context = await (await server.agentOf(params.session)).getContextUsage()
      return { context, costUsd: (await server.hub.info(params.session)).costUsd }
    },
  }),
  defineOperation({
    id: 'listMcpServers',
    method: 'get',
    path: '/v1/sessions/{session}/mcp',
    tag,
    scope: 'read',
    problems,
    summary: 'Lists MCP servers and their status.',
    answer: responseObjectSchema({ servers: listSchema(schemaRef('McpServerStatus')) }),
    async run({ params }, { server }) {
      const servers = await (await server.agentOf(params.session)).mcpServerStatus()
      // Their configuration may hold keys.
      return { servers: servers.map(({ config: _, ...server }) => server) }
    },
  }),
  defineOperation({
    id: 'reconnectMcpServer',
    method: 'post',
    path: '/v1/sessions/{session}/mcp/{server}/reconnect',
    tag,
    scope: 'prompt',
    problems,
    summary: 'Reconnects an MCP server.',
    run: async ({ params }, { server }) => (await server.agentOf(params.session)).reconnectMcpServer(params.server),
  }),
  defineOperation({
    id: 'toggleMcpServer',
    method: 'post',
    path: '/v1/sessions/{session}/mcp/{server}/toggle',
    tag,
    scope: 'prompt',
    problems,
    summary: 'Enables or disables an MCP server for this session.',
    body: objectSchema({ enabled: booleanSchema() }),
    run: async ({ params, body }, { server }) =>
      (await server.agentOf(params.session)).toggleMcpServer(params.server, body.enabled),
  }),
  defineOperation({
    id: 'moveToBackground',
    method: 'post',
    path: '/v1/sessions/{session}/background',
    tag,
    scope: 'prompt',
    problems,
    summary: 'Moves one or all running calls to the background. Returns `false` if none could be moved.',
    body: objectSchema({ call: optionalSchema(textSchema({ minLength: 1, description: 'The id of the tool call.' })) }),
    answer: responseObjectSchema({ moved: booleanSchema() }),
    run: async ({ params, body }, { server }) => ({
      moved: await (await server.agentOf(params.session)).backgroundTasks(body.call),
    }),
  }),
  defineOperation({
    id: 'askAside',
    method: 'post',
    path: '/v1/sessions/{session}/ask',
    tag,
    scope: 'prompt',
    isFinal: false,
    problems,
    summary: 'Asks the model a question about a session that leaves no trace in it, also while a turn runs.',
    body: objectSchema({ question: textSchema({ minLength: 1, maxLength: 100_000 }) }),
    answer: responseObjectSchema({
      answer: textSchema(),
      inputTokens: numberSchema(),
      cacheReadTokens: numberSchema(),
      outputTokens: numberSchema(),
      costUsd: numberSchema(),
    }),
    run: async ({ params, body }, { server }) => (await server.agentOf(params.session)).ask(body.question),
  }),
  defineOperation({
    id: 'reloadSession',
    method: 'post',
    path: '/v1/sessions/{session}/reload',
    tag,
    scope: 'prompt',
    problems,
    summary: 'Reads settings, plugins, skills, agents, output styles, and instructions again. Returns what changed.',
    answer: responseObjectSchema({ changes: listSchema(textSchema()), problems: listSchema(textSchema()) }),
    run: async ({ params }, { server }) => (await server.agentOf(params.session)).reload(),
  }),
  defineOperation({
    id: 'explainPermission',
    isLocal: true,
    method: 'post',
    path: '/v1/permissions/explain',
    tag,
    scope: 'read',
    summary: 'Explains the permission decision for a tool call, without running it.',
    body: objectSchema({
      cwd: textSchema({ minLength: 1 }),
      tool: textSchema({ minLength: 1, maxLength: 200 }),
      input: freeObjectSchema,
      mode: optionalSchema(modeSchema),
      rules: optionalSchema(
        objectSchema({
          allow: optionalSchema(listSchema(textSchema(), { maxItems: 200 })),
          ask: optionalSchema(listSchema(textSchema(), { maxItems: 200 })),
          deny: optionalSchema(listSchema(textSchema(), { maxItems: 200 })),
        }),
      ),
    }),
    answer: schemaRef('PermissionExplanation'),
    problems: ['invalid_folder', 'invalid_option'],
    run: ({ body }, { server }) => explainPermission({ ...body, cwd: server.folder(body.cwd) }),
  }),
]
