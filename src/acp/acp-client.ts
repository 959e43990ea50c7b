/** What the client can, read once from `initialize`: everything we send depends on it. */
import type { InitializeRequest } from '@agentclientprotocol/sdk/unstable'
import { isObject } from '../protocol/json.js'

export type AcpClientAbilities = {
  name: string
  /** Its unsaved files are read and written through it. */
  readsFiles: boolean
  writesFiles: boolean
  /** Commands run in its terminals: it has them, and its user wants that. */
  runsCommands: boolean
  /** It asks its user with forms; sends its user to a page. */
  forms: boolean
  urls: boolean
  notices: boolean
  compaction: boolean
  switches: boolean
  subagents: boolean
  plans: boolean
  terminalLogin: boolean
  /** It shows what commands print as a terminal, from this key of `_meta`. */
  terminalOutput: 'terminal_output' | 'terminal_output_delta' | undefined
  /** What only clients that know us ask for. */
  wants: {
    hookEvents: boolean
    toolUseSummaries: boolean
    /** The client takes nothing between turns: updates wait for the next one. */
    updatesInTurns: boolean
  }
}

export function readAcpClientAbilities({ clientCapabilities, clientInfo }: InitializeRequest): AcpClientAbilities {
  const { fs, terminal, session, subagents, plan, auth, elicitation, _meta } = clientCapabilities ?? {}
  const meta = isObject(_meta) ? _meta : {}
  const own = isObject(meta['kedge']) ? meta['kedge'] : {}
  return {
    name: clientInfo?.title || clientInfo?.name || 'editor',
    readsFiles: fs?.readTextFile === true,
    writesFiles: fs?.writeTextFile === true,
    runsCommands: terminal === true && own['terminals'] === true,
    forms: isThere(elicitation?.form),
    urls: isThere(elicitation?.url),
    notices: isThere(session?.notices),
    compaction: isThere(session?.compaction),
    switches: isThere(session?.configOptions?.boolean),
    subagents: isThere(subagents),
    plans: isThere(plan),
    terminalLogin: auth?.terminal === true,
    terminalOutput: (['terminal_output', 'terminal_output_delta'] as const).find((key) => meta[key] === true),
    wants: {
      hookEvents: own['hookEvents'] === true,
      toolUseSummaries: own['toolUseSummary'] === true,
      updatesInTurns: own['updatesInTurns'] === true,
    },
  }
}

/** A capability is an object, which may be empty. */
function isThere(capability: unknown): boolean {
  return capability !== undefined && capability !== null
}
