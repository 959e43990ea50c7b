// What agents read that write code with Kedge, made from the docs: `llms.txt` of the site, and the skill `skills/kedge/SKILL.md` of
// the package. `node scripts/docs/agent-guide.mjs` writes the skill; a test compares.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SITE_MAP } from './site-map.mjs'

/** Pages whose first program shows how a thing is done. */
const TASKS = [
  'library',
  'approvals',
  'own-tools',
  'structured-output',
  'agents',
  'hooks',
  'sessions',
  'client',
  'testing',
]
export const SKILL = 'skills/kedge/SKILL.md'

const isRoot = (name) => /^[A-Z]+$/.test(name)

function pageOf(root, name) {
  const text = readFileSync(join(root, isRoot(name) ? `${name}.md` : `docs/${name}.md`), 'utf8')
  const [, title] = /^# (.*)$/m.exec(text)
  // The paragraph below the title says what a reader gets.
  const [, opening = ''] = /^# .*\n\n([\s\S]*?)\n\n/.exec(text) ?? []
  const plain = opening.replace(/\s+/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return { title, text, about: /^.*?[.!?](?= |$)/.exec(plain)?.[0] ?? plain }
}

const firstProgram = (text) => /^```(?:ts|js)\n[\s\S]*?^```$/m.exec(text)?.[0] ?? ''

/** `llms.txt` as llmstxt.org has it. */
export function llmsText(root) {
  const sections = SITE_MAP.flatMap(([section, names]) => [
    `## ${section}`,
    '',
    ...names.map((name) => {
      const { title, about } = pageOf(root, name)
      return `- [${title}](${name.toLowerCase()}.html): ${about}`
    }),
    '',
  ])
  const { about } = pageOf(root, 'index')
  return ['# Kedge', '', `> ${about}`, '', ...sections].join('\n')
}

export function skillText(root) {
  const tasks = TASKS.flatMap((name) => {
    const { title, about, text } = pageOf(root, name)
    return [`## ${title}`, '', about, '', firstProgram(text), '', `More: \`node_modules/kedge/docs/${name}.md\``, '']
  })
  return [
    '---',
    'name: kedge',
    'description: Write TypeScript programs that run AI agents with the kedge package (query, canUseTool, custom tools, hooks, sessions, tests). Use it when code imports kedge or @anthropic-ai/claude-agent-sdk, or when a user wants to embed an agent.',
    '---',
    '',
    '# Write programs with Kedge',
    '',
    'Kedge runs AI agents in a TypeScript program. Its API is compatible with the Claude Agent SDK: change the import to',
    '`kedge`. The examples come from the documentation in `node_modules/kedge/docs`.',
    '',
    '## Rules',
    '',
    '- Read exactly one `result` message per prompt. Check `subtype === "success"` before you use `result`.',
    '- Without `canUseTool`, Kedge denies calls that need approval. Name tools in `allowedTools`, or pass `canUseTool`.',
    '- `query()` reads no settings files unless `settingSources` names them, and sends no system prompt unless',
    '  `systemPrompt` sets one.',
    '- Set `maxBudgetUsd` and `maxTurns` on every query in a service.',
    '- Leave the loop, call `close()`, or use `await using` to end an agent and everything it started.',
    "- Test with `kedge/testing`: a scripted model needs no API key. `model: 'practice'` is for demos.",
    '- An unknown option throws an error that names it. `docs/compatibility.md` lists every option.',
    '',
    ...tasks,
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  mkdirSync(join(root, dirname(SKILL)), { recursive: true })
  writeFileSync(join(root, SKILL), skillText(root))
}
