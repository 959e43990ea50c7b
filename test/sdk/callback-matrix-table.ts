/**
 * Every kind of hook for everybody who works: whether its callback is called there, or why it can't be. `late` is called after the
 * first result, when hosts of old had hung up; `early` can only come before that, when everybody still listens.
 */
import type { HookEvent } from 'kedge'

export const ACTORS = ['foreground', 'background agent', 'background command', 'teammate'] as const
export type Actor = (typeof ACTORS)[number]

/** Anything else is the reason why it does not happen there. */
export type Cell = 'late' | 'early' | (string & {})

const everybody = { foreground: 'late', 'background agent': 'late', 'background command': 'late', teammate: 'late' }
const onlyOnce = 'there is one start of a session, before anything works in the background'
const ofMain = 'its folder is its own: only the main thread changes that of the session'
const noMate = 'only a teammate rests'
const notBuilt = 'this version makes no worktrees, and warns of hooks for them'
const noFailure = 'the model of this test never fails; those that do are in test/hooks/model-hooks.test.ts'
const sameModel = 'nobody changes the model here; who does is in test/e2e/newer-line.test.ts'
const toItsParent = 'whoever started it is told with its result; the turn of the main thread does not fail'

function alike(cell: Cell): Record<Actor, Cell> {
  return { foreground: cell, 'background agent': cell, 'background command': cell, teammate: cell }
}

/** For the foreground, where nothing is late, `late` means: during its turn. */
export const TABLE = {
  PreToolUse: everybody,
  PostToolUse: everybody,
  PostToolUseFailure: everybody,
  PostToolBatch: everybody,
  PermissionRequest: everybody,
  PermissionDenied: everybody,
  Notification: everybody,
  Elicitation: everybody,
  ElicitationResult: everybody,
  TaskCreated: everybody,
  TaskCompleted: everybody,
  PreCompact: everybody,
  PostCompact: everybody,
  PreModelSwitch: alike(sameModel),
  UserPromptExpansion: alike('nobody calls a command here; who does is in test/hooks/newer-events.test.ts'),
  DirectoryAdded: alike('nobody adds a folder here; who does is in test/hooks/newer-events.test.ts'),
  MessageDisplay: {
    foreground: 'late',
    'background agent': 'late',
    'background command': 'late',
    teammate: 'late',
  },
  PostModelSwitch: {
    foreground: sameModel,
    'background agent': sameModel,
    'background command': sameModel,
    teammate: sameModel,
  },
  InstructionsLoaded: everybody,
  FileChanged: everybody,
  ConfigChange: everybody,
  Stop: everybody,
  SessionEnd: everybody,
  SessionStart: everybody,
  SubagentStart: {
    foreground: 'late',
    'background agent': 'early',
    'background command': 'late',
    teammate: 'early',
  },
  SubagentStop: everybody,
  UserPromptSubmit: {
    foreground: 'late',
    'background agent': 'what it is told comes from the model, not from the user',
    'background command': 'the turn that follows its end is none of the user',
    teammate: 'what it is told comes from the model, not from the user',
  },
  CwdChanged: { foreground: 'late', 'background agent': ofMain, 'background command': 'late', teammate: ofMain },
  StopFailure: {
    foreground: 'late',
    'background agent': toItsParent,
    'background command': 'late',
    teammate: toItsParent,
  },
  Setup: { foreground: 'late', 'background agent': onlyOnce, 'background command': onlyOnce, teammate: onlyOnce },
  TeammateIdle: { foreground: noMate, 'background agent': noMate, 'background command': noMate, teammate: 'late' },
  WorktreeCreate: {
    foreground: notBuilt,
    'background agent': notBuilt,
    'background command': notBuilt,
    teammate: notBuilt,
  },
  WorktreeRemove: {
    foreground: notBuilt,
    'background agent': notBuilt,
    'background command': notBuilt,
    teammate: notBuilt,
  },
  ModelRequest: everybody,
  ModelRetry: {
    foreground: noFailure,
    'background agent': noFailure,
    'background command': noFailure,
    teammate: noFailure,
  },
} satisfies Record<HookEvent, Record<Actor, Cell>>
