/** Hooks of settings files that aren't command lines: programs with arguments, requests, questions to a model, agents, tools. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createSdkMcpServer, type Options, query, type Settings, tool } from 'kedge'
import { collect, type ModelHandler, type ModelRequest } from 'kedge/testing'
import { z } from 'zod'
import { bash, toolResults, withModel } from '../support/stage.js'

type Hook = Record<string, unknown>
type Posted = { headers: IncomingMessage['headers']; body: Record<string, unknown> }

const SECRET = 'hunter2-of-a-hook'
const isOfHook = ({ body }: ModelRequest) => JSON.stringify(body.system ?? '').includes('A user has set a condition')

/** Settings that a user gives. */
const withHooks = (event: string, hooks: Hook[], more: object = {}): Pick<Options, 'settings' | 'allowedTools'> => {
  const settings: object = { hooks: { [event]: [{ hooks }] }, ...more }
  // Types of settings know the releases of the SDK, and this is any JSON.
  return { settings: settings as Settings, allowedTools: ['Bash'] }
}

/** A model that runs one command, then says what it read; `judge` answers the questions of hooks. */
function worker(command: string, judge: ModelHandler = () => 'no answer'): ModelHandler {
  return (request) => {
    if (isOfHook(request)) return judge(request)
    return request.toolResults.length > 0 ? 'Done.' : bash(command)
  }
}

async function run(model: ModelHandler, given: Options) {
  return withModel(model, given, async ({ options, server }) => {
    const stderr: string[] = []
    const running = query({ prompt: 'Go.', options: { ...options, stderr: (text) => void stderr.push(text) } })
    const { messages, error, result } = await collect(running)
    const file = (name: string) => join(options.cwd, name)
    const read = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : undefined)
    return {
      results: toolResults(messages),
      error,
      result,
      stderr: stderr.join(''),
      made: read('made'),
      args: read('args'),
      server,
    }
  })
}

async function startHookServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const posted: Posted[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      posted.push({ headers: request.headers, body: JSON.parse(text) })
      answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    posted,
    url: `http://127.0.0.1:${port}/hook?key=${SECRET}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const deny = (permissionDecisionReason: string) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
})

describe('a program with arguments', () => {
  test('gets them as they are, without a shell, and with the folders filled in', async () => {
    const script = 'printf "%s\\n" "$@" > args'
    const args = ['-c', script, 'guard', 'a b', '$HOME; rm -rf x', '${CLAUDE_PROJECT_DIR}/src', '']
    const { args: got, made } = await run(
      worker('touch made'),
      withHooks('PreToolUse', [{ type: 'command', command: 'bash', args }]),
    )
    const lines = got?.split('\n') ?? []
    assert.deepEqual([lines[0], lines[1], lines[3]], ['a b', '$HOME; rm -rf x', ''])
    assert.match(lines[2] ?? '', /^\/.+\/src$/)
    assert.equal(made, '')
  })

  test('a guard with arguments blocks; one that is not there lets nothing through', async () => {
    const guard = { type: 'command', command: 'bash', args: ['-c', 'echo "not $1" >&2; exit 2', 'guard', 'today'] }
    const blocked = await run(worker('touch made'), withHooks('PreToolUse', [guard]))
    assert.equal(blocked.made, undefined)
    assert.match(blocked.results[0]?.text ?? '', /not today/)
    const missing = { type: 'command', command: '/no/such/guard', args: ['x'] }
    const failed = await run(worker('touch made'), withHooks('PreToolUse', [missing]))
    assert.equal(failed.made, undefined)
    assert.match(failed.stderr, /Hook PreToolUse:Bash \[\/no\/such\/guard x\].*could not be started/)
  })
})

describe('if', () => {
  const noted = { type: 'command', command: 'echo "$(cat)" >> args; exit 2', if: 'Bash(git push *)' }

  for (const [command, isMeant] of [
    ['git push origin main', true],
    ['cd . && git push origin main', true],
    ['touch made', false],
    ['echo git push', false],
  ] as const)
    test(`Bash(git push *) ${isMeant ? 'covers' : "doesn't cover"} ${command}`, async () => {
      const { args } = await run(worker(command), withHooks('PreToolUse', [noted]))
      assert.equal(args !== undefined, isMeant)
    })

  test('a rule that can not be read covers everything, because the hook may be a guard', async () => {
    const { made, args } = await run(worker('touch made'), withHooks('PreToolUse', [{ ...noted, if: 'bash(' }]))
    assert.deepEqual([made, args !== undefined], [undefined, true])
  })
})

describe('a request', () => {
  test('carries the event and headers with permitted variables, and its answer decides', async () => {
    await using server = await startHookServer((_request, response) => response.end(JSON.stringify(deny('not here'))))
    const headers = {
      Authorization: 'Bearer $HOOK_TOKEN',
      'X-Other': '${OTHER_TOKEN}-$ANTHROPIC_API_KEY.',
      'Content-Length': '1',
    }
    const allowedEnvVars = ['HOOK_TOKEN', 'OTHER_TOKEN', 'ANTHROPIC_API_KEY']
    const hooks = [{ type: 'http', url: server.url, headers, allowedEnvVars }]
    const more = {
      env: { HOOK_TOKEN: SECRET, OTHER_TOKEN: 'other' },
      httpHookAllowedEnvVars: ['HOOK_TOKEN', 'ANTHROPIC_API_KEY'],
    }
    const { made, results } = await run(worker('touch made'), withHooks('PreToolUse', hooks, more))
    assert.equal(made, undefined)
    assert.match(results[0]?.text ?? '', /not here/)
    const [{ headers: got, body } = assert.fail('nothing was posted')] = server.posted
    assert.deepEqual([got.authorization, got['x-other']], [`Bearer ${SECRET}`, '-.'])
    assert.deepEqual(
      [body['hook_event_name'], body['tool_name'], body['tool_input']],
      ['PreToolUse', 'Bash', { command: 'touch made' }],
    )
  })

  test('an empty answer objects to nothing', async () => {
    await using server = await startHookServer((_request, response) => response.writeHead(204).end())
    const { made } = await run(worker('touch made'), withHooks('PreToolUse', [{ type: 'http', url: server.url }]))
    assert.equal(made, '')
  })

  const failures: Record<string, [(request: IncomingMessage, response: ServerResponse) => void, RegExp]> = {
    'HTTP 500': [(_request, response) => response.writeHead(500).end('{}'), /answered HTTP 500/],
    'a redirect': [
      (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' }).end(),
      /redirects \(HTTP 302\), which Kedge doesn't follow/,
    ],
    '3 MB': [(_request, response) => response.end('x'.repeat(3_000_000)), /longer than 1 MB/],
    'half an answer': [(_request, response) => response.end('{"decision": "appr'), /begins like JSON/],
    'a lie about the event': [
      (_request, response) => response.end(JSON.stringify({ hookSpecificOutput: { hookEventName: 'Stop' } })),
      /hookEventName is 'Stop'/,
    ],
    'a cut connection': [(request) => request.socket.destroy(), /can't be reached/],
  }
  for (const [name, [answer, says]] of Object.entries(failures))
    test(`${name}: nothing is approved, and no secret is printed`, async () => {
      await using server = await startHookServer(answer)
      const { made, stderr } = await run(
        worker('touch made'),
        withHooks('PreToolUse', [{ type: 'http', url: server.url }]),
      )
      assert.equal(made, undefined)
      assert.match(stderr, says)
      assert.doesNotMatch(stderr, new RegExp(SECRET))
    })

  test('one that never answers ends at its time limit', async () => {
    await using server = await startHookServer(() => {})
    const hooks = [{ type: 'http', url: server.url, timeout: 0.2 }]
    const { made, stderr } = await run(worker('touch made'), withHooks('PreToolUse', hooks))
    assert.equal(made, undefined)
    assert.match(stderr, /it took longer than 0\.2 s/)
  })

  test('addresses that settings do not permit get nothing', async () => {
    await using server = await startHookServer((_request, response) => response.end('{}'))
    const hooks = [{ type: 'http', url: server.url }]
    const closed = await run(
      worker('touch made'),
      withHooks('PreToolUse', hooks, { allowedHttpHookUrls: ['https://*'] }),
    )
    assert.deepEqual([closed.made, server.posted.length], [undefined, 0])
    assert.match(closed.stderr, /allowedHttpHookUrls/)
    const more = { allowedHttpHookUrls: ['http://127.0.0.1:*/hook*'] }
    const open = await run(worker('touch made'), withHooks('PreToolUse', hooks, more))
    assert.deepEqual([open.made, server.posted.length], ['', 1])
  })
})

describe('a question to a model', () => {
  const hook = { type: 'prompt', prompt: 'Nothing is created. Event: $ARGUMENTS' }

  test('an objection denies the call and ends the turn; the model of the hook read the event', async () => {
    const asked: string[] = []
    const judge: ModelHandler = ({ body }) => {
      asked.push(JSON.stringify(body.messages))
      return 'Let me see.\n{"ok": false, "reason": "It creates a file."}'
    }
    const { made, result } = await run(worker('touch made', judge), withHooks('PreToolUse', [hook]))
    assert.equal(made, undefined)
    assert.equal(asked.length, 1)
    assert.match(asked[0] ?? '', /Nothing is created\. Event: .*touch made/)
    assert.equal(result?.subtype, 'success')
  })

  test('with continueOnBlock the model reads the reason and continues', async () => {
    const judge: ModelHandler = () => '{"ok": false, "reason": "It creates a file."}'
    const { results, result } = await run(
      worker('touch made', judge),
      withHooks('PreToolUse', [{ ...hook, continueOnBlock: true }]),
    )
    assert.match(results[0]?.text ?? '', /It creates a file\./)
    assert.equal(result?.subtype === 'success' && result.result, 'Done.')
  })

  test('at Stop an objection keeps the model at work', async () => {
    let asked = 0
    const judge: ModelHandler = () => {
      asked += 1
      return asked === 1 ? '{"ok": false, "reason": "The tests were not run."}' : '{"ok": true}'
    }
    const { server } = await run(worker('true', judge), withHooks('Stop', [hook]))
    assert.equal(asked, 2)
    assert.match(JSON.stringify(server.requests.at(-2)?.body.messages), /The tests were not run\./)
  })

  for (const answer of ['I would rather not say.', '{"ok": "yes"}', '{"ok": '])
    test(`no verdict approves nothing: ${answer}`, async () => {
      const { made, stderr } = await run(
        worker('touch made', () => answer),
        withHooks('PreToolUse', [hook]),
      )
      assert.equal(made, undefined)
      assert.match(stderr, /the model gave no verdict/)
    })
})

test('an agent reads files to decide, and can do nothing else', async () => {
  const offered: string[][] = []
  const judge: ModelHandler = ({ body, toolResults: read }) => {
    offered.push((body.tools ?? []).map(({ name }) => name))
    if (read.length === 0) return { tools: [{ id: 'toolu_r', name: 'Grep', input: { pattern: 'forbidden' } }] }
    const isForbidden = JSON.stringify(read).includes('rules.txt')
    return JSON.stringify({ ok: !isForbidden, reason: 'rules.txt forbids it.' })
  }
  const model = worker('touch made', judge)
  await withModel(
    model,
    withHooks('PreToolUse', [{ type: 'agent', prompt: 'The files permit it.' }]),
    async ({ options }) => {
      writeFileSync(join(options.cwd, 'rules.txt'), 'touch is forbidden\n')
      await collect(query({ prompt: 'Go.', options }))
      assert.equal(existsSync(join(options.cwd, 'made')), false)
    },
  )
  assert.deepEqual(offered, [
    ['Glob', 'Grep', 'Read'],
    ['Glob', 'Grep', 'Read'],
  ])
})

describe('a tool of an MCP server', () => {
  const server = (seen: unknown[], answer: string) => ({
    rules: createSdkMcpServer({
      name: 'rules',
      tools: [
        tool('check', 'Checks a command', { command: z.string(), whole: z.any(), note: z.string() }, async (input) => {
          seen.push(input)
          return { content: [{ type: 'text', text: answer }] }
        }),
      ],
    }),
  })
  const hook = {
    type: 'mcp_tool',
    server: 'rules',
    tool: 'check',
    input: { command: '${tool_input.command}', whole: '${tool_input}', note: 'by ${tool_name}, ${no.such}.' },
  }

  test('gets fields of the event, and its answer decides', async () => {
    const seen: unknown[] = []
    const given = { ...withHooks('PreToolUse', [hook]), mcpServers: server(seen, JSON.stringify(deny('the rules'))) }
    const { made, results } = await run(worker('touch made'), given)
    assert.deepEqual(seen, [{ command: 'touch made', whole: { command: 'touch made' }, note: 'by Bash, .' }])
    assert.equal(made, undefined)
    assert.match(results[0]?.text ?? '', /the rules/)
  })

  test('a tool that is not there approves nothing', async () => {
    const given = { ...withHooks('PreToolUse', [{ ...hook, tool: 'gone' }]), mcpServers: server([], '') }
    const { made, stderr } = await run(worker('touch made'), given)
    assert.equal(made, undefined)
    assert.match(stderr, /MCP server rules has no tool gone/)
  })
})

describe('a hook of a type that is not known', () => {
  const hook = { type: 'telepathy', thought: 'x' }

  test('before a tool the user decides', async () => {
    const asked: string[] = []
    const given: Options = {
      ...withHooks('PreToolUse', [hook]),
      canUseTool: async (_tool, input, { decisionReason }) => {
        asked.push(String(decisionReason))
        return { behavior: 'allow', updatedInput: input }
      },
    }
    const { made, stderr } = await run(worker('touch made'), given)
    assert.equal(made, '')
    assert.match(asked.join(), /hook of type telepathy/)
    assert.match(stderr, /telepathy|doesn't know/)
  })

  test('where nobody can be asked, the call is denied; at other events it is left out', async () => {
    assert.equal((await run(worker('touch made'), withHooks('PreToolUse', [hook]))).made, undefined)
    assert.equal((await run(worker('touch made'), withHooks('PostToolUse', [hook]))).made, '')
  })
})

for (const onFailure of [undefined, 'continue', 'block'] as const)
  test(`a callback that throws, with onFailure ${onFailure}: at UserPromptSubmit only a block drops the prompt`, async () => {
    const hooks: Options['hooks'] = {
      UserPromptSubmit: [
        { hooks: [() => Promise.reject(new Error('the guard broke'))], ...(onFailure && { onFailure }) },
      ],
    }
    const { made, stderr } = await run(worker('touch made'), { hooks, allowedTools: ['Bash'] })
    assert.equal(made, onFailure === 'block' ? undefined : '')
    assert.match(stderr, /the guard broke/)
  })
