/** An agent in a process of its own gets its keys by a way that no other program can look at. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { type Options, query } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'

const KEY = 'sk-ant-private-0123456789abcdef'
const TOKEN = 'service-token-0123456789abcdef'

/** Whatever the processes below this one show of themselves. */
function shownByChildren(): { environments: string[]; commandLines: string[] } {
  const parents = new Map<string, string>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = attempt(`/proc/${pid}/stat`)
    parents.set(pid, stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '')
  }
  const isBelow = (pid: string | undefined): boolean =>
    pid !== undefined && (pid === String(process.pid) || (pid !== '0' && isBelow(parents.get(pid))))
  const below = [...parents]
    .filter(([pid, parent]) => pid !== String(process.pid) && isBelow(parent))
    .map(([pid]) => pid)
  return {
    environments: below.map((pid) => attempt(`/proc/${pid}/environ`)),
    commandLines: below.map((pid) => attempt(`/proc/${pid}/cmdline`)),
  }
}

function attempt(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

async function open(more: Options) {
  const command =
    'echo "key:$ANTHROPIC_API_KEY token:$SERVICE_TOKEN plain:$PLAIN fd:$KEDGE_PRIVATE_FD"; ls /proc/self/fd'
  await using server = await startModelServer([{ tools: [{ name: 'Bash', input: { command } }] }, 'Done.'])
  await using options = testOptions(server, {
    isolation: 'process',
    allowedTools: ['Bash'],
    ...more,
    env: { ANTHROPIC_API_KEY: KEY, SERVICE_TOKEN: TOKEN, PLAIN: 'plain-value' },
  })
  let seen: ReturnType<typeof shownByChildren> | undefined
  let told = ''
  let result = ''
  for await (const message of query({ prompt: 'x', options })) {
    if (message.type === 'system' && message.subtype === 'init') seen = shownByChildren()
    if (message.type === 'user') told += JSON.stringify(message.message.content)
    if (message.type === 'result' && message.subtype === 'success') result = message.result
  }
  assert.equal(result, 'Done.')
  if (!seen?.environments.some((text) => text.includes('plain-value'))) assert.fail('the agent was not looked at')
  return { seen, told, keys: server.requests.map(({ headers }) => headers['x-api-key']) }
}

describe('keys of an agent in its own process', { skip: process.platform !== 'linux' }, () => {
  test('are in nobody’s environment and on nobody’s command line, and are used', async () => {
    const { seen, told, keys } = await open({})
    assert.deepEqual(new Set(keys), new Set([KEY]))
    const all = [...seen.environments, ...seen.commandLines].join('\n')
    assert.equal(all.includes(KEY), false)
    assert.equal(all.includes(TOKEN), false)
    // Commands that were allowed have the user's variables as ever, but neither our key nor the way it came by.
    assert.match(told, /key: token:service-token-0123456789abcdef plain:plain-value fd:\\n/)
  })

  test('another runtime gets its environment as ever', async () => {
    const { seen, keys } = await open({ executable: 'node' })
    assert.deepEqual(new Set(keys), new Set([KEY]))
    assert.equal(seen.environments.join('\n').includes(KEY), true)
  })
})
