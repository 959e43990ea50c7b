/**
 * Child processes, as a port: argument vectors only, each in a session of its own, output in order and in flat memory, and
 * nothing left running at the end. `node:child_process` is loaded at the first start because it costs milliseconds.
 */
import type { ChildProcess } from 'node:child_process'
import { delimiter, isAbsolute } from 'node:path'
import { createPlatformIdentity } from '../identity.js'
import { createLazySessionCgroups, createSessionCgroup, type FindSessionCgroup } from './cgroup.js'
import { endFamily, type ProcessFamily } from './process-family.js'
import { createProcessInput } from './process-input.js'
import { type ChildOutputs, readOutputs, socketsOf } from './process-output.js'
import { runToEnd } from './process-run.js'
import type { ProcessRunner, RunningProcess, StartProcessOptions } from './process-runner.js'
import { countUserThreads, createProcessStartClock, readInheritedProcessLimit } from './process-table.js'
import { supervise, WAIT_AFTER_KILL_MS } from './running-process.js'
import { type ChildPipes, createNamedPipePool, discardPipes, type NamedPipePool } from './shared-pipe.js'
import { feedInput, spawnChild } from './spawn-child.js'
import { type StartedChild, wrapChild } from './started-child.js'
import { type ProcessStarter, sharedProcessStarter } from './starter.js'
import { createStarterLauncher } from './starter-launcher.js'
import { createWatchdog, type Watchdog } from './watchdog.js'

export type {
  ProcessEnd,
  ProcessInput,
  ProcessRunner,
  ProcessRunResult,
  RunningProcess,
  RunProcessOptions,
  StartProcessOptions,
} from './process-runner.js'

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin'
/** For what was left to run in the background, between a polite signal and force. */
const CLOSE_GRACE_MS = 200
/** The same when our process was ended and others have to do it. */
const WATCHDOG_GRACE_SECONDS = 1

export function createProcessRunner(
  findStarter: () => ProcessStarter = sharedProcessStarter,
  findCgroup: FindSessionCgroup = createSessionCgroup,
): ProcessRunner {
  const identity = createPlatformIdentity()
  const sessionMark = identity.hex(16)
  const pipePrefix = `kedge-${sessionMark}-`
  const pipes = createNamedPipePool(pipePrefix)
  const whom = { kind: 'family' as const, pipePrefix }
  const cgroups = createLazySessionCgroups(() => findCgroup(sessionMark))
  const cgroup = () => cgroups.session()?.folder
  const watchdog = createWatchdog({ mark: sessionMark, whom, graceSeconds: WATCHDOG_GRACE_SECONDS, cgroup })
  const running = new Set<RunningProcess>()
  const left = createLeft(watchdog)
  let clock: (() => number) | undefined
  /** When something was started that may leave others running. */
  let keptSince: number | undefined
  let closing: Promise<void> | undefined
  /** Kept: in a bundle each import of it is copied name by name. */
  let starting: Promise<typeof import('node:child_process')> | undefined

  const beginning = new Set<Promise<RunningProcess>>()
  const starter = createStarterLauncher(findStarter)

  const startOne = async (asked: StartProcessOptions): Promise<RunningProcess> => {
    starting ??= import('node:child_process')
    const { spawn } = await starting
    const options = { ...asked, env: withoutRelativePath(asked.env) }
    const { taken, names, childPipes } = await takePipes(pipes, options)
    const mayStart = () => mustBeWanted(options, closing !== undefined)
    const mark = identity.hex(16)
    const before = clock?.()
    const within = cgroups.forCommand(mark, options)
    let begun: { child: StartedChild; own?: ChildProcess }
    try {
      mayStart()
      watchdog.begin(spawn, options.env['PATH'])
      const marks = [sessionMark, mark]
      const other = await starter.start(spawn, options, marks, childPipes, within)
      if (other === 'lost') throw await endUnknown({ mark, pipes: names, since: before ?? 0, cgroup: within })
      if (!other) mayStart()
      begun = other ? { child: other } : await spawned(spawnChild(spawn, options, marks, childPipes, within))
    } catch (error) {
      discardPipes(taken)
      within?.remove()
      throw error
    }
    const { child, own } = begun
    for (const pipe of taken) pipe.handedOver()
    const { pid } = child
    const unguard = watchdog.guard(pid)
    clock ??= createProcessStartClock(pid)
    const since = before ?? clock()
    const { leftovers = 'end' } = options
    if (leftovers === 'keep') keptSince ??= since
    const outputs = outputsOf(own, options, childPipes)
    if (own) feedInput(own, options)
    const enclosed = !own || options.scriptAt !== undefined
    const supervised = supervise(child, {
      family: { mark, pipes: names, roots: [child], since, cgroup: within, enclosed },
      outputs,
      leftovers,
      onLeft: (names) => left.add(names, outputs),
    })
    running.add(supervised)
    void supervised.ended.then(() => {
      running.delete(supervised)
      unguard()
      for (const pipe of taken) pipe.forget()
      within?.remove()
    })
    return options.interactive && own?.stdin ? { ...supervised, input: createProcessInput(own.stdin) } : supervised
  }

  const start = (options: StartProcessOptions): Promise<RunningProcess> => {
    const begun = startOne(options)
    beginning.add(begun)
    const forget = () => void beginning.delete(begun)
    begun.then(forget, forget)
    return begun
  }

  const close = async () => {
    pipes.close()
    for (const one of running) one.end('at once')
    // A process that was requested earlier might have started meanwhile.
    await Promise.allSettled(beginning)
    for (const one of running) one.end('at once')
    await Promise.all([...running].map(({ ended }) => ended))
    if (keptSince !== undefined) {
      const family = {
        mark: sessionMark,
        pipes: [pipePrefix],
        known: left.names,
        since: keptSince,
        cgroup: cgroups.session(),
      }
      await endFamily(family, { limitMs: WAIT_AFTER_KILL_MS, graceMs: CLOSE_GRACE_MS })
    }
    left.release()
    cgroups.remove()
    starter.leave()
    watchdog.dismiss()
  }

  return {
    start,
    run: (options) => runToEnd(start, options),
    processLimit: createProcessLimit(),
    unref() {
      for (const one of running) one.unref()
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}

function mustBeWanted({ unless }: StartProcessOptions, isOver: boolean): void {
  if (isOver || unless?.aborted) throw new Error(isOver ? 'The session is over.' : 'Aborted before it was started.')
}

/** Processes that outlived their command, and their output that is still read. */
function createLeft(watchdog: Watchdog) {
  const names = new Set<string>()
  const drained = new Set<ChildOutputs>()
  return {
    names,
    add(found: readonly string[], outputs: ChildOutputs) {
      for (const name of found) names.add(name)
      watchdog.know(found)
      for (const other of drained) if (!other.isHeld()) drained.delete(other)
      drained.add(outputs)
    },
    release() {
      for (const outputs of drained) outputs.release()
    },
  }
}

function createProcessLimit(): ProcessRunner['processLimit'] {
  let atFirst: { threads: number | undefined; limit: number } | undefined
  return (more) => {
    atFirst ??= { threads: countUserThreads(), limit: readInheritedProcessLimit() }
    const { threads, limit } = atFirst
    return threads !== undefined && threads + more < limit ? threads + more : undefined
  }
}

async function takePipes(source: NamedPipePool, { merge = false, report = false, env }: StartProcessOptions) {
  const count = (merge ? 1 : 0) + (report ? 1 : 0)
  const taken = (count > 0 ? await source.take(count, env) : undefined) ?? []
  const childPipes: ChildPipes = { shared: merge ? taken[0] : undefined, reporting: report ? taken.at(-1) : undefined }
  return { taken, names: taken.map(({ name }) => name), childPipes }
}

async function spawned(own: ChildProcess): Promise<{ child: StartedChild; own: ChildProcess }> {
  if (own.pid === undefined) throw await new Promise((resolve) => own.once('error', resolve))
  return { child: wrapChild(own, own.pid), own }
}

async function endUnknown(family: ProcessFamily): Promise<Error> {
  await endFamily(family, { limitMs: WAIT_AFTER_KILL_MS })
  return new Error('The process that starts commands has ended; if this one was started, it was ended too.')
}

function outputsOf(
  child: ChildProcess | undefined,
  options: StartProcessOptions,
  { shared, reporting }: ChildPipes,
): ChildOutputs {
  const sockets = child ? socketsOf(child) : {}
  return readOutputs(
    {
      output: shared?.output ?? sockets.output,
      errors: sockets.errors,
      report: reporting?.output ?? sockets.report,
    },
    {
      ...(options.onOutput && { output: options.onOutput }),
      ...(options.onErrorOutput && { errors: options.onErrorOutput }),
    },
  )
}

/** Empty and relative parts mean the folder a child stands in: what a repository put there is no program of the user's. */
function withoutRelativePath(env: StartProcessOptions['env']): StartProcessOptions['env'] {
  const path = env['PATH']
  if (path === undefined || path.split(delimiter).every(isAbsolute)) return env
  return { ...env, PATH: path.split(delimiter).filter(isAbsolute).join(delimiter) || USUAL_PATH }
}
