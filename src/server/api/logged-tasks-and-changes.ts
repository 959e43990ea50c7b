/** What a log says about tasks and changed files. Pure. */
import type { LogEntry } from '../../protocol/session-log/entries.js'

export type LoggedTask = {
  id: string
  type?: string
  description: string
  status: string
  summary?: string
  toolUseId?: string
  since: string
}
export type LoggedFileChange = { seq: number; path: string; isNew: boolean; hunks: LoggedFileHunk[] }
/** Each line begins with a space, `+`, or `-`. */
export type LoggedFileHunk = { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] }

/** A task of an agent that has ended is over, whether it could say so or not. */
export function tasksInLog(log: readonly LogEntry[]): LoggedTask[] {
  const tasks = new Map<string, LoggedTask>()
  const update = (id: string, change: Partial<LoggedTask>) => {
    const task = tasks.get(id)
    if (task) Object.assign(task, change)
  }
  for (const { kind, data, at } of log) {
    if (kind !== 'message' || data.type !== 'system') continue
    if (data.subtype === 'task_started') {
      const { task_id: id, task_type: type, tool_use_id: toolUseId, description } = data
      const known = { id, description, status: 'running', since: at }
      tasks.set(id, { ...known, ...(type ? { type } : {}), ...(toolUseId ? { toolUseId } : {}) })
    } else if (data.subtype === 'task_updated') {
      const { status, description } = data.patch
      update(data.task_id, { ...(status ? { status } : {}), ...(description ? { description } : {}) })
    } else if (data.subtype === 'task_notification') {
      update(data.task_id, { status: data.status, summary: data.summary })
    }
  }
  return [...tasks.values()]
}

const STARTED = /^Command running in background with ID: (\S+)\. Output is being written to: (.+?)$/m

/**
 * Returns the path of a task's output, as reported by the agent. The caller must check what it is before it reads from
 * there.
 */
export function outputFileOf(log: readonly LogEntry[], task: string): string | undefined {
  let found: string | undefined
  for (const { kind, data } of log) {
    if (kind !== 'message') continue
    if (data.type === 'system' && data.subtype === 'task_notification' && data.task_id === task) return data.output_file
    if (data.type !== 'user') continue
    const { content } = data.message
    for (const block of typeof content === 'string' ? [] : content) {
      if (block.type !== 'tool_result' || typeof block.content !== 'string') continue
      const [, id, file] = STARTED.exec(block.content) ?? []
      if (id === task) found ??= file
    }
  }
  return found
}

/** Returns the change that each Edit and Write made. */
export function findFileChangesInLog(log: readonly LogEntry[]): LoggedFileChange[] {
  return log.flatMap(({ kind, data, seq }) => {
    if (kind !== 'message' || data.type !== 'user') return []
    const result = data.tool_use_result
    if (typeof result !== 'object' || result === null) return []
    const { filePath, structuredPatch, type } = result as Record<string, unknown> // each is looked at below
    if (typeof filePath !== 'string' || !Array.isArray(structuredPatch)) return []
    return [{ seq, path: filePath, isNew: type === 'create', hunks: structuredPatch }]
  })
}
