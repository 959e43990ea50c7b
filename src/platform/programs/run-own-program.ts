/** Runs a program of ours in a process of its own, with the environment of the session it is for. */
import type { ProcessRunner, ProcessRunResult } from '../processes/process-runner.js'
import { findOwnProgram } from './own-program.js'

export type OwnProgramRunOptions = {
  args?: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  timeoutMs: number
  signal: AbortSignal
}

/** Undefined when a file of the installation is missing, or no runtime for it. Rejects when it can't be started. */
export async function runOwnProgram(
  processes: Pick<ProcessRunner, 'run'>,
  name: string,
  { args = [], env, ...run }: OwnProgramRunOptions,
): Promise<ProcessRunResult | undefined> {
  const program = findOwnProgram(name)
  if (program === undefined || !hasRuntime()) return undefined
  const certificates = env['KEDGE_EXTRA_CA_CERTS']
  return processes.run({
    command: process.execPath,
    args: [program, ...args],
    env: {
      ...env,
      // Inside of an app that brings its own Node.
      ELECTRON_RUN_AS_NODE: '1',
      ...(certificates ? { NODE_EXTRA_CA_CERTS: certificates } : {}),
    },
    maxBytes: 262_144,
    ...run,
  })
}

/** A program that was packed together with its runtime would start itself once more. */
function hasRuntime(): boolean {
  return /[/\\](?:node|nodejs|bun)(?:\.exe)?$/i.test(process.execPath) || 'electron' in process.versions
}
