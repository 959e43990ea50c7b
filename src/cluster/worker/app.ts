/** What the sessions of an app may do: functions can't be rows, so that workers have them, and a session names its app. */
import type { Options } from '../../protocol/options.js'
import { messageOf } from '../../protocol/thrown.js'
import { parseWorkspaceSpec } from '../workspace/parse-workspace.js'
import type { WorkspaceSpec } from '../workspace/session-workspace.js'

/** A session as its app sees it. */
export type AppSession = {
  /** As the API has it. */
  id: string
  /** Whose it is. */
  tenant: string
  /** Where it works on this machine. */
  cwd: string
  /** What it was created with. */
  options: Record<string, unknown>
  /** The session's title, if it was given one. */
  title: string | undefined
}

/** What `defineApp()` takes: a name, and the options of its sessions. */
export type App = {
  /** Sessions name it; '' is for those that name none. */
  name: string
  /** For its agent. Called for every stretch of work, on the worker that does it. */
  options(session: AppSession): Options | Promise<Options>
  /** Where the files of its sessions are. Default: in the folder that a session names, which every worker has to have. */
  workspace?: WorkspaceSpec
}

/** For the types: an app as it is. */
export function defineApp(app: App): App {
  return app
}

const NAME = /^[a-z0-9][a-z0-9-]{0,49}$/

/** What is wrong with it, in words; undefined: nothing. */
export function appProblem(app: unknown): string | undefined {
  if (typeof app !== 'object' || app === null) return 'An app is an object: export default defineApp({ name, options })'
  const { name, options, workspace } = app as Partial<Record<keyof App, unknown>> // each is looked at below
  if (typeof name !== 'string' || (name !== '' && !NAME.test(name)))
    return 'The `name` of an app has up to 50 of a-z, 0-9 and -'
  if (typeof options !== 'function') return '`options` of an app is a function of the session'
  try {
    if (workspace !== undefined) parseWorkspaceSpec(workspace)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}
