/** What one session asks of the starter: only commands that it can start just as we would. */
import type { spawn } from 'node:child_process'
import { holdFolder } from '../files/held-folder.js'
import { type Cgroup, cgroupEntryFile } from './cgroup.js'
import { environmentWithProcessMarks } from './process-marks.js'
import type { StartProcessOptions } from './process-runner.js'
import type { ChildPipes } from './shared-pipe.js'
import type { StartedChild } from './started-child.js'
import type { ProcessStarter } from './starter.js'

export interface StarterLauncher {
  /** Undefined: nothing was started, and we do it ourselves. `lost`: nobody knows. */
  start(
    spawner: typeof spawn,
    options: StartProcessOptions,
    marks: readonly string[],
    pipes: ChildPipes,
    within?: Cgroup,
  ): Promise<StartedChild | 'lost' | undefined>
  leave(): void
}

/** Begins the name of whatever we hold. */
const HANDLES = '/proc/self/fd/'

export function createStarterLauncher(find: () => ProcessStarter): StarterLauncher {
  let joined: { starter: ProcessStarter; leave(): void } | undefined
  const join = (): ProcessStarter => {
    if (!joined) {
      const starter = find()
      joined = { starter, leave: starter.join() }
    }
    return joined.starter
  }
  return {
    async start(spawner, options, marks, { shared, reporting }, within) {
      const { command, args, env, judgedCwd, input, interactive } = options
      if (!shared || !reporting || judgedCwd === undefined || input !== undefined || interactive) return undefined
      const starter = join()
      if (!starter.isReady(spawner)) return undefined
      const held = holdFolder(judgedCwd, { exact: true })
      try {
        if (!held.self.startsWith(HANDLES)) return undefined
        const ours = (handle: string | number) => `/proc/${process.pid}/fd/${handle}`
        const answer = await starter.start({
          command,
          args,
          env: environmentWithProcessMarks(env, marks),
          folder: ours(held.self.slice(HANDLES.length)),
          output: ours(shared.fd),
          report: ours(reporting.fd),
          entry: within ? cgroupEntryFile(within) : '',
        })
        return answer === 'refused' ? undefined : answer
      } finally {
        held.close()
      }
    },
    leave() {
      joined?.leave()
      joined = undefined
    },
  }
}
