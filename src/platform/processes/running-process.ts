/** One child from its start to the moment when nothing of it is left, or what is left was let go. */
import { createFamilySearch, endFamily, type ProcessFamily, processKey, signalGroup } from './process-family.js'
import type { ChildOutputs } from './process-output.js'
import type { ProcessEnd, RunningProcess } from './process-runner.js'
import { createStartedSinceCheck } from './process-table.js'
import type { ExitStatus, StartedChild } from './started-child.js'

export type SupervisionOptions = {
  family: ProcessFamily
  outputs: ChildOutputs
  /** What becomes of processes that outlive the child: ended, or left alone and told about. */
  leftovers: 'end' | 'keep'
  onLeft(names: readonly string[]): void
}

/** After the child's end, how long its output may stay open before those who hold it are taken for leftovers. */
const DRAIN_MS = 150
/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 500
/** The same for what a child left behind. */
const LEFTOVER_GRACE_MS = 100
/** After SIGKILL nothing is waited for longer than this: a process in the kernel's hands may not end at all. */
export const WAIT_AFTER_KILL_MS = 2_000
/** What is in a pipe when all who wrote to it are gone needs no longer to be read. */
const REST_MS = 50
/** A server or two may stay; this many are an accident. */
const MAX_LEFTOVERS = 32
/** Beyond this, process ids may have gone once around and say nothing about age. */
const LONG_RUN_MS = 5_000

export function supervise(child: StartedChild, options: SupervisionOptions): RunningProcess {
  const { pid } = child
  const { family, outputs } = options
  const startedAt = performance.now()
  let asked: 'politely' | 'at once' | undefined
  let hasExited = false
  let wake = () => {}
  const endAsked = new Promise<void>((resolve) => {
    wake = resolve
  })
  const exited = child.exited.then((exit): ExitStatus => {
    hasExited = true
    if (exit !== 'lost') return exit
    // It may still run, and nobody would hear of its end: then it ends now.
    asked = 'at once'
    return { exitCode: null, signal: 'SIGKILL' }
  })

  const endAll = () =>
    endFamily(family, {
      limitMs: WAIT_AFTER_KILL_MS,
      graceMs: asked === 'politely' ? GRACE_MS : 0,
      hurry: () => asked === 'at once',
    })

  /** Says how many of them were ended because they were too many. */
  const seeToLeftovers = async (): Promise<number> => {
    const isQuiet = !outputs.isHeld() && !signalGroup(pid, 0)
    if (options.leftovers === 'keep') {
      if (isQuiet) return 0
      const { members } = await createFamilySearch(family)()
      options.onLeft(members.map(processKey))
      if (members.length <= MAX_LEFTOVERS) return 0
      await endFamily(family, { limitMs: WAIT_AFTER_KILL_MS })
      return members.length
    }
    // Daemons hold nothing that would tell of them; they are among the youngest processes, which is a short look.
    const isShort = performance.now() - startedAt < LONG_RUN_MS
    const { members, unsure } = await createFamilySearch(family)(
      isQuiet && isShort ? { inRange: createStartedSinceCheck(pid) } : {},
    )
    if (members.length > 0 || unsure) {
      await endFamily(family, {
        limitMs: WAIT_AFTER_KILL_MS,
        graceMs: LEFTOVER_GRACE_MS,
        hurry: () => asked === 'at once',
      })
    }
    return 0
  }

  const live = async (): Promise<ProcessEnd> => {
    await Promise.race([exited, endAsked])
    if (!asked) await within(Promise.race([outputs.settled, endAsked]), DRAIN_MS)
    const endedLeftovers = asked ? 0 : await seeToLeftovers()
    if (asked) await endAll()
    const keepsRunning = !asked && options.leftovers === 'keep' && endedLeftovers === 0
    if (!keepsRunning) await within(outputs.settled, REST_MS)
    if (!hasExited) await within(exited, REST_MS)
    const exit = hasExited ? await exited : { exitCode: null, signal: 'SIGKILL' }
    await within(outputs.caughtUp(), WAIT_AFTER_KILL_MS)
    if (keepsRunning) outputs.detach()
    else outputs.release()
    return { ...exit, report: outputs.report(), endedLeftovers }
  }

  return {
    pid,
    ended: live(),
    end(how) {
      if (asked === 'at once') return
      asked = how
      // At once, without a look first; the number is its own for as long as it has not been waited for.
      if (how === 'at once' && !child.isOver() && !signalGroup(pid, 'SIGKILL')) child.kill()
      if (how === 'at once') family.cgroup?.kill()
      wake()
    },
    unref() {
      child.unref()
      outputs.unref()
    },
  }
}

/** Waits for `promise`, but not longer than this. */
function within(promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    promise.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
