// Plugins named by the host: commands, agents, skills, hooks and MCP servers under the name of the plugin.
import { commands, converse, page, program, put } from './project.mjs'
import { allowAll, oneByOne } from './steps.mjs'

/** A tiny MCP server on stdio with one tool. */
const server = `import readline from 'node:readline'
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'pserver', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'ping', description: 'p', inputSchema: { type: 'object', properties: {} } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'pong' }] }),
}
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} }))
})
`

const root = '$' + '{CLAUDE_PLUGIN_ROOT}'
const plugin = {
  '.claude-plugin/plugin.json': { name: 'ourplug', version: '1.0.0', description: 'Own plugin' },
  'commands/pcmd.md': page({ description: 'Plugin cmd' }, `Plugin body ${root} $ARGUMENTS\n`),
  'commands/sub/inner.md': page({ description: 'Plugin inner' }, 'Inner body\n'),
  'agents/pa.md': page({ name: 'pa', description: 'Plugin agent' }, 'You are of a plugin.\n'),
  'skills/ps/SKILL.md': page({ name: 'ps', description: 'Plugin skill' }, `Skill body ${root}\n`),
  'hooks/hooks.json': {
    description: 'Own hooks',
    hooks: {
      SessionStart: [commands(`echo plugin-starts ${root}`)],
      PreToolUse: [{ matcher: 'Bash', ...commands(`${root}/hook.sh`) }],
    },
  },
  'hook.sh': program({ 'ls -a': 'echo "refused by $CLAUDE_PLUGIN_ROOT for $CLAUDE_PROJECT_DIR" >&2; exit 2' }),
}

export const s17f = {
  title: 'a plugin: commands, an agent, a skill, hooks; one without a manifest; one that is not there',
  own: ['Plugin cmd', 'Plugin inner', 'Plugin skill', 'plugin-starts'],
  async run(stage) {
    const { options, script, canUseTool, cwd } = stage
    put(`${cwd}/plug`, plugin)
    put(`${cwd}/noname`, { 'commands/nc.md': page({ description: 'Without a manifest' }, 'Noname body\n') })
    const steps = oneByOne(
      ['Bash', { command: 'ls -a' }],
      ['Skill', { skill: 'ourplug:ps' }],
      ['Skill', { skill: 'ps', args: 'x' }],
    )
    script(() => steps.shift() ?? { text: 'Read.' })
    const plugins = ['plug', 'noname', 'missing'].map((name) => ({ type: 'local', path: `${cwd}/${name}` }))
    await converse(stage, {
      prompts: ['Go.', '/ourplug:pcmd arg', '/ourplug:ps q', '/pcmd', '/ourplug:sub:inner', '/noname:nc'],
      options: options({ plugins, canUseTool: canUseTool(allowAll) }),
    })
  },
}

export const s17f2 = {
  title: 'a plugin with an MCP server',
  async run({ sdk, options, script, consume, call, canUseTool, cwd }) {
    put(`${cwd}/plug`, {
      '.claude-plugin/plugin.json': { name: 'ourplug' },
      '.mcp.json': { mcpServers: { pserver: { command: 'node', args: [`${root}/server.mjs`] } } },
      'server.mjs': server,
    })
    script(oneByOne(['mcp__plugin_ourplug_pserver__ping', {}]))
    const plugins = [{ type: 'local', path: `${cwd}/plug` }]
    const query = sdk.query({ prompt: 'Ping.', options: options({ plugins, canUseTool: canUseTool(allowAll) }) })
    await consume(query, async (message) => {
      if (message.type === 'assistant') await call('mcpServerStatus', () => query.mcpServerStatus())
    })
  },
}
