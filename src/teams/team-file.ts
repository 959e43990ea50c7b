/** `teams/<team>/config.json`: who is in a team, in the observed shape. */
import { systemErrorCode } from '../platform/files/file-stat.js'
import type { FileSystem } from '../platform/files/files.js'
import { dirname } from '../platform/paths.js'
import type { RunWithFileLock } from './file-lock.js'

export type TeamMember = {
  agentId: string
  name: string
  agentType: string
  model: string
  prompt?: string
  color?: string
  planModeRequired?: boolean
  joinedAt: number
  tmuxPaneId: string
  cwd: string
  subscriptions: []
  backendType?: 'in-process'
}

export type TeamFile = {
  name: string
  description?: string
  createdAt: number
  leadAgentId: string
  leadSessionId: string
  members: TeamMember[]
}

export type TeamFilePorts = {
  files: Pick<FileSystem, 'readTextSync' | 'replace' | 'makeDirectorySync'>
  whileLocked: RunWithFileLock
}

const MAX_BYTES = 16 * 1024 * 1024

export function openTeamFile(path: string, { files, whileLocked }: TeamFilePorts) {
  const write = (team: TeamFile) => files.replace(path, `${JSON.stringify(team, null, 2)}\n`)
  const changeMembers = (change: (members: TeamMember[]) => TeamMember[]) =>
    whileLocked(path, async () => {
      const team = readTeam(files, path)
      // Somebody removed the team: there is nothing to be a member of.
      if (team) await write({ ...team, members: change(team.members) })
    })
  return {
    async create(team: TeamFile): Promise<void> {
      files.makeDirectorySync(dirname(path), 0o700)
      await whileLocked(path, () => write(team))
    },
    add: (member: TeamMember) => changeMembers((members) => [...members, member]),
    remove: (name: string) => changeMembers((members) => members.filter((member) => member.name !== name)),
  }
}

/** Undefined: there is none, or none that can be read. */
function readTeam(files: Pick<FileSystem, 'readTextSync'>, path: string): TeamFile | undefined {
  try {
    const value: unknown = JSON.parse(files.readTextSync(path, MAX_BYTES))
    const isTeam = typeof value === 'object' && value !== null && 'members' in value && Array.isArray(value.members)
    // Written by us or by the original; what else stands in it is kept as it is.
    return isTeam ? (value as TeamFile) : undefined
  } catch (error) {
    if (error instanceof SyntaxError || systemErrorCode(error) !== undefined) return undefined
    throw error
  }
}
