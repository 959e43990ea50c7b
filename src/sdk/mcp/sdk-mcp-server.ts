/** Our own MCP server for the tools of `createSdkMcpServer()`: one per server object, any number of connections. */
import { ConfigurationError } from '../../errors.js'
import type { JSONRPCMessage } from '../../protocol/mcp-servers.js'
import type { AnySdkMcpTool, CreateSdkMcpServerOptions, SdkMcpServerInstance } from '../../protocol/sdk-mcp.js'
import { messageOf } from '../../protocol/thrown.js'
import { serveConnection } from './serve-connection.js'
import type { ServedTool, ServedTools } from './served-tools.js'
import type { HostTransport } from './server-link.js'
import { readInputSchema } from './tool-schema.js'

/** What the server would answer to `initialize` and `tools/list`, where that is known without waiting. */
export type SdkMcpServerManifest = { initializeResult: object; toolsListResult: object }

const PROTOCOL_VERSION = '2025-11-25'
const OLDER_VERSIONS = ['2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

export class SdkMcpServer implements SdkMcpServerInstance {
  readonly #options: CreateSdkMcpServerOptions
  readonly #tools = new Map<string, ServedTool>()
  readonly #connections = new Set<{ transport: HostTransport; close(): void }>()
  /** Tools that can't be named to the model; each is warned of once. */
  readonly #left = new Set<string>()

  constructor(options: CreateSdkMcpServerOptions) {
    this.#options = options
    for (const tool of options.tools ?? []) {
      if (this.#tools.has(tool.name))
        throw new ConfigurationError('tools', `The MCP server ${options.name} has two tools named ${tool.name}.`)
      this.#put(tool)
    }
  }

  addTool(tool: AnySdkMcpTool): void {
    this.#put(tool)
    this.#changed()
  }

  removeTool(name: string): boolean {
    const had = this.#tools.delete(name)
    if (had) this.#changed()
    return had
  }

  async connect(transport: unknown): Promise<void> {
    // The caller provides an MCP transport here, as with every other server object.
    const connection = serveConnection(transport as HostTransport, this.#served)
    this.#connections.add(connection)
    connection.closed.then(() => this.#connections.delete(connection))
    await connection.transport.start()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections].map(({ transport }) => transport.close()))
  }

  get manifest(): SdkMcpServerManifest | undefined {
    const tools = [...this.#tools.values()].map((served) => this.#describe(served))
    const ready = tools.filter((listed) => !(listed instanceof Promise))
    if (ready.length < tools.length) return undefined
    return {
      initializeResult: this.#served.initializeResult(PROTOCOL_VERSION),
      toolsListResult: { tools: ready.filter((listed) => listed !== undefined) },
    }
  }

  #put(tool: AnySdkMcpTool): void {
    const { name, description, annotations } = tool
    const meta = { ...tool._meta, ...(this.#options.alwaysLoad ? { 'anthropic/alwaysLoad': true } : {}) }
    const listed = {
      ...(annotations ? { annotations } : {}),
      execution: { taskSupport: 'forbidden' },
      ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
    }
    this.#left.delete(name)
    this.#tools.set(name, {
      tool,
      input: readInputSchema(name, tool.inputSchema),
      listed: { name, description, ...listed },
    })
  }

  notify(notification: { method: string; params?: Record<string, unknown> }): void {
    const message: JSONRPCMessage = { jsonrpc: '2.0', ...notification }
    for (const { transport } of this.#connections) transport.send(message).catch(() => {})
  }

  #changed(): void {
    this.notify({ method: 'notifications/tools/list_changed' })
  }

  /** As it stands in `tools/list`; undefined for one that can't. */
  #describe({ input, listed }: ServedTool): object | undefined | Promise<object | undefined> {
    const whole = (inputSchema: object) => ({ ...listed, inputSchema })
    const leaveOut = (error: unknown) => this.#leaveOut(String(listed.name), error)
    try {
      const schema = input.jsonSchema()
      return schema instanceof Promise ? schema.then(whole).catch(leaveOut) : whole(schema)
    } catch (error) {
      return leaveOut(error)
    }
  }

  #leaveOut(name: string, error: unknown): undefined {
    if (!this.#left.has(name)) {
      const reason = messageOf(error)
      const text = `The tool ${name} of the MCP server ${this.#options.name} is not offered: ${reason}`
      process.emitWarning(text, { code: 'KEDGE_MCP_TOOL_SCHEMA' })
    }
    this.#left.add(name)
    return undefined
  }

  readonly #served: ServedTools = {
    initializeResult: (requested) => {
      const { name, version = '1.0.0', instructions } = this.#options
      return {
        protocolVersion: OLDER_VERSIONS.find((known) => known === requested) ?? PROTOCOL_VERSION,
        capabilities: capabilitiesOf(Object.keys(this.#options.requests ?? {})),
        serverInfo: { name, version },
        ...(instructions === undefined ? {} : { instructions }),
      }
    },
    get: (name) => this.#tools.get(name),
    handlerOf: (method) => {
      const { requests = {} } = this.#options
      return Object.hasOwn(requests, method) ? requests[method] : undefined
    },
    list: async () => {
      const tools = await Promise.all([...this.#tools.values()].map((served) => this.#describe(served)))
      return { tools: tools.filter((listed) => listed !== undefined) }
    },
  }
}

/** What a server with these handlers offers beside tools. */
function capabilitiesOf(methods: readonly string[]): Record<string, object> {
  const has = (start: string) => methods.some((method) => method.startsWith(start))
  return {
    tools: { listChanged: true },
    ...(has('resources/') ? { resources: { listChanged: true, subscribe: has('resources/subscribe') } } : {}),
    ...(has('prompts/') ? { prompts: { listChanged: true } } : {}),
    ...(has('completion/') ? { completions: {} } : {}),
    ...(has('logging/') ? { logging: {} } : {}),
  }
}
