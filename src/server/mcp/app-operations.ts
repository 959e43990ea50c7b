/** User interfaces of MCP tools: which a session has, one of them as a document for a frame, and the calls it asks for. */
import { toNamePart } from '../../mcp/clean-text.js'
import { freeObjectSchema } from '../api/api-schemas.js'
import { listSchema, objectSchema, responseObjectSchema, textSchema, typedSchema } from '../api/json-schemas.js'
import { defineOperation, type Operation } from '../api/operation.js'
import { HttpProblem } from '../api/problems.js'

const tag = 'Agent'
const HTML = /^text\/html\s*;\s*profile\s*=\s*"?mcp-app"?$/i
const uri = textSchema({ pattern: '^ui://', maxLength: 510 })
const name = textSchema({ minLength: 1, maxLength: 200 })
const problems = ['refused_by_agent', 'not_on_cluster'] as const

export const MCP_APP_OPERATIONS: Operation[] = [
  defineOperation({
    id: 'listMcpApps',
    method: 'get',
    path: '/v1/sessions/{session}/apps',
    tag,
    scope: 'read',
    problems,
    summary: "Lists user interfaces of MCP tools. Empty if the session's agent isn't running.",
    answer: responseObjectSchema({ apps: listSchema(responseObjectSchema({ server: name, tool: name, uri })) }),
    async run({ params }, { server }) {
      // To look at a session starts no agent.
      if (!server.agents?.isOpen(params.session)) return { apps: [] }
      const servers = await (await server.agentOf(params.session)).mcpServerStatus()
      const apps = servers.flatMap(({ name, tools = [] }) =>
        tools.flatMap((tool) =>
          tool.ui === undefined
            ? []
            : { server: name, tool: `mcp__${toNamePart(name)}__${toNamePart(tool.name)}`, uri: tool.ui },
        ),
      )
      return { apps }
    },
  }),
  defineOperation({
    id: 'openMcpApp',
    method: 'post',
    path: '/v1/sessions/{session}/apps/open',
    tag,
    scope: 'read',
    problems,
    summary: 'Returns the path of a user interface, for a frame. It works once, for a minute.',
    body: objectSchema({ server: name, uri }),
    answer: responseObjectSchema({ path: textSchema() }),
    async run({ params, body }, { server }) {
      const { contents } = await (await server.agentOf(params.session)).readMcpResource(body.server, body.uri)
      const found = contents.find(({ mimeType = '' }) => HTML.test(mimeType))
      const html = found?.text ?? (found?.blob === undefined ? undefined : Buffer.from(found.blob, 'base64').toString())
      if (html === undefined) throw new HttpProblem('refused_by_agent', `${body.uri} isn't a user interface.`)
      const { ui } = { ui: undefined, ...found?._meta }
      const { csp } = { csp: undefined, ...(typeof ui === 'object' && ui !== null ? ui : {}) }
      return { path: server.appFrames.add(html, csp, server.embedders) }
    },
  }),
  defineOperation({
    id: 'callMcpApp',
    method: 'post',
    path: '/v1/sessions/{session}/apps/call',
    tag,
    scope: 'prompt',
    isFinal: false,
    problems,
    summary: "Calls a tool for a user interface of its server. Rules and users decide, as about the model's calls.",
    body: objectSchema({ server: name, tool: name, arguments: freeObjectSchema }),
    answer: typedSchema<unknown>({ type: 'object', properties: { content: { type: 'array' } }, required: ['content'] }),
    run: async ({ params, body }, { server }) =>
      (await server.agentOf(params.session)).callMcpAppTool(body.server, body.tool, body.arguments),
  }),
]
