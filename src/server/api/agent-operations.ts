/** What the agent of a session knows and has: models, commands, agents, MCP servers, context; and what would be permitted. */
import { explainPermission } from '../../sdk/explain-permission.js'
import { freeObjectSchema, modeSchema, schemaRef } from './api-schemas.js'
import {
  booleanSchema,
  listSchema,
  numberSchema,
  objectSchema,
  optionalSchema,
  responseObject,
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
    summary: 'Models this session can use.',
    answer: responseObject({ models: listSchema(schemaRef('ModelInfo')) }),
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
    summary: 'Slash commands there are.',
    answer: responseObject({ commands: listSchema(schemaRef('SlashCommand')) }),
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
    summary: 'Sub-agents there are.',
    answer: responseObject({ agents: listSchema(schemaRef('AgentInfo')) }),
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
    summary: 'What fills the context window, and what the session cost.',
    answer: responseObject({ context: schemaRef('SDKControlGetContextUsageResponse'), costUsd: numberSchema() }),
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
    summary: 'MCP servers and how they are.',
    answer: responseObject({ servers: listSchema(schemaRef('McpServerStatus')) }),
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
    summary: 'Connects to it again.',
    run: async ({ params }, { server }) => (await server.agentOf(params.session)).reconnectMcpServer(params.server),
  }),
  defineOperation({
    id: 'toggleMcpServer',
    method: 'post',
    path: '/v1/sessions/{session}/mcp/{server}/toggle',
    tag,
    scope: 'prompt',
    problems,
    summary: 'Turns it on or off for this session.',
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
    summary: 'Sends the running command, or all of them, to the background. False: none could be.',
    body: objectSchema({ call: optionalSchema(textSchema({ minLength: 1, description: 'The id of the tool use.' })) }),
    answer: responseObject({ moved: booleanSchema() }),
    run: async ({ params, body }, { server }) => ({
      moved: await (await server.agentOf(params.session)).backgroundTasks(body.call),
    }),
  }),
  defineOperation({
    id: 'explainPermission',
    isLocal: true,
    method: 'post',
    path: '/v1/permissions/explain',
    tag,
    scope: 'read',
    summary: 'What would happen to a tool call, and why. Nothing runs.',
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
