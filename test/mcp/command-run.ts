/** Runs the shipped command once: exit code and what it printed. */
import { execFile } from 'node:child_process'

export type CommandRun = { code: number; stdout: string; stderr: string }

export function runProgramWith(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<CommandRun> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { ...options, timeout: 60_000 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}
