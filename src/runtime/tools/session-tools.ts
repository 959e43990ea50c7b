/** The tools of one session, bound to what they share; bound anew for every sub-agent, which has a state of its own. */
import type { SessionHooks } from '../../hooks/session-hooks.js'
import type { Permissions } from '../../permissions/permission-engine.js'
import { type Platform, toToolPlatform } from '../../platform/platform.js'
import type { AgentDefinition } from '../../protocol/options.js'
import { areBackgroundTasksEnabled } from '../../tools/bash/command-limits.js'
import type { BashSandbox } from '../../tools/bash/sandbox-port.js'
import { type BoundTools, createRegistry } from '../../tools/registry.js'
import type { Tool, ToolContext } from '../../tools/tool.js'
import type { ToolSearchPort } from '../../tools/tool-search/tool-search.js'
import { agentInfos } from '../agents/known-agents.js'
import type { Conversation } from '../conversation.js'
import { createTaskHookGuards } from '../hooks/connect-session-hooks.js'
import type { LiveSettings } from '../live-settings.js'
import type { ModelSetup } from '../model-setup.js'
import type { PlanMode } from '../permission/session-plan-mode.js'
import type { TeamCoordinator } from '../teams/team-coordinator.js'
import type { SessionBackground } from '../turn/background.js'
import { createSkillPort } from '../turn/slash-commands.js'
import { chooseSessionTools, type ToolConfiguration } from './built-in-tools.js'
import type { StructuredOutputTracker } from './required-output.js'
import { createToolSession } from './tool-session.js'

export type SessionToolsOptions = {
  settings: ToolConfiguration
  live: LiveSettings
  platform: Platform
  permissions: Permissions
  model: ModelSetup
  plan: PlanMode
  hooks: SessionHooks
  background: SessionBackground
  structured: StructuredOutputTracker
  sandbox: BashSandbox | undefined
  agents: ReadonlyMap<string, AgentDefinition>
  /** What MCP servers bring. */
  servers: { tools: readonly Tool[]; search: ToolSearchPort }
  teams: TeamCoordinator | undefined
  /** Known once the session is put together. */
  main(): Conversation
  /** As long as the session. */
  life: AbortSignal
  stderr(text: string): void
}

export function createSessionTools(options: SessionToolsOptions) {
  const { settings, platform, permissions, hooks, background, agents, main, servers } = options
  const context: ToolContext = {
    tasks: background.table,
    offers: (name) => main().offer.offered.some((tool) => tool.name === name),
    cwd: settings.cwd,
    directories: permissions.directories,
    // Hooks at the start may add to it.
    get env() {
      return options.live.env
    },
    platform: toToolPlatform(platform),
    session: createToolSession(settings.cwd, (from, to) => {
      void hooks.cwdChanged({ old_cwd: from, new_cwd: to }, options.life)
    }),
  }
  const tools = chooseSessionTools(
    {
      ...options,
      agents: {
        agents: () => agentInfos(agents),
        teams: options.teams !== undefined,
        background: areBackgroundTasksEnabled(settings.env),
        run: async (input, call) =>
          (await options.teams?.start(input, call)) ??
          (await import('../agents/task-port.js')).runTaskTool(main(), input, call),
      },
      skills: createSkillPort(main),
      taskGuards: createTaskHookGuards(hooks, options.teams?.memberFields),
      search: servers.search,
    },
    options.stderr,
  )
  return {
    registry: createRegistry([...tools, options.structured.tool, ...servers.tools], context),
    tools: context.session,
    bindTools: (own: Pick<ToolContext, 'session' | 'agentId' | 'offers'>): BoundTools =>
      createRegistry([...tools, ...servers.tools], { ...context, ...own }),
  }
}
