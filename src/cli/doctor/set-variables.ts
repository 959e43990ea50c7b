/** Every variable that the original documents and Kedge does not read, with why. Those it reads have rows in docs/compatibility-environment.md. */
import { createFindingFactory, type DoctorFinding } from './finding.js'

/** `harmless`: nothing is missing because of them. */
type Reason = { why: string; names: string; harmless?: true }

const REASONS: readonly Reason[] = [
  {
    why: "Kedge doesn't have the feature",
    harmless: true,
    names: `DISABLE_AUTOUPDATER DISABLE_BUG_COMMAND DISABLE_COST_WARNINGS DISABLE_ERROR_REPORTING
      DISABLE_FEEDBACK_COMMAND DISABLE_GROWTHBOOK DISABLE_INSTALLATION_CHECKS DISABLE_NON_ESSENTIAL_MODEL_CALLS
      DISABLE_TELEMETRY DISABLE_UPDATES DO_NOT_TRACK CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC
      CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY CLAUDE_CODE_DISABLE_AUTO_MEMORY CLAUDE_CODE_DISABLE_CRON
      CLAUDE_CODE_DISABLE_FAST_MODE CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS CLAUDE_CODE_DISABLE_BUNDLED_SKILLS
      CLAUDE_CODE_DISABLE_WORKFLOWS CLAUDE_CODE_DISABLE_AGENT_PROGRESS_SUMMARIES CLAUDE_CODE_ATTRIBUTION_HEADER
      CLAUDE_CODE_ACCOUNT_UUID CLAUDE_CODE_ORGANIZATION_UUID CLAUDE_CODE_USER_EMAIL`,
  },
  {
    why: 'Kedge always does that: keys are kept from commands',
    harmless: true,
    names: 'CLAUDE_CODE_SUBPROCESS_ENV_SCRUB',
  },
  {
    why: "it configures Claude Code's own terminal interface; Kedge's terminal doesn't read it",
    harmless: true,
    names: `CLAUDE_CODE_DISABLE_TERMINAL_TITLE CLAUDE_CODE_HIDE_CWD CLAUDE_CODE_NO_FLICKER CLAUDE_CODE_DISABLE_MOUSE
      CLAUDE_CODE_DISABLE_AGENT_VIEW CLAUDE_CODE_ACCESSIBILITY CLAUDE_CODE_SYNTAX_HIGHLIGHT CLAUDE_CODE_SCROLL_SPEED`,
  },
  {
    why: "it configures Claude Code's editor extension; editors use Kedge over ACP (`kedge acp`)",
    harmless: true,
    names: `CLAUDE_CODE_IDE_HOST_OVERRIDE CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL CLAUDE_CODE_IDE_SKIP_VALID_CHECK
      CLAUDE_CODE_AUTO_CONNECT_IDE`,
  },
  {
    why: 'Kedge has no account to show or hide',
    harmless: true,
    names: 'CLAUDE_CODE_HIDE_ACCOUNT_INFO IS_DEMO',
  },
  {
    why: 'Kedge always runs commands with bash',
    harmless: true,
    names: 'CLAUDE_CODE_USE_POWERSHELL_TOOL',
  },
  {
    why: 'Kedge always does that: streams are watched byte by byte (KEDGE_STREAM_IDLE_MS)',
    harmless: true,
    names: 'CLAUDE_ENABLE_BYTE_WATCHDOG_BEDROCK',
  },
  {
    why: 'it belongs to a login of the vendor, which is for the vendor’s own apps',
    names: `CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_OAUTH_REFRESH_TOKEN CLAUDE_CODE_OAUTH_SCOPES
      CLAUDE_CODE_SESSION_ACCESS_TOKEN ENABLE_CLAUDEAI_MCP_SERVERS MCP_OAUTH_CALLBACK_PORT`,
  },
  {
    why: 'spans and metrics come from the options tracer and meter instead',
    names: `CLAUDE_CODE_ENABLE_TELEMETRY CLAUDE_CODE_ENHANCED_TELEMETRY_BETA CLAUDE_CODE_PROPAGATE_TRACEPARENT
      CLAUDE_CODE_OTEL_FLUSH_TIMEOUT_MS CLAUDE_CODE_OTEL_SHUTDOWN_TIMEOUT_MS
      CLAUDE_CODE_OTEL_HEADERS_HELPER_DEBOUNCE_MS OTEL_METRICS_EXPORTER OTEL_LOGS_EXPORTER OTEL_TRACES_EXPORTER
      OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_PROTOCOL OTEL_LOG_USER_PROMPTS
      OTEL_LOG_TOOL_DETAILS OTEL_METRIC_EXPORT_INTERVAL OTEL_LOGS_EXPORT_INTERVAL OTEL_RESOURCE_ATTRIBUTES
      OTEL_METRICS_INCLUDE_ACCOUNT_UUID OTEL_METRICS_INCLUDE_SESSION_ID OTEL_METRICS_INCLUDE_VERSION`,
  },
  {
    why: 'Kedge uses the certificate authorities of Node and NODE_EXTRA_CA_CERTS',
    names: 'CLAUDE_CODE_CERT_STORE',
  },
  {
    why: 'Kedge always does that: a proxy looks names up itself',
    harmless: true,
    names: 'CLAUDE_CODE_PROXY_RESOLVES_HOSTS',
  },
  {
    why: 'Kedge uses a renewed certificate from the next request, even while others are open',
    harmless: true,
    names: 'CLAUDE_CODE_DISABLE_MTLS_RELOAD_ON_STALE_CONNECTION',
  },
  {
    why: 'plugins come only from --plugin-dir and the option plugins',
    names: `FORCE_AUTOUPDATE_PLUGINS CLAUDE_CODE_PLUGIN_GIT_TIMEOUT_MS CLAUDE_CODE_PLUGIN_SEED_DIR CLAUDE_CODE_PLUGIN_CACHE_DIR
      CLAUDE_CODE_PLUGIN_PREFER_HTTPS CLAUDE_CODE_SYNC_PLUGIN_INSTALL CLAUDE_CODE_SYNC_PLUGIN_INSTALL_TIMEOUT_MS`,
  },
  {
    why: 'not supported',
    names: `ANTHROPIC_BETAS ANTHROPIC_CUSTOM_MODEL_OPTION ANTHROPIC_CUSTOM_MODEL_OPTION_NAME
      ANTHROPIC_CUSTOM_MODEL_OPTION_DESCRIPTION ANTHROPIC_DEFAULT_FABLE_MODEL ANTHROPIC_DEFAULT_HAIKU_MODEL_NAME
      ANTHROPIC_DEFAULT_HAIKU_MODEL_DESCRIPTION ANTHROPIC_DEFAULT_OPUS_MODEL_NAME
      ANTHROPIC_DEFAULT_OPUS_MODEL_DESCRIPTION ANTHROPIC_DEFAULT_SONNET_MODEL_NAME
      ANTHROPIC_DEFAULT_SONNET_MODEL_DESCRIPTION API_FORCE_IDLE_TIMEOUT CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR
      CLAUDE_STREAM_IDLE_TIMEOUT_MS CLAUDE_STREAM_FIRST_BYTE_TIMEOUT_MS CLAUDE_CODE_AUTO_COMPACT_WINDOW
      CLAUDE_CODE_DISABLE_1M_CONTEXT CLAUDE_CODE_DISABLE_ADAPTIVE_THINKING CLAUDE_CODE_DISABLE_ATTACHMENTS
      CLAUDE_CODE_DISABLE_CLAUDE_MDS CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING
      CLAUDE_CODE_DISABLE_LEGACY_MODEL_REMAP CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK CLAUDE_CODE_DISABLE_THINKING
      CLAUDE_CODE_EFFORT_LEVEL CLAUDE_CODE_ENABLE_FINE_GRAINED_TOOL_STREAMING
      CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY CLAUDE_CODE_GLOB_HIDDEN CLAUDE_CODE_GLOB_NO_IGNORE
      CLAUDE_CODE_GLOB_TIMEOUT_SECONDS CLAUDE_CODE_MAX_CONTEXT_TOKENS CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY
      CLAUDE_CODE_NEW_INIT CLAUDE_CODE_PROMPT_CACHE_TTL CLAUDE_CODE_RESUME_INTERRUPTED_TURN CLAUDE_CODE_SCRIPT_CAPS
      CLAUDE_CODE_EXIT_AFTER_STOP_DELAY CLAUDE_CODE_PLAN_MODE_REQUIRED CLAUDE_CODE_SHELL CLAUDE_CODE_SIMPLE CLAUDE_CODE_SIMPLE_SYSTEM_PROMPT
      CLAUDE_CODE_SKIP_PROMPT_HISTORY CLAUDE_CODE_STREAM_CLOSE_TIMEOUT
      CLAUDE_CODE_SUBAGENT_PROMPT_CACHE_TTL CLAUDE_CODE_REMOTE CLAUDE_CODE_TASK_LIST_ID CLAUDE_CODE_TEAM_NAME
      CLAUDE_CODE_TMPDIR DISABLE_INTERLEAVED_THINKING MCP_SERVER_CONNECTION_BATCH_SIZE
      MCP_REMOTE_SERVER_CONNECTION_BATCH_SIZE SLASH_COMMAND_TOOL_CHAR_BUDGET`,
  },
]

export type IneffectiveVariable = { name: string; why: string; harmless: boolean }

export const INEFFECTIVE_VARIABLES: readonly IneffectiveVariable[] = REASONS.flatMap(
  ({ why, names, harmless = false }) => names.split(/\s+/).map((name) => ({ name, why, harmless })),
)

/** Those of them that are set here. */
export function checkIneffectiveVariables(env: NodeJS.ProcessEnv): DoctorFinding[] {
  const { ok, warn } = createFindingFactory('variables')
  const set = INEFFECTIVE_VARIABLES.filter(({ name }) => env[name]?.trim())
  const names = (harmless: boolean) => set.filter((one) => one.harmless === harmless).map(({ name }) => name)
  return [
    ...REASONS.flatMap(({ why, harmless = false }) => {
      const here = set.filter((one) => one.why === why).map(({ name }) => name)
      if (here.length === 0 || harmless) return []
      return [warn(`set, but without effect in Kedge: ${here.join(', ')}: ${why}`)]
    }),
    ...(names(true).length > 0 ? [ok(`set, but not needed in Kedge: ${names(true).join(', ')}`)] : []),
  ]
}
