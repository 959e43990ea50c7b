/** Connects a session to its file checkpoints: which calls change files, where what they were is kept, who is told. */

import type { Checkpoints } from '../../checkpoints/checkpoints.js'
import type { ChangedOrMovedPath } from '../../checkpoints/reached-paths.js'
import type { RewindFlags } from '../../checkpoints/run-rewind.js'
import type { EngineTool } from '../../engine/ports.js'
import type { Permissions } from '../../permissions/permission-engine.js'
import { isInside, join } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'
import type { UUID } from '../../protocol/content.js'
import type { RewindFilesResult } from '../../protocol/control.js'
import type { SessionChoice } from '../../protocol/option-table/start-settings.js'
import { messageOf } from '../../protocol/thrown.js'
import type { TranscriptWriter } from '../../sessions/write-transcript.js'
import type { SessionLocation } from '../configuration.js'
import type { RecordingEmitter } from '../messages/emitter.js'

export interface SessionCheckpoints {
  /** A user message came. */
  begin(uuid: UUID): Promise<void>
  /** The turn is over: says what it changed. */
  end(): Promise<void>
  /** The same tool, but what its calls change is kept first. */
  guard(tool: EngineTool | undefined): EngineTool | undefined
  /** Undefined: there is no checkpoint of that message. */
  rewind(messageId: string, how: RewindFlags): Promise<RewindFilesResult | undefined>
}

/** What checkpoints need of their session. */
export type SessionCheckpointPorts = {
  settings: Omit<SessionLocation, 'env'> & Pick<SessionChoice, 'checkpoints' | 'persist'>
  platform: Platform
  sessionId: string
  transcript: Pick<TranscriptWriter, 'path' | 'parent' | 'fileHistory'>
  permissions: Permissions
  emitter: Pick<RecordingEmitter, 'inform' | 'filesPersisted'>
}

/** What a session that is not saved keeps in memory. */
const MAX_MEMORY_BYTES = 100 * 1024 * 1024

/** Nothing is loaded until the first message, and nothing at all where no checkpoints are wanted. */
export function createSessionCheckpoints(ports: SessionCheckpointPorts): SessionCheckpoints {
  let opened: Promise<Checkpoints> | undefined
  /** Files that calls with permission changed in this process, wherever they are. */
  const changed = new Set<string>()
  const isOn = ports.settings.checkpoints
  const open = () => {
    opened ??= openCheckpoints(ports, changed)
    return opened
  }
  const told = new Set<string>()
  /** A checkpoint that fails costs the rewind, never the turn. Told once. */
  const orTell = async (work: (checkpoints: Checkpoints) => Promise<void>) => {
    try {
      await work(await open())
    } catch (error) {
      const text = `File checkpoints are not complete: ${messageOf(error)}`
      if (told.has(text)) return
      told.add(text)
      await ports.emitter.inform(text, 'warning')
    }
  }
  return {
    async begin(uuid) {
      if (isOn) await orTell((checkpoints) => checkpoints.begin(uuid))
    },
    async end() {
      if (!opened) return
      await orTell(async (checkpoints) => {
        await checkpoints.afterCommand()
        const { files, failed } = await checkpoints.takeChanged()
        if (files.length === 0 && failed.length === 0) return
        const { emitter, platform } = ports
        await emitter.filesPersisted({ files, failed, processed_at: new Date(platform.clock.now()).toISOString() })
      })
    },
    guard(tool) {
      if (!tool || !isOn) return tool
      const execute: EngineTool['execute'] = async (call, ...rest) => {
        const facts = tool.facts(call.input)
        const run = () => tool.execute(call, ...rest)
        if (facts.kind === 'edit') {
          const path = facts.resolvedPath ?? facts.path
          changed.add(path)
          let checkpoints: Checkpoints | undefined
          await orTell(async (usable) => {
            checkpoints = usable
          })
          return checkpoints ? checkpoints.whileEditing(path, run) : run()
        }
        if (facts.kind === 'command' && !ports.permissions.isReadOnlyCommand(facts.command)) {
          await orTell(async (checkpoints) => {
            const changes = await changesOf(facts.command, facts.cwd, ports)
            if (changes.length > 0) await checkpoints.beforeCommand(changes)
          })
          try {
            return await run()
          } finally {
            await orTell((checkpoints) => checkpoints.afterCommand())
          }
        }
        return run()
      }
      return { ...tool, execute }
    },
    rewind: async (messageId, how) => (await open()).rewind(messageId, how),
  }
}

async function changesOf(command: string, cwd: string, ports: SessionCheckpointPorts): Promise<ChangedOrMovedPath[]> {
  const { findFilesCommandWrites } = await import('../../permissions/shell.js')
  const { settings, platform, permissions } = ports
  return findFilesCommandWrites(command, cwd, {
    files: platform.workspace.files,
    home: settings.home,
    directories: permissions.directories(),
  })
}

async function openCheckpoints(ports: SessionCheckpointPorts, changed: ReadonlySet<string>): Promise<Checkpoints> {
  const { settings, platform, sessionId, transcript, permissions, emitter } = ports
  const { clock, workspace } = platform
  const { files } = workspace
  const [core, owners, patch] = await Promise.all([
    import('../../checkpoints/checkpoint-parts.js'),
    import('../../platform/processes/owner-process.js'),
    import('../../tools/files/structured-patch.js'),
  ])
  const { emptyHistory, applyHistoryLine: readLine, createDiskStore, createMemoryStore } = core
  const cwd = await files.realpath(settings.cwd).catch(() => settings.cwd)
  const history = emptyHistory()
  const sessions = await readEarlier(transcript.path, platform, (line) => readLine(history, line, cwd))
  const folderOf = (session: string) => join(settings.configDir, 'file-history', session)
  const others = [...sessions].filter((session) => session !== sessionId).map(folderOf)
  const disk = createDiskStore(platform.files, folderOf(sessionId), others)
  const store = settings.persist ? disk : createMemoryStore(MAX_MEMORY_BYTES, disk)
  const machine = owners.ownerProcessChecker.own()
  return core.createCheckpoints(history, {
    files,
    store,
    cwd,
    now: clock.now,
    isRunning: (pid) => owners.ownerProcessChecker.stateOf({ ...machine, pid, started: 0 }) === 'running',
    record: transcript.fileHistory,
    during: () => transcript.parent ?? '',
    newId: platform.identity.uuid,
    onNotKept: (path, why) => void emitter.inform(`Changes to ${path} can't be rewound: ${why}.`, 'warning'),
    async mayRestore(path) {
      // The file itself, or a folder that was made for it.
      if ([...changed].some((one) => isInside(one, path))) return true
      const folders = await Promise.all(permissions.directories().map((folder) => realOrSame(folder, files)))
      if (folders.some((folder) => isInside(path, folder))) return true
      const call = { id: '', name: 'Edit', input: { file_path: path } }
      return (await permissions.decide(call, { kind: 'edit', path })).behavior === 'allow'
    },
    async countLines(before, after) {
      const lines = (await patch.structuredPatch(before, after)).flatMap((hunk) => hunk.lines)
      const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
      return { insertions: count('+'), deletions: count('-') }
    },
  })
}

function realOrSame(path: string, files: Platform['workspace']['files']): Promise<string> {
  return files.realpath(path).catch(() => path)
}

/** How a line begins that tells of files, and what is early in one that carries such a line. */
const MARK = '{"type":"file-history-'
const CARRIED = `"kedge":${MARK}`
/** A line says early to which session it belongs. */
const HEAD = 2048

/** What the session file says about files; returns the sessions its lines come from: a copy has those of another. */
async function readEarlier(path: string, { files }: Platform, read: (line: unknown) => void): Promise<Set<string>> {
  const sessions = new Set<string>()
  if (!files.existsSync(path)) return sessions
  const { visitFileLines, parseLine } = await import('../../sessions/file-lines.js')
  const { isSessionId } = await import('../../sessions/transcript-paths.js')
  const { unwrapKedgeLine } = await import('../../sessions/kedge-lines.js')
  const { file } = await files.open(await files.realpath(path))
  if (!file) return sessions
  const decoder = new TextDecoder()
  try {
    await visitFileLines(file, file.stat.size, ({ bytes }) => {
      if (!bytes) return
      const head = decoder.decode(bytes.subarray(0, HEAD))
      if (head.startsWith(MARK) || head.includes(CARRIED)) read(unwrapKedgeLine(parseLine(bytes)?.value))
      for (const [, id = ''] of head.matchAll(/"sessionId":"([^"]*)"/g)) if (isSessionId(id)) sessions.add(id)
    })
  } finally {
    await file.close()
  }
  return sessions
}
