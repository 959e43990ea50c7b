/** Takes user messages, runs their turns one after another, and says when the session is at rest. */
import type { MainThread } from '../conversation.js'
import type { IdleNotifier } from '../messages/idle-notifier.js'
import { isFromUser, type UserTurnMessage } from '../messages/user-message.js'
import type { TeamCoordinator } from '../teams/team-coordinator.js'
import { EMPTY_CONTINUATION_MESSAGE, findOpenCalls } from './continued-turn.js'
import { reportCanceledBackgroundWork } from './report-canceled.js'
import { isSuggestionWanted, suggestPrompt } from './suggest-prompt.js'
import { createTurnQueue } from './turn-queue.js'
import { runUserTurn } from './user-turn.js'

export type TurnSchedulerPorts = {
  main(): MainThread
  teams(): TeamCoordinator | undefined
  idle(): IdleNotifier
  /** Before the first turn; once. */
  begin(signal: AbortSignal): Promise<void>
  /** Ids of the messages that the session already received. */
  seen: Set<string>
}

export type TurnScheduler = ReturnType<typeof createTurnScheduler>

export function createTurnScheduler({ main, teams, idle, begin, seen }: TurnSchedulerPorts) {
  let turn: AbortController | undefined
  let suggesting: AbortController | undefined
  let began: Promise<void> | undefined
  let received = 0

  /** Spent meanwhile: the host was told of the task, and that is all. */
  const answer = async (message: UserTurnMessage, own: AbortController) => {
    const team = teams()
    // Calls that wait for a person are not given up because some task is over: the model hears of it later.
    if (message.task && findOpenCalls(main()).length > 0) return void main().toTell.ended.push(message.text)
    const about = team ? await team.fill(message) : message
    const isAwaited = isFromUser(message) || message.continues === true
    if (about && (isAwaited || !main().ports.overBudget())) await runUserTurn(main(), about, own)
  }
  const suggest = async () => {
    suggesting = new AbortController()
    await suggestPrompt(main(), suggesting.signal)
  }
  const run = async (message: UserTurnMessage) => {
    const { background } = main().shared
    turn = new AbortController()
    idle().working()
    main().emitter.state('running')
    began ??= begin(turn.signal)
    await began
    if (message.task) background.announceEnd(message.task)
    const isTold = message.task !== undefined && background.table.isTold(message.task)
    if (message.canceled) await reportCanceledBackgroundWork(main(), message.canceled)
    else if (!isTold) await answer(message, turn)
    turn = undefined
    if (queue.size() === 0 && isSuggestionWanted(main())) await suggest()
    if (queue.size() > 0) return
    rest()
    main().emitter.turnOver(received)
  }
  const queue = createTurnQueue(
    {
      run,
      lifecycle(message, state) {
        // The model won't be told any more, but the host still is.
        if (message.task && state === 'dropped') main().shared.background.announceEnd(message.task)
        if (state === 'dropped') teams()?.dropped(message)
        main().emitter.lifecycle(message.uuid, state)
      },
      recorded: (operation, message) => {
        if (message.canceled || message.continues) return
        const content = operation === 'enqueue' && typeof message.content === 'string' ? message.content : undefined
        main().transcript.queue(operation, content)
      },
    },
    seen,
  )

  /** Idle means: nothing runs that could still need the host, or that the host wants to wait for. */
  const rest = () => {
    const { background } = main().shared
    if (!background.turnEnd.atRest()) return
    main().emitter.state('idle', { received, tasks: background.pending().length })
    idle().resting()
  }
  const settle = () => {
    if (!queue.isBusy()) rest()
  }

  return {
    queue,
    /** Says that the session is idle, if it is. */
    settle,
    /** The turn that was left continues, before anything else that is said. */
    resumeTurn: () => void queue.add(EMPTY_CONTINUATION_MESSAGE),
    /** The running turn stops where another can continue; false when there is none. */
    yieldTurn(): boolean {
      if (turn) main().turn.yields = true
      return turn !== undefined
    },
    submit(message: UserTurnMessage) {
      const { emitter, shared } = main()
      received += 1
      suggesting?.abort()
      shared.background.turnEnd.disarm()
      if (queue.add(message)) return
      // Seen before: no turn, but a host that wants replays gets its message back.
      if (message.uuid !== undefined) emitter.replay(message.content, message.uuid)
      emitter.flushReplays()
      settle()
    },
    /** A message that never became a turn; the host has been told why. */
    rejected() {
      received += 1
      settle()
    },
    /** Ends the running turn with its result; nothing happens when there is none. */
    interrupt(reason?: 'timeout' | 'closed') {
      turn?.abort(reason)
      suggesting?.abort()
    },
    /** Ends the running turn, but not what comes after it. */
    interruptTurn: () => turn?.abort(),
    /** A user message is being worked on. */
    inTurn: () => turn !== undefined,
  }
}
