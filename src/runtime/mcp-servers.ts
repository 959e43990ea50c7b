/** Connects MCP servers with the session they belong to: its processes, its files, its host. */
import type { Servers } from '../mcp/servers.js'
import { join } from '../platform/paths.js'
import { COMPATIBLE_VERSION } from '../sessions/transcript.js'
import { commandEnvironment } from '../tools/bash/command-environment.js'
import { compileOutputSchema } from '../tools/structured-output/output-schema.js'
import type { McpHost } from './mcp.js'
import { answerServer } from './mcp-requests.js'
import type { SessionParts } from './session-parts.js'

export async function connectServers(
  parts: SessionParts,
  host: McpHost,
  stderr: (text: string) => void,
  onChange: () => void,
): Promise<Servers> {
  const { createServers, readLimits } = await import('../mcp/open.js')
  const { settings, platform } = parts
  const { cwd, env } = settings
  return createServers({
    platform,
    cwd,
    variables: commandEnvironment(env, cwd),
    limits: readLimits(env),
    clientInfo: { name: 'claude-code', version: COMPATIBLE_VERSION },
    sendToHost: host.sendMcp,
    openRemote: () => {
      throw new Error('Remote MCP servers are not supported yet by this version of Kedge.')
    },
    capabilities: (config) => (config.type === 'sdk' ? {} : { roots: {}, elicitation: {} }),
    onRequest: (server, method, params, signal) =>
      answerServer(server, method, params, { parts, askHost: host.elicit }, signal),
    onChange,
    onLog(server, params) {
      if (settings.debug.on) stderr(`MCP server ${server}: ${JSON.stringify(params['data'])?.slice(0, 1000)}\n`)
    },
    note: (text) => stderr(`Warning: ${text}\n`),
    tools: {
      async keep(content, extension) {
        const folder = await parts.background.outputFolder()
        const path = join(folder, `mcp-${platform.identity.hex(12)}.${extension}`)
        const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
        return platform.files.create(path, bytes, 0o600).then(
          () => path,
          () => undefined,
        )
      },
      async checkOutput(schema, value) {
        const compiled = await compileOutputSchema(schema)
        // A schema that nobody can read says nothing against the value.
        return compiled.ok ? compiled.schema.problems(value) : []
      },
    },
  })
}
