/** One session as the agent's side of the protocol sees it: its conversation, its turns, its end. */

import type { HookMatchers } from '../hooks/session-hooks.js'
import type { AgentDefinition } from '../protocol/options.js'
import type { PermissionMode } from '../protocol/permission-types.js'
import { defineAgents } from './agents/known-agents.js'
import { askModelSwitchHooks, runModelSwitchHooks } from './hooks/run-model-switch-hooks.js'
import { warnOfUncalledHooks } from './hooks/uncalled-hooks.js'
import { createMainThread } from './main-thread.js'
import { createIdleNotifier } from './messages/idle-notifier.js'
import type { UserTurnMessage } from './messages/user-message.js'
import { beginSession, runStartHooks } from './session-opening.js'
import type { SessionSetup } from './session-setup.js'
import { requireStructuredOutput } from './tools/required-output.js'
import { openingTexts } from './turn/opening-texts.js'
import { createTurnScheduler } from './turn/turn-scheduler.js'

export type Session = ReturnType<typeof createSession>

export function createSession(setup: SessionSetup) {
  const { settings, live, start, project, platform, host } = setup
  const life = new AbortController()
  const turns = createTurnScheduler({
    main: () => main,
    teams: () => teams,
    idle: () => idle,
    begin: (signal) => beginSession(main, start.source, signal, life.signal),
    seen: start.uuids,
  })
  const { main, servers, sandbox, teams, hooks, variables, setMatchers } = createMainThread(
    setup,
    { queue: () => turns.queue, interrupt: () => turns.interruptTurn(), onQuiet: () => turns.settle() },
    life.signal,
  )
  const { queue } = turns
  const { background } = main.shared
  const idle = createIdleNotifier(hooks, platform.clock, live.env, life.signal)
  main.model.whenSwitched({
    before: (change) => askModelSwitchHooks(main, change, life.signal),
    after: (change) => runModelSwitchHooks(main, change, life.signal),
  })
  servers.start()
  let hasGoneOn = !settings.continuesTurn
  /** Once, as soon as the host has said who it is, or says something without that. */
  const resumeTurn = () => {
    if (hasGoneOn) return
    hasGoneOn = true
    turns.resumeTurn()
  }

  return {
    main,
    queue,
    resumeTurn: resumeTurn,
    submit(message: UserTurnMessage) {
      resumeTurn()
      turns.submit(message)
    },
    yieldTurn: turns.yieldTurn,
    rejected: turns.rejected,
    interrupt: turns.interrupt,
    inTurn: turns.inTurn,
    /** Before anything is read of the host: the commands of Setup and SessionStart. */
    open: (signal: AbortSignal) => runStartHooks(main, start.source, variables, signal),
    /** Returns what is wrong with them, if something is. */
    defineAgents: (agents: Record<string, AgentDefinition>) => defineAgents(main, agents),
    /** From now on every turn owes an answer of this shape. Returns what is wrong with the schema, if something is. */
    requireOutput: (schema: unknown) => requireStructuredOutput(main.structured, main.offer.change, schema),
    setHooks(next: HookMatchers) {
      setMatchers(next)
      warnOfUncalledHooks(Object.keys(next), settings, host.stderr)
    },
    /** Only a new session takes it; with its first line, so that nothing is written of one in which nothing was said. */
    setTitle(title: string) {
      if (start.source === 'startup') main.transcript.title(title)
    },
    chooseSkills(names: readonly string[]) {
      project.chooseSkills(names)
      Object.assign(main.toTell, { listing: openingTexts(project, start.messages).listing })
    },
    setMode: (mode: PermissionMode) => main.permissions.setMode(mode),
    /** Resolves when every message was answered, no task runs, and the model was told of each that ended. */
    async finished() {
      do {
        await queue.idle()
        if (settings.onTurnEnd === 'detach') await background.table.stopAll('the input ended')
        await background.ended()
      } while (queue.isBusy())
      await teams?.finish()
    },
    /** The host says no more; what it asked for continues. */
    hostLeft: () => teams?.hostLeft(),
    /** Ends all background work, and what commands left running. */
    stopWork: () => background.stop(servers.mcp.close).then(() => sandbox?.close()),
    /** Stops everything and takes no more messages. */
    close() {
      queue.close()
      life.abort()
      hooks.close()
      turns.interrupt('closed')
      teams?.close()
      void background.stop(servers.mcp.close)
      platform.http.close()
    },
  }
}
