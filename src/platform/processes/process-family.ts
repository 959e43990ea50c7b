/**
 * A command together with everything it started, however far it went: its process group and session, children of children,
 * what carries its mark in the environment, what holds its pipes, what is in its cgroup. Without a cgroup, a process that shed all of
 * these at once escapes, and so can one that keeps replacing itself while the machine is busy.
 */
import { type Clock, nodeClock } from '../clock.js'
import type { Cgroup } from './cgroup.js'
import { PROCESS_MARKS_VARIABLE } from './process-marks.js'
import {
  isAlive,
  type ProcessEntry,
  readDescriptorTarget,
  readEntry,
  readProcessVariable,
  visitProcesses,
} from './process-table.js'

/** Where the shell keeps its report; others inherit it, also those who send their output elsewhere. */
export const REPORT_DESCRIPTOR = 29

/** Names one process for ever; its number alone may be given again. */
export function processKey({ pid, started }: Pick<ProcessEntry, 'pid' | 'started'>): string {
  return `${pid} ${started}`
}

export type ProcessFamily = {
  /** One of the marks in the environment of members. */
  mark: string
  /** In the names of pipes that only members hold. */
  pipes: readonly string[]
  /** The first ones, each of which leads a group and a session. */
  roots?: readonly { pid: number; isOver(): boolean }[]
  /** Names of members of former looks. */
  known?: ReadonlySet<string>
  /** No member is older. */
  since: number
  /** Kills all its processes in one step. */
  cgroup?: Cgroup | undefined
  /** Whether the command started inside the cgroup, so every member is inside. */
  enclosed?: boolean
}

/** Signals the group that `pid` leads; with signal 0 only asks. True if the group has members. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  return send(-pid, signal) !== 'gone'
}

export type FoundProcesses = {
  members: ProcessEntry[]
  /** Somebody could not be judged at this moment, being in the middle of an exec. */
  unsure: boolean
  /** Somebody new ended before it could be judged. It may have been a member, and have a successor no look has seen yet. */
  missed: boolean
}

type SearchOptions = {
  /** Saves looks by the process id alone. */
  inRange?: (pid: number) => boolean
  /** Told of those who show by themselves that they are members, at the moment they are seen; relatives come later. */
  onMember?: (entry: ProcessEntry) => void
}

/** Looks for the family, each time anew. Strangers are looked at once: their numbers come back only after all others were used. */
export function createFamilySearch(
  family: ProcessFamily,
  look = visitProcesses,
): (options?: SearchOptions) => Promise<FoundProcesses> {
  const strangers = new Set<number>()
  /** Those who show nothing of the family by themselves; they may still turn out to be relatives. */
  const unmarked = new Set<string>()
  /** Those who have ended; each tells only once that somebody was missed. */
  const ended = new Set<string | number>()
  const isFirst = (name: string | number) => !ended.has(name) && ended.add(name) !== undefined
  return async ({ inRange = () => true, onMember = () => {} } = {}) => {
    const own = readEntry(process.pid)
    const candidates: ProcessEntry[] = []
    const members: ProcessEntry[] = []
    const over: ProcessEntry[] = []
    let unsure = false
    // Children are started in sessions of their own, so whoever shares ours is a stranger; 0 is an unknown session.
    const cantBeMember = ({ started, session }: ProcessEntry) =>
      started < family.since || (session > 0 && session === own?.session)
    const visit = (entry: ProcessEntry) => {
      if (entry.pid === process.pid || cantBeMember(entry)) return void strangers.add(entry.pid)
      if (entry.isOver) return void over.push(entry)
      candidates.push(entry)
      const verdict = unmarked.has(processKey(entry)) ? 'other' : judge(entry, family)
      if (verdict === 'member') {
        members.push(entry)
        onMember(entry)
      } else if (verdict === 'unsure') unsure = true
      else unmarked.add(processKey(entry))
    }
    const gone = await look(visit, (pid) => !strangers.has(pid) && inRange(pid))
    const all = withRelatives(members, candidates, family.roots ?? [])
    for (const { pid } of candidates) if (!unsure && !all.has(pid)) strangers.add(pid)
    const fled = gone.filter(isFirst)
    const died = over.filter((entry) => isFirst(processKey(entry)))
    const isStranger = (pid: number) => {
      if (strangers.has(pid)) return true
      const entry = readEntry(pid)
      return entry !== undefined && cantBeMember(entry)
    }
    const adopters = died.length > 0 ? whoAdopts() : new Set<number>()
    // A child of a stranger is one, too, unless that has taken it over from a member that is gone.
    const missed = fled.length > 0 || died.some(({ parent }) => adopters.has(parent) || !isStranger(parent))
    return { members: [...all.values()], unsure, missed }
  }
}

/**
 * Returns the processes that inherit the children of members that end: process 1, and our ancestors, the only ones that
 * can have asked for it.
 */
function whoAdopts(): Set<number> {
  const found = new Set([1])
  for (let pid = process.pid; pid > 0 && !found.has(pid); pid = readEntry(pid)?.parent ?? 0) found.add(pid)
  return found
}

function withRelatives(
  members: readonly ProcessEntry[],
  candidates: readonly ProcessEntry[],
  roots: NonNullable<ProcessFamily['roots']>,
): Map<number, ProcessEntry> {
  const all = new Map(members.map((entry) => [entry.pid, entry]))
  const groups = new Set(members.map(({ group }) => group).filter((group) => group > 0))
  const sessions = new Set(members.map(({ session }) => session).filter((session) => session > 0))
  // Once it is over, its number may be given to a stranger, but not while anyone is left in its group or session.
  for (const root of roots) {
    if (candidates.some(({ pid }) => pid === root.pid && root.isOver())) continue
    groups.add(root.pid)
    sessions.add(root.pid)
  }
  for (let before = -1; before !== all.size; ) {
    before = all.size
    for (const entry of candidates) {
      if (all.has(entry.pid)) continue
      // Where there are no groups a parent that is gone stays named, and its number may be somebody else's by now.
      const parent = all.get(entry.parent)
      const isChild = parent !== undefined && parent.started <= entry.started
      if (!isChild && !groups.has(entry.group || entry.pid) && !sessions.has(entry.session)) continue
      all.set(entry.pid, entry)
      if (entry.group > 0) groups.add(entry.group)
      if (entry.session > 0) sessions.add(entry.session)
    }
  }
  return all
}

function judge(entry: ProcessEntry, family: ProcessFamily): 'member' | 'unsure' | 'other' {
  const { pid } = entry
  if (family.known?.has(processKey(entry))) return 'member'
  const marks = readProcessVariable(pid, PROCESS_MARKS_VARIABLE)
  if (marks?.split(',').includes(family.mark)) return 'member'
  const holdsPipe = [1, 2, REPORT_DESCRIPTOR].some((descriptor) => {
    const target = readDescriptorTarget(pid, descriptor)
    return family.pipes.some((name) => target.includes(name))
  })
  if (holdsPipe) return 'member'
  return marks === 'unknown' ? 'unsure' : 'other'
}

/**
 * Signals `members`, who were found a moment ago; says how many can be reached at all. Whole groups at once, whose members
 * can't fork away in between, and only once each. A group that was there a moment ago is still the same one, though who was
 * found in it may be gone: a number comes back only after all others were used.
 */
function signalMembers(members: readonly ProcessEntry[], signal: NodeJS.Signals): number {
  // Group 0 would be our own, and group 1 everybody: neither was made for a command.
  const groups = new Set(members.map((member) => member.group).filter((group) => group > 1))
  for (const group of groups) send(-group, signal)
  for (const { pid, group } of members) if (group === 0) send(pid, signal)
  // Not allowed: it became another user's (sudo), and is beyond our reach.
  return members.filter(({ pid }) => send(pid, 0) !== 'refused').length
}

function send(target: number, signal: NodeJS.Signals | 0): 'sent' | 'refused' | 'gone' {
  try {
    process.kill(target, signal)
    return 'sent'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 'refused' : 'gone'
  }
}

const ROUND_MS = 3
/**
 * Limits on further looks at processes that couldn't be judged: on a busy machine, many looks pass before any other
 * process has moved. There are always strangers among them, so the wait ends.
 */
const UNSURE_ROUNDS = 20
const UNSURE_MS = 500
/** Factor by which the limit can grow for processes that keep starting others. */
const MAX_CHASE = 5

type EndOptions = {
  limitMs: number
  /** How long members get after a polite signal. */
  graceMs?: number
  /** Says that this time is over. */
  hurry?: () => boolean
  clock?: Pick<Clock, 'monotonic' | 'sleep'>
  search?: ReturnType<typeof createFamilySearch>
}

/** Kills the family, looking again until nobody is found; not for ever, because a process may be stuck in the kernel. */
export async function endFamily(family: ProcessFamily, options: EndOptions): Promise<void> {
  const { limitMs, graceMs = 0, hurry = () => false, clock = nodeClock, search = createFamilySearch(family) } = options
  const { monotonic, sleep } = clock
  if (graceMs > 0) {
    const { members } = await search()
    signalMembers(members, 'SIGTERM')
    const deadline = monotonic() + graceMs
    while (members.some(isAlive) && monotonic() < deadline && !hurry()) await sleep(ROUND_MS)
  }
  const begun = monotonic()
  let deadline = begun + limitMs
  let lastFound = begun
  let rounds = 0
  const met = new Set<string>()
  /** Whether a member had a successor. Then processes that can't be attributed are likely members too. */
  let isChase = false
  const { cgroup } = family
  /** An empty cgroup might be one that the command hasn't entered yet. */
  let wasInside = false
  while (monotonic() < deadline) {
    const isInside = cgroup?.isPopulated() === true
    if (isInside) cgroup.kill()
    wasInside ||= isInside
    // At once, not when the look is over: some are never where they were a moment ago.
    const { members, unsure, missed } = await search({
      onMember: ({ pid, group }) => void send(group > 1 ? -group : pid, 'SIGKILL'),
    })
    const known = met.size
    isChase ||= known > 0 && members.some((member) => !met.has(processKey(member)))
    for (const member of members) met.add(processKey(member))
    // Somebody new is nobody who is stuck: on a busy machine it takes longer to catch up with those who keep starting others.
    if (met.size > known || (isChase && missed)) deadline = Math.min(monotonic() + limitMs, begun + limitMs * MAX_CHASE)
    if (signalMembers(members, 'SIGKILL') > 0) {
      lastFound = monotonic()
      rounds = 0
      await sleep(ROUND_MS)
      continue
    }
    if (cgroup?.isPopulated()) {
      await sleep(ROUND_MS)
      continue
    }
    if (family.enclosed && wasInside) return
    const isLong = rounds >= UNSURE_ROUNDS
    const patience = isChase ? limitMs : UNSURE_MS
    if (!(unsure || missed) || (isLong && monotonic() - lastFound >= patience)) return
    rounds += 1
    if (unsure || isLong) await sleep(ROUND_MS)
  }
}
