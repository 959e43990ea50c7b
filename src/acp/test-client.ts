/** Clients for tests of what they are sent. */
import { type Client, readClient } from './acp-client.js'

export const POOR: Client = readClient({ protocolVersion: 1 })

export const RICH: Client = readClient({
  protocolVersion: 1,
  clientCapabilities: {
    elicitation: { form: {}, url: {} },
    subagents: {},
    plan: {},
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    _meta: { terminal_output: true, kedge: { hookEvents: true, toolUseSummary: true } },
  },
})
