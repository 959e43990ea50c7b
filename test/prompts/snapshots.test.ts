/**
 * Everything the model reads first, by interface and mode, beside a committed text of it, and within a budget.
 * After a change of wording, write the texts again: `UPDATE_SNAPSHOTS=1 npm test -- prompts/snapshots`.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { ModelRequest } from 'kedge/testing'
import { noTerminal } from '../terminal/pty.js'
import { agent, ask, compacted, edited, PRESET, print, served, systemOf, terminal } from './capture.js'

const FOLDER = join('test', 'prompts', 'snapshots')
const isWriting = process.env['UPDATE_SNAPSHOTS'] !== undefined

/** Characters of the system prompt, and of the tools as JSON. A token has about four characters, so 4,400 are 1,100 tokens. */
type Budget = { system: number; tools: number }
type Case = { take: () => Promise<ModelRequest>; budget: Budget; skip?: string | false | undefined }

let compaction: ReturnType<typeof compacted> | undefined
const once = () => {
  compaction ??= compacted()
  return compaction
}
const CODING = 4400
const AGENT = 1800

const CASES: Record<string, Case> = {
  print: { take: () => print(), budget: { system: CODING, tools: 18_000 } },
  'print-plan': { take: () => print(['--permission-mode', 'plan']), budget: { system: CODING, tools: 18_000 } },
  terminal: { take: terminal, budget: { system: CODING, tools: 21_500 }, skip: noTerminal },
  server: { take: served, budget: { system: CODING, tools: 21_500 } },
  acp: { take: edited, budget: { system: CODING, tools: 21_500 } },
  library: { take: () => ask({}), budget: { system: 0, tools: 21_500 } },
  'library-preset': { take: () => ask({ systemPrompt: PRESET }), budget: { system: CODING, tools: 21_500 } },
  'library-plan': {
    take: () => ask({ systemPrompt: PRESET, permissionMode: 'plan', canUseTool: async () => ({ behavior: 'allow' }) }),
    budget: { system: CODING, tools: 21_500 },
  },
  'agent-bash': { take: () => agent('Bash'), budget: { system: AGENT, tools: 2200 } },
  'agent-general-purpose': { take: () => agent('general-purpose'), budget: { system: AGENT, tools: 14_400 } },
  'agent-statusline-setup': { take: () => agent('statusline-setup'), budget: { system: AGENT, tools: 2600 } },
  'agent-explore': { take: () => agent('Explore'), budget: { system: AGENT, tools: 11_000 } },
  'agent-plan': { take: () => agent('Plan'), budget: { system: AGENT, tools: 11_000 } },
  'agent-claude-code-guide': { take: () => agent('claude-code-guide'), budget: { system: AGENT, tools: 6800 } },
  summary: { take: async () => (await once()).summary, budget: { system: CODING, tools: 21_500 } },
  'after-compaction': { take: async () => (await once()).after, budget: { system: CODING, tools: 21_500 } },
}

/** What differs from run to run and from machine to machine, as a mark. */
function stable(text: string): string {
  const places = [...new Set([realpathSync(tmpdir()), tmpdir()])].map((path) =>
    path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  )
  return text
    .replace(new RegExp(`(?:${places.join('|')})/[^\\s"'\`,)\\]]*[^\\s"'\`,)\\].:;]`, 'g'), '{path}')
    .replace(/^- Platform: .*$/m, '- Platform: {platform}')
    .replace(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g, '{uuid}')
    .replace(/\b20\d\d-\d\d-\d\d\b/g, '{date}')
}

type Block = { type: string; text?: string; cache_control?: unknown }

type Tool = { name: string; description?: string; [key: string]: unknown }

const definition = (tool: Tool): Tool => ({ ...tool, cache_control: undefined })

function messagesOf({ body }: ModelRequest): string {
  return body.messages
    .map(({ role, content }) => {
      const blocks: Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Block[])
      return `### ${role}\n\n${blocks.map(({ text, type }) => text ?? `(${type})`).join('\n\n')}`
    })
    .join('\n\n')
}

/** Each wording of a tool once; the texts of cases name it, with a number where there are several. */
const wordings = new Map<string, string[]>()

function nameWording(tool: Tool): string {
  const { name, description, cache_control: _, ...rest } = tool
  const text = stable(`${description}\n\n\`\`\`json\n${JSON.stringify(rest, null, 1)}\n\`\`\``)
  const known = wordings.get(name) ?? []
  if (!known.includes(text)) known.push(text)
  wordings.set(name, known)
  const at = known.indexOf(text)
  return at === 0 ? name : `${name} (${at + 1})`
}

/** System prompts that several cases have stand with the first of them. */
const prompts = new Map<string, string>()

function describeRequest(name: string, request: ModelRequest): string {
  const system = stable(systemOf(request))
  const first = prompts.get(system)
  if (first === undefined) prompts.set(system, name)
  const shown = system === '' ? '(none)' : first === undefined ? system : `(that of ${first})`
  const tools = (request.body.tools ?? []).map(nameWording).join(', ')
  return `## System prompt\n\n${shown}\n\n## Tools\n\n${tools}\n\n## Messages\n\n${stable(messagesOf(request))}\n`
}

const seen = new Map<string, string>()
const offers = new Map<string, Tool[]>()

function assertSnapshot(name: string, text: string): void {
  seen.set(name, text)
  if (isWriting) return
  const path = join(FOLDER, `${name}.md`)
  assert.equal(text, readFileSync(path, 'utf8'), `${path} reads otherwise: UPDATE_SNAPSHOTS=1 writes it again`)
}

describe('what the model reads', () => {
  for (const [name, { take, budget, skip }] of Object.entries(CASES)) {
    it(name, { skip }, async () => {
      const request = await take()
      const tools = JSON.stringify((request.body.tools ?? []).map(definition)).length
      const system = stable(systemOf(request)).length
      offers.set(name, (request.body.tools ?? []).map(definition))
      assertSnapshot(name, describeRequest(name, request))
      assert.ok(system <= budget.system, `the system prompt has ${system} characters, of ${budget.system}`)
      assert.ok(tools <= budget.tools, `the tools have ${tools} characters, of ${budget.tools}`)
    })
  }

  it('speaks in descriptions of no tool that is not offered', () => {
    const named = ['Read', 'Edit', 'Write', 'Glob', 'Grep', 'Bash', 'TodoWrite', 'AskUserQuestion', 'ExitPlanMode']
    for (const [name, tools] of offers) {
      // A summary is asked for with fewer tools, none of which is to be used.
      if (name === 'summary') continue
      const missing = named.filter((one) => !tools.some((tool) => tool.name === one))
      const lines = tools.flatMap(({ name: tool, description = '' }) => [
        ...description
          .split('\n')
          .filter((line) => line.startsWith('- '))
          .map((line) => `${tool}: ${line}`),
      ])
      const wrong = lines.filter((line) => missing.some((one) => new RegExp(`[a-z,;:(] ${one}\\b`).test(line)))
      assert.deepEqual(
        wrong.filter((line) => !line.startsWith('Task: ')),
        [],
        name,
      )
    }
  })

  it('tools', () => {
    const texts = [...wordings].flatMap(([name, known]) =>
      known.map((text, at) => `## ${name}${at === 0 ? '' : ` (${at + 1})`}\n\n${text}\n`),
    )
    assertSnapshot('tools', texts.join('\n'))
  })

  it('has a text for each case, and no other', () => {
    const names = isWriting ? [...seen.keys()] : readdirSync(FOLDER).map((file) => file.replace(/\.md$/, ''))
    assert.deepEqual(names.sort(), [...Object.keys(CASES), 'tools'].sort())
  })
})

after(() => {
  if (!isWriting) return
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const [name, text] of seen) writeFileSync(join(FOLDER, `${name}.md`), text)
})
