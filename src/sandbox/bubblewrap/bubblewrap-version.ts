/** Is it bubblewrap, and recent enough to know all options we use? */
import type { ProcessRunResult, RunProcessOptions } from '../../platform/processes/processes.js'
import type { SandboxProbeResult } from '../sandbox-request.js'
import { createBubblewrapFailure, INSTALL_BUBBLEWRAP_TEXT } from './trouble.js'

const OLDEST = [0, 4] as const

export async function checkBubblewrapVersion(
  bwrap: string,
  run: (options: RunProcessOptions) => Promise<ProcessRunResult>,
  timeoutMs: number,
): Promise<SandboxProbeResult> {
  const result = await run({ command: bwrap, args: ['--version'], cwd: '/', env: {}, timeoutMs, maxBytes: 4096 }).catch(
    (error: unknown) => String(error),
  )
  if (typeof result === 'string')
    return createBubblewrapFailure(`${bwrap} could not be started (${result}). ${INSTALL_BUBBLEWRAP_TEXT}`)
  if (result.timedOut) return createBubblewrapFailure(`${bwrap} --version did not end. ${INSTALL_BUBBLEWRAP_TEXT}`)
  const [, version, major, minor] = /^bubblewrap ((\d+)\.(\d+)\S*)/.exec(result.stdout) ?? []
  if (version === undefined)
    return createBubblewrapFailure(`${bwrap} does not say that it is bubblewrap. ${INSTALL_BUBBLEWRAP_TEXT}`)
  if (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]) {
    return createBubblewrapFailure(`bubblewrap ${version} is too old. Install version ${OLDEST.join('.')} or later`)
  }
  return { ok: true, version }
}
