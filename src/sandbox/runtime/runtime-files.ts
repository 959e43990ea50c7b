/** Where there is no bubblewrap inside it (macOS): the file plan of a command as the runtime's own settings. */
import type { SandboxSettings } from '../../protocol/options.js'
import type { Mount } from '../bubblewrap/mount-order.js'
import { createSandboxFileRequest, isWritableInPlan, planSandboxFiles } from '../files/file-plan.js'
import { createFileSearch } from '../files/pattern-search.js'
import { restoreExpectedPaths } from '../files/restore-paths.js'
import { splitSandboxEnvironment } from '../sandbox-environment.js'
import type { SandboxedCommand, SandboxFailure, SandboxMachineFacts, SandboxRequest } from '../sandbox-request.js'
import type { SandboxRuntimeConfig } from './runtime-manager.js'

export function createSandboxRuntimeWrapper(machine: SandboxMachineFacts): {
  wrap(
    request: SandboxRequest,
    settings: SandboxSettings,
  ): Promise<(SandboxedCommand & { filesystem: SandboxRuntimeConfig['filesystem'] }) | SandboxFailure>
} {
  const firstPlaces = new Map<string, string>()
  const search = createFileSearch()
  return {
    async wrap(request, settings) {
      const plan = await planSandboxFiles(
        createSandboxFileRequest(machine, request, settings, { replaced: [], firstPlaces, search, ownPaths: [] }),
      )
      if (!plan.ok) return plan
      const pathsAs = (...kinds: Mount['as'][]) =>
        plan.mounts.filter(({ as }) => kinds.includes(as)).map(({ path }) => path)
      const { outer, inner } = splitSandboxEnvironment(request.env, {
        temporary: plan.temporary,
        keepSecrets: request.keepSecrets === true,
        unixSockets: settings.network?.allowAllUnixSockets === true,
        isWritable: (folder) => isWritableInPlan(folder, plan),
      })
      const variables = Object.entries(inner).map(([name, value]) => `${name}=${value}`)
      return {
        ok: true,
        command: 'env',
        args: [...variables, request.command, ...request.args],
        env: outer,
        notes: plan.notes,
        finish: async () => restoreExpectedPaths(plan.expectations, plan.planted()),
        filesystem: {
          allowWrite: pathsAs('writable'),
          denyWrite: pathsAs('read-only', 'taken'),
          denyRead: pathsAs('hidden-file', 'hidden-folder'),
        },
      }
    },
  }
}
