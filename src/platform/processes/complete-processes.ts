/** Fills in what a workspace left out of its processes. */
import type { WorkspaceProcesses } from '../../protocol/workspace/workspace-processes.js'
import { runToEnd } from './process-run.js'
import type { ProcessRunner } from './process-runner.js'

export function toProcessRunner(given: WorkspaceProcesses): ProcessRunner {
  return {
    start: (options) => given.start(options),
    close: () => given.close(),
    run: (options) => given.run?.(options) ?? runToEnd((start) => given.start(start), options),
    processLimit: (more) => given.processLimit?.(more),
    unref: () => given.unref?.(),
  }
}
