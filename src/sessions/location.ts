/** Where sessions live on disk. */
import { join } from '../platform/paths.js'

export type SessionPlace = { configDir: string; cwd: string }

/** Every character that is not a letter or digit becomes a dash. */
export function projectFolder({ configDir, cwd }: SessionPlace): string {
  return join(configDir, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'))
}

export function transcriptPath(place: SessionPlace, sessionId: string): string {
  return join(projectFolder(place), `${sessionId}.jsonl`)
}

const UUID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Only a UUID may become part of a path. */
export function isSessionId(id: string): boolean {
  return UUID_SHAPE.test(id)
}

/** `CLAUDE_CONFIG_DIR`, else `CLAUDE`, else `.claude` in the home folder. */
export function configFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return env.CLAUDE_CONFIG_DIR || env.CLAUDE || join(home, '.claude')
}
