/** What there is and how it stands: context, cost, rules, agents, servers, hooks. */
import { isObject } from '../../protocol/json.js'
import type { McpServerStatus } from '../../protocol/mcp-servers.js'
import { modeName } from '../../protocol/shown/vocabulary.js'
import { backgroundTasks } from '../blocks/background-tasks.js'
import { costText, shortCount } from '../blocks/short-texts.js'
import { choiceCard } from '../cards/choice-card.js'
import { commandOutputLines, toTerminalSafeLine } from '../screen/terminal-safe-text.js'
import { runReportingFailure, type TerminalUi } from '../session/terminal-ui.js'

const BAR = 30

export async function showContext(ui: TerminalUi): Promise<void> {
  const usage = await ui.client?.context()
  if (!usage) return
  const { categories, totalTokens, maxTokens, percentage } = usage
  const full = Math.max(0, Math.min(BAR, Math.round((percentage / 100) * BAR)))
  const rows = categories.map(
    ({ name, tokens, kind }) => `| ${cell(name)} | ${shortCount(tokens)} | ${kind === 'used' ? '' : kind} |`,
  )
  ui.screen.say(
    [
      `\`${'█'.repeat(full)}${'░'.repeat(BAR - full)}\` ${shortCount(totalTokens)} of ${shortCount(maxTokens)} tokens (${Math.round(percentage)}%)`,
      '',
      '| What | Tokens | |',
      '|---|---|---|',
      ...rows,
    ].join('\n'),
  )
}

export async function showCost(ui: TerminalUi): Promise<void> {
  const { costUsd, cacheHitRate: rate } = ui.view.facts
  const cache = rate === undefined ? '' : ` ${(rate * 100).toFixed(1)} % of what was read came from the cache.`
  ui.screen.say(`This session has cost ${costText(costUsd) || 'nothing so far'}.${cache}`)
}

export async function showStatus(ui: TerminalUi): Promise<void> {
  const { client, view } = ui
  const { model = '', mode = 'default', costUsd } = view.facts
  const info = await client?.info()
  const rows: [string, string][] = [
    ['session', client?.id ?? ''],
    ['title', info?.title ?? ''],
    ['folder', client?.cwd ?? ''],
    ['model', model],
    ['mode', `${mode} (${modeName(mode)})`],
    ['cost', costText(costUsd)],
    ['in the background', String(backgroundTasks(view).length)],
  ]
  ui.screen.say(
    [
      '| | |',
      '|---|---|',
      ...rows.filter(([, value]) => value !== '').map(([name, value]) => `| ${name} | ${cell(value)} |`),
    ].join('\n'),
  )
}

export async function showAgents(ui: TerminalUi): Promise<void> {
  const agents = (await ui.client?.agents()) ?? []
  if (agents.length === 0) return ui.screen.notice('notice', 'There are no sub-agents here.')
  ui.screen.say(
    [
      '| Agent | When it is used | Model |',
      '|---|---|---|',
      ...agents.map(
        ({ name, description, model }) => `| ${cell(name)} | ${cell(description)} | ${cell(model ?? '')} |`,
      ),
    ].join('\n'),
  )
}

export async function showMcpServerList(ui: TerminalUi): Promise<void> {
  const servers = (await ui.client?.servers()) ?? []
  if (servers.length === 0)
    return ui.screen.notice('notice', 'There are no MCP servers in this session. `kedge mcp add` adds one.')
  ui.screen.show(
    choiceCard<McpServerStatus>({
      title: 'MCP servers',
      choices: servers.map((server) => ({
        value: server,
        label: `${server.name}: ${server.status}`,
        detail: server.error ?? `${server.tools?.length ?? 0} tools`,
      })),
      hint: 'enter: reconnect, or turn on · d: turn off · esc: back',
      onChosen: ([server]) => server && change(ui, server, server.status === 'disabled' ? 'on' : 'reconnect'),
      onCanceled: () => ui.screen.show(undefined),
      onKey(key, server) {
        if (key.id !== 'text' || key.text !== 'd' || !server) return false
        change(ui, server, 'off')
        return true
      },
    }),
  )
}

function change(ui: TerminalUi, { name }: McpServerStatus, to: 'on' | 'off' | 'reconnect'): void {
  ui.screen.show(undefined)
  runReportingFailure(ui, async () => {
    if (to === 'reconnect') await ui.client?.reconnectServer(name)
    else await ui.client?.toggleServer(name, to === 'on')
    const now = (await ui.client?.servers())?.find((server) => server.name === name)
    ui.screen.notice('notice', `${name}: ${now?.status ?? 'gone'}`)
  })
}

export function showPermissions(ui: TerminalUi): void {
  const rows = settingsFiles(ui).flatMap(({ label, settings }) => {
    const permissions = isObject(settings['permissions']) ? settings['permissions'] : {}
    return ['deny', 'ask', 'allow'].flatMap((kind) => {
      const rules = permissions[kind]
      return (Array.isArray(rules) ? rules : []).map((rule) => `| ${kind} | \`${cell(String(rule))}\` | ${label} |`)
    })
  })
  const given = (ui.settings.allowedTools ?? []).map((rule) => `| allow | \`${cell(rule)}\` | command line |`)
  const { mode = 'default' } = ui.view.facts
  const asked = `Mode: **${mode}** (${modeName(mode)}; shift-tab changes it).`
  const table =
    rows.length + given.length === 0
      ? ['No rules in your settings.']
      : ['| | Rule | From |', '|---|---|---|', ...rows, ...given]
  ui.screen.say(
    [asked, '', ...table, '', '`kedge permissions explain` says what would happen to a call, and why.'].join('\n'),
  )
}

export function showHooks(ui: TerminalUi): void {
  const rows = settingsFiles(ui).flatMap(({ label, settings }) => {
    const hooks = isObject(settings['hooks']) ? settings['hooks'] : {}
    return Object.entries(hooks).flatMap(([event, matchers]) =>
      (Array.isArray(matchers) ? matchers : [])
        .filter(isObject)
        .flatMap((matcher) =>
          (Array.isArray(matcher['hooks']) ? matcher['hooks'] : [])
            .filter(isObject)
            .map(
              (hook) =>
                `| ${cell(event)} | ${cell(String(matcher['matcher'] ?? ''))} | \`${cell(String(hook['command'] ?? hook['type'] ?? ''))}\` | ${label} |`,
            ),
        ),
    )
  })
  if (rows.length === 0) {
    ui.screen.notice('notice', 'There are no hooks in your settings.')
    return
  }
  ui.screen.say(['| Event | For | Command | From |', '|---|---|---|---|', ...rows].join('\n'))
}

function settingsFiles({
  machine,
  client,
  backend,
}: TerminalUi): { label: string; settings: Record<string, unknown> }[] {
  const cwd = client?.cwd ?? ''
  const places = [
    { label: 'user', path: `${machine.configDir}/settings.json` },
    ...(backend.isRemote
      ? []
      : [
          { label: 'project', path: `${cwd}/.claude/settings.json` },
          { label: 'local', path: `${cwd}/.claude/settings.local.json` },
        ]),
  ]
  return places.flatMap(({ label, path }) => {
    try {
      const settings: unknown = JSON.parse(machine.readText(path) ?? '{}')
      return isObject(settings) ? [{ label, settings }] : []
    } catch {
      return []
    }
  })
}

export async function showDoctor(ui: TerminalUi): Promise<void> {
  ui.screen.flash('looking …')
  const printed = await ui.machine.ownCommand(['doctor'], ui.client?.cwd ?? '/')
  ui.screen.print(['', ...commandOutputLines(printed.trimEnd())])
}

/** Bars would end a cell. */
function cell(text: string): string {
  return toTerminalSafeLine(text).replaceAll('|', '\\|')
}
