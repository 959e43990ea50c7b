/**
 * Ends what we started when we can't any more. Nothing runs in a process that was killed, so somebody else has to notice: a
 * shell that waits for the end of a pipe of ours. A shell, because it costs a few hundred kilobytes where a program of ours
 * would cost forty megabytes; the program is started only when there is something to do.
 */
import type { ChildProcess, spawn } from 'node:child_process'
import { basename } from 'node:path'
import { findOwnProgram } from '../programs/own-program.js'
import { readEntry } from './process-table.js'

export interface Watchdog {
  /** Before a child is started: a child must never be without it. */
  begin(start: typeof spawn, path: string | undefined): void
  /** Watches over a child until the returned function is called. */
  guard(pid: number): () => void
  /** Remembers processes that nothing else would show to be ours; named as in `process-family.ts`. */
  know(names: Iterable<string>): void
  /** Everything has ended. */
  dismiss(): void
  /** Does its work now, as if we had ended. */
  letGo(): void
}

export type WatchdogOptions = {
  /** Stands in the environment of everyone who is to be ended. */
  mark: string
  /**
   * `family`: each child leads a group, and all of it is ended, however far it went (see `reaper.ts`). `alone`: it shares our
   * group, so it is ended by its number, and others by the mark.
   */
  whom: { kind: 'family'; pipePrefix: string } | { kind: 'alone' }
  /** Seconds between a polite signal and force. */
  graceSeconds: number
  /** The cgroup that contains every process to kill. */
  cgroup?: () => string | undefined
  /** Runs the reaper; undefined where nothing can. */
  runtime?: string | undefined
}

const USUAL_PATH = '/usr/bin:/bin'

/**
 * Reads lines: `+ pid` and `- pid` for children, `? pid:started` for processes to remember. The end of the input is the end
 * of us. Then the reaper; where it can't run or fails, the shell itself, which sees less: children, and what carries the mark.
 */
const SCRIPT = `
trap '' HUP INT TERM
children= known=
while read -r word rest; do
  case $word in
    +) children="$children $rest" ;;
    -) others=
       for pid in $children; do [ "$pid" = "$rest" ] || others="$others $pid"; done
       children=$others ;;
    '?') known="$known $rest" ;;
  esac
done
mark=$1 kind=$2 grace=$3 pipes=$4 since=$5 runtime=$6 reaper=$7 cgroup=$8
# When the polite ones had their time: the rest in one step. Who was just killed may take a moment to be gone.
finish() {
  for round in 1 2 3 4 5; do
    [ -d "$cgroup" ] || exit 0
    echo 1 > "$cgroup/cgroup.kill"
    find "$cgroup" -depth -type d -exec rmdir {} +
    [ -d "$cgroup" ] && sleep 1
  done
  exit 0
}
[ -n "$reaper" ] && "$runtime" "$reaper" "$mark" "$pipes" "$grace" "$since" "$children" "$known" && finish
# Where the mark shows who is meant, a number may belong to one who has ended and is not waited for.
[ "$kind" = alone ] && [ -r /proc/self/environ ] && children=
each() {
  left=
  for pid in $children; do
    [ "$kind" = family ] && target=-$pid || target=$pid
    kill -s "$1" -- "$target" && left=1
  done
  for file in $(grep -lsaF -e "$mark" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -s "$1" "\${pid%/environ}" && left=1
  done
}
each TERM
while [ -n "$left" ] && [ "$grace" -gt 0 ]; do
  sleep 1
  grace=$((grace - 1))
  each 0
done
for round in 1 2 3 4 5; do
  each KILL
  [ -n "$left" ] || break
  sleep 1
done
finish
`

export function createWatchdog(options: WatchdogOptions): Watchdog {
  const { mark, whom, graceSeconds, cgroup = () => undefined, runtime = plainRuntime() } = options
  const guarded = new Set<number>()
  const known = new Set<string>()
  let dog: ChildProcess | undefined
  /** When the first one began: nobody it watches over is older. */
  let since: number | undefined

  const tell = (line: string) => dog?.stdin?.write(`${line}\n`)
  const remember = (name: string) => tell(`? ${name.replace(' ', ':')}`)

  return {
    begin(start, path) {
      if (dog || process.platform === 'win32') return
      const pipePrefix = whom.kind === 'family' ? whom.pipePrefix : ''
      const reaper = whom.kind === 'family' && runtime !== undefined ? findOwnProgram('reaper') : undefined
      const programs = [runtime ?? '', reaper ?? '']
      const args = [mark, whom.kind, String(graceSeconds), pipePrefix, String(since ?? ''), ...programs, cgroup() ?? '']
      let child: ChildProcess
      try {
        child = start('/bin/sh', ['-c', SCRIPT, 'kedge-watchdog', ...args], {
          cwd: '/',
          // Neither the mark nor anybody's secrets.
          env: { PATH: path ? `${USUAL_PATH}:${path}` : USUAL_PATH },
          // A signal to our group, as a terminal sends it, is not meant for it.
          detached: true,
          stdio: ['pipe', 'ignore', 'ignore'],
        })
      } catch {
        // No room for another process: what was asked for is still tried, and the next one gets a watchdog.
        return
      }
      dog = child
      since ??= child.pid && readEntry(child.pid)?.started
      // It could not be started, or somebody ended it: the next child gets a new one.
      for (const event of ['error', 'exit']) {
        child.once(event, () => {
          if (dog === child) dog = undefined
        })
      }
      child.stdin?.on('error', () => undefined)
      child.unref()
      // Node makes a net.Socket of a pipe, which can be kept from holding us up.
      if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
      for (const pid of guarded) tell(`+ ${pid}`)
      for (const name of known) remember(name)
    },
    guard(pid) {
      guarded.add(pid)
      tell(`+ ${pid}`)
      return () => {
        if (guarded.delete(pid)) tell(`- ${pid}`)
      }
    },
    know(names) {
      for (const name of names) {
        known.add(name)
        remember(name)
      }
    },
    dismiss() {
      // Not by the end of its input, which would set it to work.
      dog?.kill('SIGKILL')
      dog?.stdin?.destroy()
      dog = undefined
    },
    letGo() {
      dog?.stdin?.end()
      dog = undefined
    },
  }
}

/** Undefined for a program that was packed together with its runtime: it would start itself once more. */
function plainRuntime(): string | undefined {
  const isPlain = /^(node|nodejs|bun)$/.test(basename(process.execPath)) && !('electron' in process.versions)
  return isPlain ? process.execPath : undefined
}
