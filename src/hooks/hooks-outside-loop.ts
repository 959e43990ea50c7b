/** Hooks on occasions beside the loop: compaction, settings, teams, questions of servers, files and folders. */
import {
  listAddedContext,
  mergeBlock,
  mergeBlockOrStop,
  mergeCompact,
  mergeElicitation,
  mergeModelSwitch,
  mergeWorktree,
} from './merge-answers.js'
import type { EventFields, RaiseEvent } from './raise.js'

export function createHooksOutsideLoop(raise: RaiseEvent) {
  return {
    /** A block means: don't compact. */
    async preCompact(fields: EventFields<'PreCompact'>, signal: AbortSignal) {
      return mergeCompact(await raise('PreCompact', () => fields, signal))
    },
    async postCompact(fields: EventFields<'PostCompact'>, signal: AbortSignal) {
      await raise('PostCompact', () => fields, signal)
    },
    /** Why the model may not change; undefined if nobody objects. */
    async preModelSwitch(fields: EventFields<'PreModelSwitch'>, signal: AbortSignal) {
      return mergeModelSwitch(await raise('PreModelSwitch', () => fields, signal))
    },
    /** What the model is told of it. */
    async postModelSwitch(fields: EventFields<'PostModelSwitch'>, signal: AbortSignal) {
      return listAddedContext(await raise('PostModelSwitch', () => fields, signal))
    },
    /** A block means: the change does not count. */
    async configChange(fields: EventFields<'ConfigChange'>, signal: AbortSignal) {
      return mergeBlock(await raise('ConfigChange', () => fields, signal))
    },
    /** A block means: not idle yet, here is what is missing. */
    async teammateIdle(fields: EventFields<'TeammateIdle'>, signal: AbortSignal) {
      return mergeBlockOrStop(await raise('TeammateIdle', () => fields, signal))
    },
    async taskCreated(fields: EventFields<'TaskCreated'>, signal: AbortSignal) {
      return mergeBlockOrStop(await raise('TaskCreated', () => fields, signal))
    },
    /** A block means: not done yet, here is why. */
    async taskCompleted(fields: EventFields<'TaskCompleted'>, signal: AbortSignal) {
      return mergeBlockOrStop(await raise('TaskCompleted', () => fields, signal))
    },
    /** Undefined: nobody answered in the user's place. */
    async elicitation(fields: EventFields<'Elicitation'>, signal: AbortSignal) {
      return mergeElicitation(await raise('Elicitation', () => fields, signal))
    },
    /** Undefined: the answer stays as it is. */
    async elicitationResult(fields: EventFields<'ElicitationResult'>, signal: AbortSignal) {
      return mergeElicitation(await raise('ElicitationResult', () => fields, signal))
    },
    async instructionsLoaded(fields: EventFields<'InstructionsLoaded'>, signal: AbortSignal) {
      await raise('InstructionsLoaded', () => fields, signal)
    },
    async directoryAdded(fields: EventFields<'DirectoryAdded'>, signal: AbortSignal) {
      await raise('DirectoryAdded', () => fields, signal)
    },
    async messageDisplay(fields: EventFields<'MessageDisplay'>, signal: AbortSignal) {
      await raise('MessageDisplay', () => fields, signal)
    },
    async cwdChanged(fields: EventFields<'CwdChanged'>, signal: AbortSignal) {
      await raise('CwdChanged', () => fields, signal)
    },
    async fileChanged(fields: EventFields<'FileChanged'>, signal: AbortSignal) {
      await raise('FileChanged', () => fields, signal)
    },
    /** The path of the worktree that a hook made. */
    async worktreeCreate(name: string, signal: AbortSignal) {
      return mergeWorktree(await raise('WorktreeCreate', () => ({ name }), signal))
    },
    async worktreeRemove(path: string, signal: AbortSignal) {
      await raise('WorktreeRemove', () => ({ worktree_path: path }), signal)
    },
  }
}
