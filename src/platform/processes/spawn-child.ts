/** Starts a direct child process in a new process session. */
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { holdFolder } from '../files/held-folder.js'
import { type Cgroup, moveIntoCgroup, withCgroupEntry } from './cgroup.js'
import { environmentWithProcessMarks } from './process-marks.js'
import type { StartProcessOptions } from './process-runner.js'
import type { ChildPipes } from './shared-pipe.js'

export function spawnChild(
  spawn: typeof import('node:child_process').spawn,
  { command, args: asked, scriptAt, cwd, judgedCwd, env, merge, report, input, interactive }: StartProcessOptions,
  marks: readonly string[],
  { shared, reporting }: ChildPipes,
  within: Cgroup | undefined,
): ChildProcess {
  const args = within ? asked.map((word, i) => (i === scriptAt ? withCgroupEntry(within, word) : word)) : asked
  // The child enters the cgroup through this descriptor before it runs its program, so it's inside when `spawn` returns.
  const folder = judgedCwd === undefined ? undefined : holdFolder(judgedCwd, { exact: true })
  const options: SpawnOptions = {
    cwd: folder?.self ?? cwd,
    env: environmentWithProcessMarks(env, marks),
    detached: true,
    windowsHide: true,
    stdio: [
      input === undefined && !interactive ? 'ignore' : 'pipe',
      shared?.fd ?? 'pipe',
      shared?.fd ?? 'pipe',
      ...(report ? [reporting?.fd ?? ('pipe' as const)] : []),
    ],
  }
  // Without a shared pipe, a shell joins the two streams. The order is kept, but /dev/stderr can't be opened by name.
  try {
    const child =
      merge && !shared
        ? spawn('sh', ['-c', 'exec "$0" "$@" 2>&1', command, ...args], options)
        : spawn(command, args, options)
    if (within && child.pid !== undefined) moveIntoCgroup(within, child.pid)
    return child
  } finally {
    folder?.close()
  }
}

export function feedInput({ stdin }: ChildProcess, { interactive, input }: StartProcessOptions): void {
  if (!stdin) return
  // It isn't an error if the child doesn't read its input.
  stdin.on('error', () => undefined)
  if (!interactive) stdin.end(input)
}
