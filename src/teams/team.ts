/**
 * A team on disk: the folder with its file and mailboxes, the folder of its task list, and the mark of the session that
 * leads it. The members that run are not its concern.
 */
import type { FileSystem } from '../platform/files/files.js'
import { type ProcessLockPorts, tryLock } from '../platform/files/process-lock.js'
import { join } from '../platform/paths.js'
import { createFileLocks, type RunWithFileLock } from './file-lock.js'
import { createMailboxes, type Mailboxes } from './mailboxes.js'
import { openTeamFile, type TeamMember } from './team-file.js'
import { LEAD_NAME, teamFolderName } from './team-names.js'

export type TeamPorts = ProcessLockPorts & { files: FileSystem }

export type TeamCreationRequest = {
  name: string
  description?: string | undefined
  configDir: string
  sessionId: string
  lead: Pick<TeamMember, 'agentType' | 'model' | 'cwd'>
  /** Somebody of this session wrote to a member. */
  onPosted(name: string): void
}

export type Team = {
  name: string
  configPath: string
  leadAgentId: string
  tasksFolder: string
  mail: Mailboxes
  whileLocked: RunWithFileLock
  addMember(member: TeamMember): Promise<void>
  removeMember(name: string): Promise<void>
  /** Takes the folders away. */
  delete(): Promise<void>
  /** The session that leads it is over; the files stay, for people to look at, until another team has that name. */
  release(): void
}

type Place = { name: string; folder: string; tasksFolder: string; release(): void }

/** Creates a team and its files. Undefined: no folder can have that name. */
export async function createTeam(request: TeamCreationRequest, ports: TeamPorts): Promise<Team | undefined> {
  const { files, clock } = ports
  const place = takePlace(request, ports)
  if (!place) return undefined
  const { name, folder, tasksFolder, release } = place
  const whileLocked = createFileLocks(ports)
  const configPath = join(folder, 'config.json')
  const file = openTeamFile(configPath, { files, whileLocked })
  const leadAgentId = `${LEAD_NAME}@${name}`
  // What an earlier team of that name left behind.
  for (const path of [tasksFolder, join(folder, 'inboxes')]) await files.removeTree(path)
  files.makeDirectorySync(tasksFolder, 0o700)
  const { agentType, model, cwd } = request.lead
  const createdAt = clock.now()
  const lead: TeamMember = {
    agentId: leadAgentId,
    name: LEAD_NAME,
    agentType,
    model,
    joinedAt: createdAt,
    tmuxPaneId: '',
    cwd,
    subscriptions: [],
  }
  await file.create({
    name,
    ...(request.description === undefined ? {} : { description: request.description }),
    createdAt,
    leadAgentId,
    leadSessionId: request.sessionId,
    members: [lead],
  })
  return {
    name,
    configPath,
    leadAgentId,
    tasksFolder,
    whileLocked,
    mail: createMailboxes({
      files,
      whileLocked,
      folder,
      now: clock.now,
      sleep: clock.sleep,
      onPosted: request.onPosted,
    }),
    addMember: file.add,
    removeMember: file.remove,
    async delete() {
      await files.removeTree(tasksFolder)
      await files.removeTree(folder)
    },
    release,
  }
}

/** A folder that no running session leads a team in: that of the name, or else with a number behind it. */
function takePlace({ name, configDir }: TeamCreationRequest, ports: TeamPorts): Place | undefined {
  for (let count = 1; ; count += 1) {
    const numbered = count === 1 ? name : `${name}-${count}`
    const folderOf = teamFolderName(numbered)
    if (folderOf === undefined) return undefined
    const folder = join(configDir, 'teams', folderOf)
    ports.files.makeDirectorySync(folder, 0o700)
    const lock = tryLock(join(folder, '.lead'), ports)
    if ('holder' in lock) continue
    return { name: numbered, folder, tasksFolder: join(configDir, 'tasks', folderOf), release: lock.release }
  }
}
