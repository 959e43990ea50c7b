/** Clients for tests of what they are sent. */
import { type AcpClientAbilities, readAcpClientAbilities } from './acp-client.js'

export const MINIMAL_CLIENT_ABILITIES: AcpClientAbilities = readAcpClientAbilities({ protocolVersion: 1 })

export const FULL_CLIENT_ABILITIES: AcpClientAbilities = readAcpClientAbilities({
  protocolVersion: 1,
  clientCapabilities: {
    elicitation: { form: {}, url: {} },
    subagents: {},
    plan: {},
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    _meta: { terminal_output: true, kedge: { hookEvents: true, toolUseSummary: true } },
  },
})
