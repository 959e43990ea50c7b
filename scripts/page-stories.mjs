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
const PLAN = `# Move the settings to one file

The three readers of \`config.json\` disagree about defaults. One module should know them.

1. Add \`src/settings.js\` with the schema and its defaults
2. Let \`server.js\` and \`worker.js\` use it
3. Remove the two old readers

| file | change |
|---|---|
| \`src/settings.js\` | new, about 60 lines |
| \`src/server.js\` | uses it |
| \`src/worker.js\` | uses it |

Tests: \`npm test\` before and after each step.
`

export const FILES = {
  'src/config.js': OLD,
  'src/server.js':
    "import { loadConfig, portOf } from './config.js'\n\nconst config = await loadConfig('config.json')\nconsole.log(portOf(config))\n",
  'package.json': '{ "name": "harbor", "type": "module", "scripts": { "test": "node --test" } }\n',
  'README.md': '# Harbor\n\nA small service that keeps the times of arrivals.\n',
}

/** By the prompt of the user: what the model does, request by request. `at` makes paths of the project. */
export const stories = (at) => ({
  'The service crashes when config.json is missing. Mend it.': [
    {
      thinking:
        'The crash comes from loadConfig: readFile rejects with ENOENT and nobody catches it. Let me look at the file first.',
      text: 'I look at how the configuration is read.',
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
              { content: 'Find out why it crashes', status: 'completed', activeForm: 'Finding out why it crashes' },
              {
                content: 'Use the defaults when there is no file',
                status: 'in_progress',
                activeForm: 'Using the defaults when there is no file',
              },
              { content: 'Run the tests', status: 'pending', activeForm: 'Running the tests' },
            ],
          },
        },
      ],
    },
    {
      text: 'The cause is in `loadConfig`: a **missing file** is not the same as a *broken* one.\n\n- missing: the defaults count\n- broken: say which file, and why\n\n```js\nif (error.code === "ENOENT") return {}\n```\n\n`portOf` also took the port `0` for none. I change both:',
      tools: [{ name: 'Write', input: { file_path: at('src/config.js'), content: NEW } }],
    },
    { text: 'Done. A missing `config.json` means the defaults now, and a broken one says what is wrong with it.' },
  ],
  'Which tests fail, and why?': [
    {
      text: 'I run the tests and look at what they print.',
      tools: [
        {
          name: 'Bash',
          input: { command: 'npm test --silent 2>&1 | tail -20 && git status --short', description: 'Runs the tests' },
        },
      ],
    },
    { text: 'All of them pass.' },
  ],
  'Plan how to move all settings into one file.': [
    { text: 'Here is my plan.', tools: [{ name: 'ExitPlanMode', input: { plan: PLAN } }] },
    { text: 'I begin with `src/settings.js`.' },
  ],
  'Set up a release for us.': [
    {
      tools: [
        {
          name: 'AskUserQuestion',
          input: {
            questions: [
              {
                question: 'Where should releases be published?',
                header: 'Registry',
                multiSelect: false,
                options: [
                  { label: 'npm', description: 'The public registry, with provenance' },
                  { label: 'GitHub Packages', description: 'For members of the organization only' },
                ],
              },
              {
                question: 'Which checks have to pass before?',
                header: 'Checks',
                multiSelect: true,
                options: [
                  { label: 'Tests', description: 'npm test, on Node 20 and 24' },
                  { label: 'Types', description: 'tsc, without output' },
                  { label: 'Size', description: 'The package stays below 1 MB' },
                ],
              },
            ],
          },
        },
      ],
    },
    { text: 'I set it up accordingly.' },
  ],
  'Look through the folder and tell me what this project is.': [
    {
      text: 'I let somebody look through it.',
      tools: [
        {
          name: 'Task',
          input: {
            subagent_type: 'Explore',
            description: 'Look through the project',
            prompt: 'What is this project? Read the README.',
          },
        },
      ],
    },
    {
      text: 'This is **Harbor**, a small service that keeps the times of arrivals.\n\n| part | what it does |\n|---|---|\n| `src/server.js` | starts and listens |\n| `src/config.js` | reads `config.json` |\n\n> It has no dependencies.',
    },
  ],
  'What is this project? Read the README.': [
    { tools: [{ name: 'Read', input: { file_path: at('README.md') } }] },
    { text: 'Harbor: a small service that keeps the times of arrivals.' },
  ],
})

/** Answers whatever is asked for: the last words of a person choose the story, what was said since the step in it. */
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
