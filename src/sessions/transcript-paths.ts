/** Where sessions live on disk. */
import { join } from '../platform/paths.js'

export type ProjectLocation = { configDir: string; cwd: string }

/** Longer names are cut, and told apart by a hash: no file system takes much more. */
const MAX_NAME = 200

/** The folder of a working directory: every character that is not a letter or digit becomes a dash. */
export function projectKey(cwd: string): string {
  const name = cwd.replace(/[^a-zA-Z0-9]/g, '-')
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME)}-${hash(cwd)}`
}

function hash(text: string): string {
  let value = 0
  for (let i = 0; i < text.length; i += 1) value = (Math.imul(value, 31) + text.charCodeAt(i)) | 0
  return Math.abs(value).toString(36)
}

export function projectsFolder(configDir: string): string {
  return join(configDir, 'projects')
}

export function transcriptFolderOfProject({ configDir, cwd }: ProjectLocation): string {
  return join(projectsFolder(configDir), projectKey(cwd))
}

export function transcriptPath(place: ProjectLocation, sessionId: string): string {
  return transcriptPathInFolder(transcriptFolderOfProject(place), sessionId)
}

export function transcriptPathInFolder(folder: string, sessionId: string): string {
  return join(folder, `${sessionId}.jsonl`)
}

export function lockPath(transcript: string): string {
  return `${transcript}.lock`
}

/** What belongs to a session beside its own file. */
export function sessionFilesFolder(transcript: string): string {
  return transcript.replace(/\.jsonl$/, '')
}

/** Where a sub-agent of a session writes its own lines. */
export function agentTranscriptPath(transcript: string, agentId: string): string {
  return join(sessionFilesFolder(transcript), 'subagents', `agent-${agentId}.jsonl`)
}

/** The session id a file name stands for. */
export function sessionIdOfFile(fileName: string): string | undefined {
  const id = fileName.replace(/\.jsonl$/, '')
  return fileName.endsWith('.jsonl') && isSessionId(id) ? id : undefined
}

const UUID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Only a UUID may become part of a path. */
export function isSessionId(id: unknown): boolean {
  return typeof id === 'string' && UUID_SHAPE.test(id)
}

/** The same for sub-agents, whose ids are short words. */
export function isAgentId(id: unknown): boolean {
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id)
}

/** `CLAUDE_CONFIG_DIR`, else `CLAUDE`, else `.claude` in the home folder. */
export function configFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return env.CLAUDE_CONFIG_DIR || env.CLAUDE || join(home, '.claude')
}
