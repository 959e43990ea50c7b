/** The client's unsaved files in front of the real ones: what its user sees is what the agent reads and changes. */
import type { AgentContext } from '@agentclientprotocol/sdk/unstable'
import { methods } from '@agentclientprotocol/sdk/unstable'
import type { Clock } from '../../platform/clock.js'
import { messageOf } from '../../protocol/thrown.js'
import type { FileStat, OpenedPath, WorkspaceFiles } from '../../protocol/workspace/workspace-files.js'
import type { AcpClientAbilities } from '../acp-client.js'

/** Larger files are read from the disk: editors don't hold them, and a message has its limits. */
const MAX_BYTES = 4_000_000

/** A client that doesn't answer within this time is treated as if it had no unsaved text. */
const ANSWER_WITHIN = 10_000

export type EditorPorts = {
  clock: Pick<Clock, 'atMost'>
  context: AgentContext
  client: Pick<AcpClientAbilities, 'readsFiles' | 'writesFiles'>
  session: string
}

export function createEditorBackedFiles(
  disk: WorkspaceFiles,
  { context, client, session: sessionId, clock }: EditorPorts,
): WorkspaceFiles {
  /** Undefined: the client does not hold it, or holds what is on the disk. */
  const unsaved = async (path: string, onDisk: Uint8Array | undefined): Promise<Uint8Array | undefined> => {
    if (!onDisk || !isText(onDisk)) return undefined
    // If the client fails to answer, for whatever reason, the content on disk is used.
    const asked = context.request(methods.client.fs.readTextFile, { sessionId, path }).catch(() => undefined)
    const answer = await clock.atMost(ANSWER_WITHIN, asked)
    if (answer === undefined || answer.content === decode(onDisk)) return undefined
    return new TextEncoder().encode(answer.content)
  }
  const reading: Partial<WorkspaceFiles> = {
    async open(path) {
      const opened = await disk.open(path)
      if (!opened.file || opened.stat.size > MAX_BYTES) return opened
      const buffer = new Uint8Array(opened.stat.size)
      const length = await opened.file.read(buffer, 0)
      const bytes = await unsaved(path, buffer.subarray(0, length))
      if (!bytes) return opened
      await opened.file.close()
      return inMemory(bytes, opened.stat)
    },
    async snapshot(path, maxBytes) {
      const snapshot = await disk.snapshot(path, maxBytes)
      const bytes = snapshot.stat.size > MAX_BYTES ? undefined : await unsaved(path, snapshot.content)
      if (!bytes) return snapshot
      return { stat: { ...snapshot.stat, size: bytes.length }, content: bytes.length > maxBytes ? undefined : bytes }
    },
  }
  const write = async (path: string, content: Uint8Array | string) => {
    const whole = typeof content === 'string' ? content : decode(content)
    const asked = context.request(methods.client.fs.writeTextFile, { sessionId, path, content: whole }).then(
      () => undefined,
      (error: unknown) => messageOf(error),
    )
    const problem = await clock.atMost(
      ANSWER_WITHIN,
      asked.then((text) => ({ text })),
    )
    if (problem?.text === undefined && problem) return
    throw Object.assign(new Error(`EIO: the editor did not write it (${problem?.text ?? 'no answer'})`), {
      code: 'EIO',
    })
  }
  const writing: Partial<WorkspaceFiles> = {
    async replace(path, content, mode, expected) {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
      if (!isText(bytes)) return disk.replace(path, content, mode, expected)
      const now = expected && (await files.snapshot(path, MAX_BYTES))
      if (expected?.content && now?.content && !isSame(now.content, expected.content)) throw stale(path)
      await write(path, content)
    },
    async create(path, content, mode) {
      if (!isText(content)) return disk.create(path, content, mode)
      // It must not be there, whatever the client thinks of that.
      await disk.create(path, new Uint8Array(), mode)
      await write(path, content).catch(async (error: unknown) => {
        await disk.remove(path).catch(() => {})
        throw error
      })
    },
  }
  const files: WorkspaceFiles = {
    ...disk,
    ...(client.readsFiles ? reading : {}),
    ...(client.writesFiles ? writing : {}),
    isDisk: true,
  }
  return files
}

function inMemory(bytes: Uint8Array, stat: FileStat): OpenedPath {
  const own = { ...stat, size: bytes.length }
  const read = async (buffer: Uint8Array, position: number) => {
    const piece = bytes.subarray(position, position + buffer.length)
    buffer.set(piece)
    return piece.length
  }
  return { stat: own, file: { stat: own, read, close: async () => {} } }
}

function isText(bytes: Uint8Array): boolean {
  try {
    decode(bytes)
    return !bytes.includes(0)
  } catch {
    return false
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}

function stale(path: string): Error {
  return Object.assign(new Error(`${path} has changed since it was read.`), { code: 'ESTALE' })
}
