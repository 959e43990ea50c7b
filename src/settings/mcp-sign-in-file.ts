/** The file in which sign-ins to MCP servers are kept: the user's own, for nobody else to read. */
import { sha256 } from '../platform/files/content-hash.js'
import { whileLocked } from '../platform/files/process-lock.js'
import { join } from '../platform/paths.js'
import { readUserRecord, type UserRecordPorts, updateUserRecord } from './user-record.js'

/** A refresh of somebody else takes no longer. */
const TURN_MS = 20_000

export type McpSignInFile = ReturnType<typeof openMcpSignInFile>

export function mcpSignInPath(configDir: string): string {
  return join(configDir, 'kedge-mcp-sign-ins.json')
}

export function openMcpSignInFile(ports: UserRecordPorts) {
  const path = mcpSignInPath(ports.configDir)
  return {
    read: async (): Promise<unknown> => (await readUserRecord(path, ports))?.value,
    update: (change: (value: unknown) => object): Promise<string | undefined> => updateUserRecord(path, ports, change),
    async exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
      const mark = (await sha256(new TextEncoder().encode(name))).slice(0, 16)
      await ports.files.makeDirectory(ports.configDir, 0o700)
      return whileLocked(`${path}.${mark}`, ports, work, { patienceMs: TURN_MS, otherwise: work })
    },
  }
}
