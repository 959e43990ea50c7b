// Names that published adapters import in their own declarations, though Kedge doesn't have the feature.
import type {
  CwdChangedHookSpecificOutput,
  DirectoryAddedHookInput,
  FastModeDisabledReason,
  FastModeState,
  FileChangedHookSpecificOutput,
  MessageDisplayHookInput,
  MessageDisplayHookSpecificOutput,
  PermissionDeniedHookSpecificOutput,
  PreModelSwitchHookInput,
  PreModelSwitchHookSpecificOutput,
  SandboxCredentialsConfig,
  SDKActiveGoalMessage,
  SDKControlGetUsageResponse,
  SessionCronSummary,
  ToolConfig,
  UserPromptExpansionHookInput,
  UserPromptExpansionHookSpecificOutput,
} from 'kedge'

/** As adapters write them. */
export function answer(
  input: MessageDisplayHookInput | UserPromptExpansionHookInput | PreModelSwitchHookInput | DirectoryAddedHookInput,
):
  | MessageDisplayHookSpecificOutput
  | UserPromptExpansionHookSpecificOutput
  | PreModelSwitchHookSpecificOutput
  | CwdChangedHookSpecificOutput {
  switch (input.hook_event_name) {
    case 'MessageDisplay':
      return { hookEventName: 'MessageDisplay', displayContent: `${input.index}: ${input.delta}` }
    case 'UserPromptExpansion':
      return { hookEventName: 'UserPromptExpansion', additionalContext: input.command_name }
    case 'PreModelSwitch':
      return { hookEventName: 'PreModelSwitch', permissionDecision: input.prompt_cache_warm ? 'ask' : 'allow' }
    case 'DirectoryAdded':
      return { hookEventName: 'CwdChanged', watchPaths: [input.directory] }
  }
}

export const again: PermissionDeniedHookSpecificOutput = { hookEventName: 'PermissionDenied', retry: true }
export const watched: FileChangedHookSpecificOutput = { hookEventName: 'FileChanged', watchPaths: ['/a'] }
export const previews: ToolConfig = { askUserQuestion: { previewFormat: 'markdown' } }
export const hidden: SandboxCredentialsConfig = {
  envVars: [{ name: 'TOKEN', mode: 'mask', injectHosts: ['a.example'] }],
}
export const crons = (all: SessionCronSummary[]): string[] => all.map(({ id, schedule }) => `${id} ${schedule}`)
export const goal = (message: SDKActiveGoalMessage): string | undefined => message.value?.condition
export const isFast = (state: FastModeState, reason?: FastModeDisabledReason): boolean =>
  state === 'on' && reason !== 'not_first_party'
export const used = (usage: SDKControlGetUsageResponse): number =>
  usage.rate_limits?.five_hour?.utilization ?? usage.session.total_cost_usd
