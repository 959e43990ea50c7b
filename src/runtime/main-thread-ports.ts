/** What the loop needs of the main thread while a turn runs. */
import type { SessionHooks } from '../hooks/session-hooks.js'
import type { Permissions } from '../permissions/permission-engine.js'
import { toCanonicalToolName } from '../protocol/tool-names.js'
import { withOldToolNames } from '../tools/old-names.js'
import type { BoundTools } from '../tools/registry.js'
import type { MainThread } from './conversation.js'
import type { assembleSessionMcp } from './mcp/assemble-session-mcp.js'
import type { RecordingEmitter } from './messages/emitter.js'
import { createPermissionAsk } from './permission/ask-host.js'
import { createPermissionPort } from './permission/permission-port.js'
import type { SessionSetup, TurnPorts } from './session-setup.js'
import { addInstructionsToHooks } from './tools/instructions-beside-results.js'
import type { StructuredOutputTracker } from './tools/required-output.js'
import { addPromptsToTurn } from './turn/add-prompts-to-turn.js'
import { makeRoomInContext } from './turn/make-room.js'
import { createStoreSaveBarrier } from './turn/store-save-barrier.js'

type TurnPortParts = {
  main(): MainThread
  registry: BoundTools
  servers: ReturnType<typeof assembleSessionMcp>
  structured: StructuredOutputTracker
  permissions: Permissions
  hooks: SessionHooks
  emitter: RecordingEmitter
  /** As long as the session. */
  life: AbortSignal
}

export function createMainThreadPorts(
  { settings, start, model, project, platform, host }: SessionSetup,
  turns: TurnPorts,
  { main, registry, servers, structured, permissions, hooks, emitter, life }: TurnPortParts,
): MainThread['ports'] {
  return {
    model: model.port,
    tools: withOldToolNames(
      {
        find(called) {
          const name = toCanonicalToolName(main().shared.host.wishes.toolAliases.get(called) ?? called)
          const isOffered = main().offer.offered.some((tool) => tool.name === name)
          const own = isOffered ? registry.port.find(name) : undefined
          if (own) return main().shared.checkpoints.guard(own)
          const isUnfound = !isOffered && main().offer.deferred.some((tool) => tool.name === name)
          return isUnfound ? undefined : servers.find(name)
        },
        findDeferred: servers.find,
      },
      () => ({ offered: main().offer.definitions(), deferred: main().offer.deferred }),
    ),
    hooks: structured.guard(addInstructionsToHooks(hooks, project, settings.cwd)),
    gaveUp: structured.gaveUp,
    makeRoom: (why, signal) => makeRoomInContext(main(), why, signal),
    permissions: createPermissionPort({
      settings,
      platform,
      permissions,
      emitter,
      stderr: host.stderr,
      directoryAdded: (directory) => void hooks.directoryAdded({ directory, source: 'slash_command' }, life),
      ask: createPermissionAsk({
        hooks,
        askHost: servers.askHost,
        decided: start.beginning ? start.decisions : undefined,
        onWaiting: (waiting) => emitter.state(waiting ? 'requires_action' : 'running'),
      }),
    }),
    takeFolded: (signal) => addPromptsToTurn(main(), turns.queue().takeWaiting(), signal),
    overBudget: model.overBudget,
    yields: () => main().turn.yields === true,
    waits: { kept: start.beginning ? start.waits : new Map(), canPark: settings.parksAsks },
    // A file has every line when it is written.
    ...(settings.mirrors
      ? { saved: createStoreSaveBarrier({ ask: host.syncStore, isAnswered: () => main().shared.host.wishes.sync }) }
      : {}),
    every: platform.clock.every,
    now: platform.clock.monotonic,
    uuid: platform.identity.uuid,
  }
}
