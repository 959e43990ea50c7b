// The other tools: web, todo list, skills, configuration, task list.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { calls, oneByOne } from './steps.mjs'

const fetch = (url, prompt = 'What is it?') => ['WebFetch', { url, prompt }]

export const t40 = calls('WebFetch: addresses it refuses', () => [
  fetch('http://localhost:1/page'),
  fetch('not a url'),
  fetch('file:///etc/passwd'),
  fetch('http://user:pass@example.com/'),
  fetch('http://intranet/'),
  fetch(`https://example.com/${'x'.repeat(3000)}`),
  ['WebFetch', { url: 'https://example.com/' }],
])

export const t41 = {
  title: 'WebSearch: what it asks the API and what it makes of the answer',
  async run({ sdk, options, script, consume, canUseTool }) {
    const hit = (n) => ({
      type: 'web_search_result',
      title: `Title ${n}`,
      url: `https://example.com/${n}`,
      encrypted_content: 'abc',
      page_age: null,
    })
    const search = (query) => [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [hit(1), hit(2)] },
      { type: 'text', text: 'What was found.' },
    ]
    const empty = [
      { type: 'server_tool_use', id: 'srvtoolu_3', name: 'web_search', input: { query: 'no hits' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_3', content: [] },
    ]
    const failed = [
      { type: 'server_tool_use', id: 'srvtoolu_2', name: 'web_search', input: { query: 'fails' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_2',
        content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
      },
    ]
    const steps = oneByOne(
      ['WebSearch', { query: 'some words' }],
      ['WebSearch', { query: 'fails', allowed_domains: ['example.com'] }],
      ['WebSearch', { query: 'both', allowed_domains: ['a.com'], blocked_domains: ['b.com'] }],
      ['WebSearch', { query: 'x' }],
      ['WebSearch', { query: 'nothing', blocked_domains: ['b.com'] }],
      ['WebSearch', { query: 'no hits' }],
    )
    const answers = [
      { text: 'Let me look.', blocks: search('some words') },
      { blocks: failed },
      { text: 'No search was needed.' },
      { blocks: empty },
    ]
    script((body) => {
      const searching = body.tools.some((tool) => String(tool.type).startsWith('web_search'))
      return (searching ? answers : steps).shift() ?? { text: 'Too many.' }
    })
    const allow = canUseTool(async (_name, updatedInput) => ({ behavior: 'allow', updatedInput }))
    await consume(sdk.query({ prompt: 'Search.', options: options({ canUseTool: allow }) }))
  },
}

/** What the local server has: status, headers, body. */
const pages = {
  '/page': [
    200,
    'text/html',
    '<html><body><h1>Head</h1><p>Some <b>text</b>, <a href="/x">a link</a>.</p></body></html>',
  ],
  '/text': [200, 'text/plain', 'plain text'],
  '/json': [200, 'application/json', '{"a":1}'],
  '/long': [200, 'text/plain', 'x'.repeat(150_000)],
  '/missing': [404, 'text/plain', 'gone'],
  '/here': [302, 'text/plain', '', '/page'],
  '/away': [301, 'text/plain', '', 'https://example.com/page'],
}

export const t42 = {
  title: 'WebFetch: pages of a local server, redirects, a page that is not there',
  inProcess: false, // The server's certificate is trusted through the environment of the process.
  async run(stage) {
    const server = createServer(certificate(stage.home), (request, response) => {
      const [status, type, body, location] = pages[request.url] ?? pages['/missing']
      stage.record('note', `${request.method} ${request.url}`)
      response.writeHead(status, { 'content-type': type, ...(location === undefined ? {} : { location }) })
      response.end(body)
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const host = `127.0.0.1:${server.address().port}`
    const env = { ...stage.options().env, NODE_EXTRA_CA_CERTS: join(stage.home, 'cert.pem') }
    const settings = JSON.stringify({ skipWebFetchPreflight: true })
    const urls = ['/page', '/text', '/json', '/long', '/missing', '/here', '/away']
    const list = [fetch(`http://${host}/page`), ...urls.map((path) => fetch(`https://${host}${path}`))]
    await calls('', () => list, { chosen: { env, extraArgs: { settings } } }).run(stage)
    server.close()
  },
}

function certificate(folder) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert, ...names]
  execFileSync('openssl', made, { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

const todo = (content, status = 'pending') => ({ content, status, activeForm: `${content}ing` })

export const t50 = calls('TodoWrite: edges', () => [
  ['TodoWrite', { todos: [] }],
  ['TodoWrite', { todos: [todo('A', 'in_progress'), todo('B', 'in_progress'), todo('C')] }],
  ['TodoWrite', { todos: [todo('A', 'completed'), todo('B', 'completed')] }],
  ['TodoWrite', { todos: [todo('D')] }],
  ['TodoWrite', { todos: [{ content: 'E', status: 'pending' }] }],
  ['TodoWrite', { todos: [todo('F', 'someday')] }],
  ['TodoWrite', { todos: [todo('')] }],
  ['TodoWrite', { todos: 'none' }],
  ['TodoWrite', { todos: [{ ...todo('G'), id: '1', priority: 'high' }] }],
])

export const t51 = calls('Skill: unknown, one of the built-in commands, without a name', () => [
  ['Skill', { skill: 'nope' }],
  ['Skill', { skill: '/nope', args: 'x' }],
  ['Skill', { skill: 'compact' }],
  ['Skill', { skill: '' }],
  ['Skill', {}],
])

const skill = `---
name: greet
description: Greets someone.
---
Say hello to $ARGUMENTS from \${CLAUDE_SESSION_ID}.
`

export const t54 = calls(
  'Skill: one of the project, with and without arguments, with an allow rule for a tool',
  () => [
    ['Skill', { skill: 'greet', args: 'the world' }],
    ['Skill', { skill: 'greet' }],
    ['Skill', { skill: 'shout', args: 'now' }],
    ['Bash', { command: 'node -e 1' }],
    ['Skill', { skill: 'secret' }],
    ['Skill', { skill: 'tidy', args: 'a b' }],
  ],
  {
    own: ['Greets someone.', 'Say hello to'],
    chosen: { settingSources: ['project'] },
    prepare({ cwd }) {
      const folder = join(cwd, '.claude', 'skills')
      const put = (name, text) => {
        mkdirSync(join(folder, name), { recursive: true })
        writeFileSync(join(folder, name, 'SKILL.md'), text)
      }
      put('greet', skill)
      put('shout', '---\nname: shout\ndescription: Shouts.\nallowed-tools: Bash(node:*)\n---\nShout it.\n')
      put('secret', '---\nname: secret\ndescription: For users.\ndisable-model-invocation: true\n---\nHidden.\n')
      mkdirSync(join(cwd, '.claude', 'commands'))
      writeFileSync(join(cwd, '.claude', 'commands', 'tidy.md'), '---\ndescription: Tidies.\n---\nTidy $1 and $2.\n')
    },
  },
)

export const t52 = calls(
  'Config and other names in the tools option',
  () => [
    ['Config', { setting: 'theme' }],
    ['Config', { setting: 'theme', value: 'light' }],
    ['Config', { setting: 'nope' }],
    ['Config', { setting: 'model', value: 'haiku' }],
    ['EnterWorktree', {}],
    ['ToolSearch', { query: 'read' }],
  ],
  { chosen: { tools: ['Config', 'Read', 'EnterWorktree', 'ToolSearch', 'Nonsense'] } },
)

export const t53 = calls(
  'the task list tools',
  () => [
    ['TaskCreate', { subject: 'First', description: 'Do the first', activeForm: 'Doing the first' }],
    ['TaskCreate', { subject: 'Second', description: 'Do the second' }],
    ['TaskList', {}],
    ['TaskUpdate', { taskId: '2', addBlockedBy: ['1'] }],
    ['TaskUpdate', { taskId: '1', status: 'in_progress' }],
    ['TaskGet', { taskId: '2' }],
    ['TaskUpdate', { taskId: '1', status: 'completed' }],
    ['TaskList', {}],
    ['TaskGet', { taskId: '99' }],
    ['TaskUpdate', { taskId: '99', status: 'completed' }],
    ['TaskUpdate', { taskId: '2', status: 'deleted' }],
    ['TodoWrite', { todos: [] }],
  ],
  { prepare: ({ options }) => ({ env: { ...options().env, CLAUDE_CODE_ENABLE_TASKS: '1' } }) },
)
