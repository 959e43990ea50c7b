// What the sessions in the pictures of the page are about: a model that tells a story for each prompt, step by step.

const OLD = `import { readFile } from 'node:fs/promises'

/** Reads the configuration, once. */
export async function loadConfig(path) {
  const text = await readFile(path, 'utf8')
  return JSON.parse(text)
}

export function portOf(config) {
  return config.port || 8080
}
`
const NEW = `import { readFile } from 'node:fs/promises'

/** Reads the configuration, once. */
export async function loadConfig(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw new Error(\`\${path} is not valid: \${error.message}\`)
  }
}

export function portOf(config) {
  return config.port ?? 8080
}
`
const PLAN = `# Move all settings into one module

Three modules read \`config.json\` and use different defaults. One module should own them.

1. Add \`src/settings.js\` with the schema and defaults.
2. Use it in \`server.js\` and \`worker.js\`.
3. Remove the two old readers.

| file | change |
|---|---|
| \`src/settings.js\` | new, about 60 lines |
| \`src/server.js\` | uses it |
| \`src/worker.js\` | uses it |

I’ll run \`npm test\` before and after each step.
`

export const FILES = {
  'src/config.js': OLD,
  'src/server.js':
    "import { loadConfig, portOf } from './config.js'\n\nconst config = await loadConfig('config.json')\nconsole.log(portOf(config))\n",
  'package.json': '{ "name": "harbor", "type": "module", "scripts": { "test": "node --test" } }\n',
  'README.md': '# Harbor\n\nA small service that records ship arrivals.\n',
}

/** By the prompt of the user: what the model does, request by request. `at` makes paths of the project. */
export const stories = (at) => ({
  'The service crashes if config.json is missing. Fix it and run the tests.': [
    {
      thinking:
        'The crash comes from loadConfig: readFile rejects with ENOENT and nothing catches it. I need to see the file first.',
      text: 'I’ll check how the service reads its configuration.',
      tools: [
        { name: 'Read', input: { file_path: at('src/config.js') } },
        { name: 'Grep', input: { pattern: 'loadConfig', output_mode: 'content' } },
      ],
    },
    {
      tools: [
        {
          name: 'TodoWrite',
          input: {
            todos: [
              {
                content: 'Find the cause of the crash',
                status: 'completed',
                activeForm: 'Finding the cause of the crash',
              },
              {
                content: 'Use defaults if the file is missing',
                status: 'in_progress',
                activeForm: 'Using defaults if the file is missing',
              },
              { content: 'Run the tests', status: 'pending', activeForm: 'Running the tests' },
            ],
          },
        },
      ],
    },
    {
      text: '`loadConfig` treats a **missing** file like a **broken** one. They need different handling:\n\n- **Missing:** use the defaults.\n- **Broken:** stop, and name the file and the problem.\n\n```js\nif (error.code === "ENOENT") return {}\n```\n\n`portOf` also ignores port `0`, because `||` treats it as missing. I’ll fix both:',
      tools: [{ name: 'Write', input: { file_path: at('src/config.js'), content: NEW } }],
    },
    {
      text: 'Done. A missing `config.json` now means the defaults, and a broken one produces an error that names the problem.',
    },
  ],
  'Which tests fail, and why?': [
    {
      text: 'I’ll run the tests first.',
      tools: [
        {
          name: 'Bash',
          input: { command: 'npm test --silent 2>&1 | tail -20 && git status --short', description: 'Run the tests' },
        },
      ],
    },
    { text: 'All tests pass.' },
  ],
  'Plan how to move all settings into one module.': [
    { text: 'Here’s my plan:', tools: [{ name: 'ExitPlanMode', input: { plan: PLAN } }] },
    { text: 'I’ll start with `src/settings.js`.' },
  ],
  'Set up releases for this package.': [
    {
      tools: [
        {
          name: 'AskUserQuestion',
          input: {
            questions: [
              {
                question: 'Where should I publish releases?',
                header: 'Registry',
                multiSelect: false,
                options: [
                  { label: 'npm', description: 'Public registry, with provenance' },
                  { label: 'GitHub Packages', description: 'Only for members of the organization' },
                ],
              },
              {
                question: 'Which checks must pass before a release?',
                header: 'Checks',
                multiSelect: true,
                options: [
                  { label: 'Tests', description: 'npm test on Node 20 and 24' },
                  { label: 'Types', description: 'tsc --noEmit' },
                  { label: 'Size', description: 'The package stays below 1 MB' },
                ],
              },
            ],
          },
        },
      ],
    },
    { text: 'I’ve added the release workflow.' },
  ],
  'Explore this folder and explain the project.': [
    {
      text: 'I’ll have a sub-agent read through it.',
      tools: [
        {
          name: 'Task',
          input: {
            subagent_type: 'Explore',
            description: 'Explore the project',
            prompt: 'Read the README and describe the project.',
          },
        },
      ],
    },
    {
      text: 'This is **Harbor**, a small service that records ship arrivals.\n\n| module | purpose |\n|---|---|\n| `src/server.js` | starts the HTTP server |\n| `src/config.js` | reads `config.json` |\n\nIt has no dependencies.',
    },
  ],
  'Read the README and describe the project.': [
    { tools: [{ name: 'Read', input: { file_path: at('README.md') } }] },
    { text: 'Harbor is a small service that records ship arrivals.' },
  ],
})

/** Answers each request: the latest prompt that begins a story chooses it, and the responses since then the step. */
export function storyTeller(all, other = 'Done.') {
  return ({ body: { messages } }) => {
    const words = ({ content }) =>
      typeof content === 'string' ? [content] : content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
    const names = Object.keys(all)
    const told = (message) =>
      message.role === 'user' ? words(message).findLast((text) => names.includes(text.trim())) : undefined
    const start = messages.findLastIndex((message) => told(message) !== undefined)
    if (start < 0) return other
    const steps = all[told(messages[start]).trim()]
    const step = messages.slice(start).filter(({ role }) => role === 'assistant').length
    return steps[step] ?? other
  }
}
