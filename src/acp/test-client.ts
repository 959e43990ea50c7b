/** Clients for tests of what they are sent. */
import { type AcpClient, readAcpClient } from './acp-client.js'

export const MINIMAL_CLIENT: AcpClient = readAcpClient({ protocolVersion: 1 })

export const FULL_CLIENT: AcpClient = readAcpClient({
  protocolVersion: 1,
  clientCapabilities: {
    elicitation: { form: {}, url: {} },
    subagents: {},
    plan: {},
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    _meta: { terminal_output: true, kedge: { hookEvents: true, toolUseSummary: true } },
  },
})
