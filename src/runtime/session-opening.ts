/** What happens before the first turn: commands at the start of the process, the host's own hooks when it has named them. */
import { createLostTaskNotice } from '../background/end-notice.js'
import { findLostTasks } from '../background/lost-tasks.js'
import { join } from '../platform/paths.js'
import type { SessionStartHookInput } from '../protocol/hooks.js'
import type { Conversation } from './conversation.js'
import type { HookExportedVariables } from './hooks/hook-variables.js'
import { runHooksOnFileChanges } from './hooks/run-hooks-on-file-changes.js'
import { runInstructionsLoadedHooks } from './tools/instructions-beside-results.js'
import { hasReminder } from './turn/opening-texts.js'

type Source = SessionStartHookInput['source']

export async function runStartHooks(
  conversation: Conversation,
  source: Source,
  variables: HookExportedVariables,
  signal: AbortSignal,
): Promise<void> {
  await variables.prepare()
  await startHooks(conversation, source, 'settings', signal)
  await variables.adopt()
}

/** Once, before the first turn. `life` ends with the session. */
export async function beginSession(
  conversation: Conversation,
  source: Source,
  signal: AbortSignal,
  life: AbortSignal,
): Promise<void> {
  const {
    shared: { settings, platform, project },
    hooks,
  } = conversation
  if (source === 'resume') await tellLost(conversation)
  await startHooks(conversation, source, 'callbacks', signal)
  await runInstructionsLoadedHooks(hooks, project.instructions, signal)
  // A custom system prompt is expected to contain this already.
  if (conversation.prompt.system === undefined) await tellState(conversation, signal)
  runHooksOnFileChanges(settings, platform, hooks, life)
  if (settings.reloadsOnChange && !life.aborted)
    (await import('./reload/watch-configuration.js')).watchConfiguration(conversation, life)
}

/** Tells of tasks that an earlier process of the session took with it. */
async function tellLost({ shared, history, toTell }: Conversation): Promise<void> {
  const { background, platform, settings } = shared
  const tasks = findLostTasks(history.messages)
  if (tasks.length === 0) return
  const folder = await background.outputFolder().catch(() => undefined)
  for (const task of tasks) {
    const path = folder && join(folder, `${task.id}.output`)
    const outputFile = path && platform.files.existsSync(path) ? path : undefined
    toTell.ended.push(createLostTaskNotice(task, { outputFile, isCopy: settings.fork }))
  }
}

/** What may be another in the next session, so it stands in the conversation and not in the system prompt. */
async function tellState(conversation: Conversation, signal: AbortSignal): Promise<void> {
  const { permissions, toTell, history } = conversation
  const facts = await (await import('./turn/git-status-text.js')).gitStatusText(conversation, signal)
  const mode = permissions.mode()
  const text = [...(mode === 'default' ? [] : [`Permission mode: ${mode}`]), facts ?? ''].join('\n').trim()
  if (text !== '' && !hasReminder(history.messages, text)) toTell.pending.push(text)
}

async function startHooks(
  { shared: { settings }, hooks, model, toTell: { pending: pendingContext } }: Conversation,
  source: Source,
  which: 'settings' | 'callbacks',
  signal: AbortSignal,
): Promise<void> {
  if (settings.setup) pendingContext.push(...(await hooks.setup(settings.setup, signal, which)))
  pendingContext.push(...(await hooks.sessionStart(source, model.current(), signal, which)))
}

/** Programs fail in odd ways without these, and who gave `env` may not have meant to leave them out. */
export async function warnIncompleteEnvironment({ shared: { live, platform }, emitter }: Conversation): Promise<void> {
  const needed = platform.identity.os === 'win32' ? ['Path', 'USERPROFILE', 'SystemRoot'] : ['PATH', 'HOME']
  const names = new Set(Object.keys(live.env).map((name) => name.toLowerCase()))
  const missing = needed.filter((name) => !names.has(name.toLowerCase())).join(', ')
  if (missing === '') return
  const text = `The environment has no ${missing}. env replaces the environment: spread process.env into it to add to it.`
  await emitter.inform(text, 'warning', { code: 'environment_incomplete', details: { missing } })
}
