/** Bubblewrap as the engine: without any network, tried out once. */

import type { SandboxEngine, SandboxMachineFacts, SandboxProbeResult } from '../sandbox-request.js'
import { createBubblewrap } from './bubblewrap-session.js'
import { testSandboxWithCanary } from './canary.js'

const PROBE_TIMEOUT_MS = 5_000

/** What the canary says of itself. It may not see the places it shall not write to, so a look at the mounts is needed too. */
export const CANARY_CHECKS = [
  { match: / root:ro[, ]/, otherwise: 'write outside its folders' },
  { match: / CapEff:0+ /, otherwise: 'use rights of the superuser' },
  { match: / NoNewPrivs:1 /, otherwise: 'gain rights' },
  { match: / Seccomp:2 /, otherwise: 'make any system call' },
]

export function createBubblewrapEngine(machine: SandboxMachineFacts): SandboxEngine {
  const timeoutMs = machine.probeTimeoutMs ?? PROBE_TIMEOUT_MS
  const bubblewrap = createBubblewrap(machine, { ownNetwork: true, timeoutMs })
  let probed: Promise<SandboxProbeResult> | undefined
  const probe = async (...[directories, { enableWeakerNestedSandbox }]: Parameters<SandboxEngine['probe']>) => {
    const there = await bubblewrap.check(directories)
    if (!there.ok) return there
    const canary = await testSandboxWithCanary({
      run: machine.processes.run,
      env: { PATH: machine.env['PATH'] },
      bash: there.bash,
      folder: there.folder,
      outside: machine.home === undefined ? [] : [machine.home],
      timeoutMs,
      wrap: (request) =>
        bubblewrap.wrap(request, enableWeakerNestedSandbox === undefined ? {} : { enableWeakerNestedSandbox }),
      closely: CANARY_CHECKS,
    })
    return canary.ok ? there : canary
  }
  return {
    probe(directories, settings) {
      probed ??= probe(directories, settings)
      return probed
    },
    wrap: bubblewrap.wrap,
    close: bubblewrap.close,
  }
}
