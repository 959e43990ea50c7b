/**
 * Starts commands from a small process. A fork copies the page tables of whoever forks, milliseconds of a large host, and a fraction of
 * one here. Whatever it does not take on is started by the host itself: where it is missing, while it starts, when the host has changed.
 */
import type { spawn } from 'node:child_process'
import { processWide } from '../process-wide.js'
import { VERSION } from '../version.js'
import type { StartedChild } from './started-child.js'
import type { StarterConnection, StartProcessRequest } from './starter-connection.js'

export interface ProcessStarter {
  /** It ends when all who joined have left. */
  join(): () => void
  /** To be asked before each command: sees to it that a later one finds it ready. */
  isReady(spawner: typeof spawn): boolean
  /** `refused`: nothing was started. `lost`: nobody knows, because the starter ended meanwhile. */
  start(request: StartProcessRequest): Promise<StartedChild | 'refused' | 'lost'>
}

/** Part of every Debian, and of what git needs elsewhere. */
const PERL = '/usr/bin/perl'
/** Smaller hosts fork as fast themselves. */
const WORTH_IT = 96 * 1024 * 1024
/** After so many that ended by themselves no other is tried. */
const MAX_LOST = 3

/** One for all sessions of a process: it knows nothing of them. */
export const sharedProcessStarter = (): ProcessStarter =>
  processWide(`starter ${VERSION}`, () => createProcessStarter())

export function createProcessStarter({ perl = PERL, fromBytes = WORTH_IT } = {}): ProcessStarter {
  let helper: StarterConnection | undefined
  let isBeginning = false
  let users = 0
  let commands = 0
  let lost = 0

  const begin = async (spawner: typeof spawn) => {
    isBeginning = true
    try {
      const { startHelper } = await import('./starter-helper.js')
      const onMissing = () => {
        lost = MAX_LOST
      }
      const onEnd = (line: StarterConnection) => {
        if (helper !== line) return
        helper = undefined
        lost += 1
      }
      // All may have left meanwhile.
      if (users > 0) helper = startHelper(spawner, perl, { onMissing, onEnd })
    } catch {
      lost += 1
    }
    isBeginning = false
  }

  return {
    join() {
      users += 1
      return () => {
        users -= 1
        if (users > 0 || !helper) return
        const line = helper
        helper = undefined
        line.end()
      }
    },
    isReady(spawner) {
      if (process.platform !== 'linux' || lost >= MAX_LOST) return false
      if (!helper && process.memoryUsage.rss() < fromBytes) return false
      commands += 1
      // The first command may be the only one: then there is nothing to save.
      if (!helper && !isBeginning && commands > 1) void begin(spawner)
      return helper?.isReady() === true
    },
    start: (request) => helper?.start(request) ?? Promise.resolve('refused'),
  }
}
