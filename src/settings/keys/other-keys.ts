/** Settings of Claude Code that have no effect here, by name: a file that has them is right, and people see what they miss. */
const split = (text: string): string[] => text.trim().split(/\s+/)

/** They limit something there. Whoever relies on one has to know that nothing enforces it here. */
export const UNENFORCED_KEYS: readonly string[] = split(`
  allowedMarketplaces allowedProviders availableModels availableModelsMatch blockedMarketplaces claudeMdExcludes
  deniedModels disableAutoMode disableCommandPluginSources disableSideloadFlags disableSkillShellExecution
  disableWorkflows enforceAvailableModels forceLoginMethod forceLoginOrgUUID isolatePeerMachines managedMcpServers
  maxEffortLevel minimumVersion policyHelper requiredMaximumVersion requiredMinimumVersion respectGitignore
  skillOverrides strictKnownMarketplaces strictPluginOnlyCustomization
`)

/** All others. */
export const EFFECTLESS_KEYS: readonly string[] = split(`
  additionalMarketplaces advisorModel agent agentPushNotifEnabled allowAllClaudeAiMcps
  allowClaudeInChromeWithManagedMcp allowedChannelPlugins appendPlugins askUserQuestionTimeout attribution
  attributionProject attributionProjectPolicy autoCompactEnabled autoCompactWindow autoContinueAtUsageLimit
  autoDreamEnabled autoMemoryDirectory autoMemoryEnabled autoMode autoScrollEnabled autoUpdatesChannel
  autoUploadSessions bashEditDiffEnabled bashOutputMaxChars channelsEnabled claudeMd companyAnnouncements
  crossSessionInbound daemonColdStart defaultShell defaultView desktopSessionCleanupPeriodDays dialogExpiry
  disableAgentView disableArtifact disableBundledSkills disableClaudeAiConnectors disableDeepLinkRegistration
  disableRemoteControl disableReplyCheck disableWindowsBashCommandSplit editorMode emojiCompletionEnabled
  enableArtifact enableWorkflows extraKnownMarketplaces fastModePerSessionOptIn feedbackDrafts feedbackSurveyRate
  fileCheckpointingEnabled fileSuggestion footerLinksRegexes forceLoginGatewayUrl forceRemoteSettingsRefresh
  gatewayInternalNetworks idleCompaction inputNeededNotifEnabled keybindingFlavor managedSourcesBehavior
  maxProseWidth modelPicker modelPricing modelSettings otelHeadersHelper parentSettingsBehavior plansDirectory
  pluginConfigs pluginSuggestionMarketplaces pluginTrustMessage prUrlTemplate precomputeCompactionEnabled
  preferredNotifChannel prefersReducedMotion prependPlugins processWrapper promptCacheTtl promptSuggestionEnabled
  proxyAuthHelper remote remoteControlAtStartup respondToBashCommands showClearContextOnPlanAccept
  showMessageTimestamps showThinkingSummaries showTurnDuration skillListingBudgetFraction skillListingMaxDescChars
  skipAutoPermissionPrompt skipDangerousModePermissionPrompt skipWebFetchPreflight spellcheck spinnerTipsEnabled
  spinnerTipsOverride spinnerVerbs sshConfigs sshHostCommands subagentPromptCacheTtl subagentStatusLine
  switchModelsOnFlag syncClaudeAiPlugins syncClaudeAiSkills syntaxHighlightingDisabled taskOutputMaxChars
  teammateMode terminalProgressBarEnabled terminalTitleFromRename theme timeFormat timeZone todoFeatureEnabled tui
  ultracode useAutoModeDuringPlan verbose viewMode vimInsertModeRemaps voice voiceEnabled
  wheelScrollAccelerationEnabled workflowKeywordTriggerEnabled workflowSizeGuideline worktree
  wslInheritsWindowsSettings
`)
