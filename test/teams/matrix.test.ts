/** Whatever the prompt is like, a host is asked for what a teammate does: canUseTool, every kind of hook, its own tools. */
import assert from 'node:assert/strict'
import { createSdkMcpServer, type HookEvent, query, type SDKMessage, type SDKUserMessage, tool } from 'kedge'
import { z } from 'zod'
import { call, heard, mate, type Parts, playTeam } from './play.js'

const user = (content: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
})

/** `begin`: the first message has come. */
type Prompts = { prompt: string | AsyncIterable<SDKUserMessage>; begin(): void; release(): void }

const PROMPTS: Record<string, () => Prompts> = {
  'a string': () => ({ prompt: 'Go.', begin() {}, release() {} }),
  'an iterable of one message': () => ({ prompt: one(), begin() {}, release() {} }),
  'an iterable that ends before the first result': () => {
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    return { prompt: early(begun), begin: () => begin(), release() {} }
  },
  'an iterable that is held open': () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    return { prompt: held(released), begin() {}, release: () => release() }
  },
}

async function* one() {
  yield user('Go.')
}
async function* early(begun: Promise<void>) {
  yield user('Go.')
  await begun
}
async function* held(released: Promise<void>) {
  yield user('Go.')
  await released
}

/** Those that a teammate at work raises. */
const EVENTS = [
  ...(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'PermissionRequest'] as const),
  ...(['SubagentStart', 'SubagentStop', 'TaskCompleted', 'TeammateIdle'] as const),
] satisfies HookEvent[]

/** All that a teammate does comes after the lead has ended its turn. */
const parts = (): Parts => ({
  lead: (_, n) =>
    [
      call('TeamCreate', { team_name: 'alpha' }),
      call('TaskCreate', { subject: 'one', description: 'd' }),
      { tools: [mate('bob')] },
      'At work.',
    ][n] ?? 'Noted.',
  bob: (_, n) =>
    [
      call('Bash', { command: 'sleep 0.4' }),
      call('Write', { file_path: 'made.txt', content: 'x' }),
      call('Read', { file_path: 'missing.txt' }),
      call('Bash', { command: 'exit 3' }),
      call('mcp__own__double', { n: 21 }),
      call('TaskUpdate', { taskId: '1', status: 'completed' }),
    ][n] ?? 'Done.',
})

for (const [kind, prompts] of Object.entries(PROMPTS)) {
  playTeam(`teammates reach the callbacks of their host: ${kind}`, parts, {}, async ({ options, server }) => {
    const asked: string[] = []
    const raised = new Set<string>()
    const doubled: number[] = []
    const double = tool('double', 'Doubles', { n: z.number() }, async ({ n }) => {
      doubled.push(n)
      return { content: [{ type: 'text', text: String(2 * n) }] }
    })
    const { prompt, begin, release } = prompts()
    const run = query({
      prompt,
      options: {
        ...options,
        mcpServers: { own: createSdkMcpServer({ name: 'own', tools: [double] }) },
        canUseTool: async (name, updatedInput, { agentID }) => {
          asked.push(`${name} ${agentID !== undefined}`)
          return { behavior: 'allow', updatedInput }
        },
        hooks: Object.fromEntries(
          EVENTS.map((event) => [
            event,
            [
              {
                hooks: [
                  async (input: { hook_event_name: string; agent_id?: string }) => {
                    const ofMate =
                      input.agent_id !== undefined || /^(Task|Teammate|PermissionRequest)/.test(input.hook_event_name)
                    if (ofMate) raised.add(input.hook_event_name)
                    return {}
                  },
                ],
              },
            ],
          ]),
        ),
      },
    })
    const messages: SDKMessage[] = []
    for await (const message of run) {
      messages.push(message)
      begin()
      // The lead has heard that bob rests: all is done.
      if (message.type === 'result' && server.requests.some((r) => r.prompt.includes('idle_notification'))) release()
    }
    assert.deepEqual(asked.sort(), ['Bash true', 'Write true', 'mcp__own__double true'])
    assert.deepEqual([...raised].sort(), [...EVENTS].sort())
    assert.deepEqual(doubled, [21])
    const events = heard(messages)
    assert.equal(events.filter((event) => event === 'init').length, events.filter((event) => event === 'result').length)
    assert.equal(events.filter((event) => event === 'task_notification bob completed').length, 1)
    const all = JSON.stringify([messages, server.requests.map(({ body }) => body.messages)])
    assert.ok(!/stream closed/i.test(all))
  })
}
