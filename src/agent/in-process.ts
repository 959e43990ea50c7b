/** Runs the agent inside the caller's process. Loaded on the first in-process query, never before. */

import { KedgeError } from '../errors.js'
import { homeFolder } from '../platform/home.js'
import { nodePlatform } from '../platform/node-platform.js'
import { nextEventLoopTurn } from '../platform/yield-to-event-loop.js'
import type { MakeWorkspace } from '../protocol/workspace/workspace.js'
import type { ChildExit } from '../transport/child-process.js'
import type { AgentEnvironment } from './boot.js'
import { runAgent } from './run-agent.js'

export type InProcessSurroundings = Omit<AgentEnvironment, 'platform' | 'home' | 'keepAliveMs'> & {
  /** What the tools work on, when it is not this machine as it is. */
  workspace?: MakeWorkspace | undefined
}

export async function runInProcess(surroundings: InProcessSurroundings): Promise<ChildExit> {
  // Many may be started at once.
  await nextEventLoopTurn()
  let tail = ''
  const stderr = (text: string) => {
    tail = (tail + text).slice(-8000)
    surroundings.stderr(text)
  }
  const platform = nodePlatform({ workspace: surroundings.workspace })
  const { files } = platform.workspace
  const folder = await files.stat(surroundings.cwd)
  if (folder?.kind !== 'directory') {
    const error = new KedgeError('invalid_cwd', `The working directory ${surroundings.cwd} does not exist`)
    return { code: null, signal: null, stderr: '', error }
  }
  // As a child would see it: without links.
  const cwd = await files.realpath(surroundings.cwd)
  const code = await runAgent({ ...surroundings, cwd, stderr, platform, home: homeFolder(surroundings.env) })
  return { code, signal: null, stderr: tail }
}
