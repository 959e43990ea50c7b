/** Is it bubblewrap, and recent enough to know all options we use? */
import type { ProcessRunResult, RunProcessOptions } from '../../platform/processes/processes.js'
import type { ProbeResult } from '../sandbox-request.js'
import { brokenBubblewrap, INSTALL_BUBBLEWRAP } from './trouble.js'

const OLDEST = [0, 4] as const

export async function askVersion(
  bwrap: string,
  run: (options: RunProcessOptions) => Promise<ProcessRunResult>,
  timeoutMs: number,
): Promise<ProbeResult> {
  const result = await run({ command: bwrap, args: ['--version'], cwd: '/', env: {}, timeoutMs, maxBytes: 4096 }).catch(
    (error: unknown) => String(error),
  )
  if (typeof result === 'string')
    return brokenBubblewrap(`${bwrap} could not be started (${result}). ${INSTALL_BUBBLEWRAP}`)
  if (result.timedOut) return brokenBubblewrap(`${bwrap} --version did not end. ${INSTALL_BUBBLEWRAP}`)
  const [, version, major, minor] = /^bubblewrap ((\d+)\.(\d+)\S*)/.exec(result.stdout) ?? []
  if (version === undefined)
    return brokenBubblewrap(`${bwrap} does not say that it is bubblewrap. ${INSTALL_BUBBLEWRAP}`)
  if (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]) {
    return brokenBubblewrap(`bubblewrap ${version} is too old. Install version ${OLDEST.join('.')} or later`)
  }
  return { ok: true, version }
}
