/** `kedge eval` and its commands. */
import type { Command, CommandFlag, CommandSection } from './command-row.js'

const page = 'evaluate'

const REPORTS = [
  { name: 'json', kind: 'text', value: 'FILE', help: 'write the results to this file as JSON' },
  { name: 'junit', kind: 'text', value: 'FILE', help: 'write the results to this file as JUnit XML' },
  { name: 'html', kind: 'text', value: 'FILE', help: 'write the report to this file as HTML' },
] as const satisfies readonly CommandFlag[]

const EXIT_CODES = {
  title: 'Exit codes',
  rows: [
    ['0', 'enough trials passed'],
    ['1', 'too few trials passed'],
    ['2', "the command line or a task can't be used"],
    ['3', 'a limit was reached, or the run was stopped, before all trials ended'],
  ],
} as const satisfies CommandSection

export const EVAL_INIT_COMMAND = {
  name: 'eval init',
  help: 'create a small task to start from',
  about: 'Create a folder with a small task that works: a prompt, files to work on, and checks.',
  arguments: [{ name: 'FOLDER', isOptional: true, help: 'the new folder (default: eval/first-task)' }],
  examples: [['kedge eval init tasks/greeting', '']],
  page,
} as const satisfies Command

export const EVAL_RUN_COMMAND = {
  name: 'eval run',
  help: 'run tasks, print a table and write a report',
  about:
    'Run all tasks in these folders with one or more models, print how often each passes and what it takes, and write a report.',
  usage: ['kedge eval run FOLDER… --model NAME [options]'],
  arguments: [{ name: 'FOLDER', isRepeated: true, help: 'a task, or a folder with tasks below it' }],
  flags: [
    {
      name: 'model',
      kind: 'repeat',
      value: 'NAME',
      help: 'a model; practice, mind:capable, mind:sloppy, mind:small, mind:hostile and recording:PATH need no key; repeatable',
    },
    { name: 'by-hand', kind: 'switch', help: 'be the model yourself: type the answers' },
    {
      name: 'hand-folder',
      kind: 'text',
      value: 'FOLDER',
      help: 'be the model yourself: requests and answers are files in this folder',
    },
    {
      name: 'variant',
      kind: 'repeat',
      value: 'FILE',
      help: 'a JSON file with options, a prompt, an environment or a command to try; repeatable',
    },
    {
      name: 'interface',
      kind: 'text',
      value: 'NAME',
      choices: ['library', 'text', 'json', 'stream-json', 'server'],
      default: "each task's own",
      help: 'library, text, json, stream-json or server',
    },
    { name: 'only', kind: 'repeat', value: 'TEXT', help: 'run only tasks whose name contains this; repeatable' },
    { name: 'repeat', kind: 'text', value: 'N', default: '1', help: 'try each task this often' },
    { name: 'jobs', kind: 'text', value: 'N', default: '2', help: 'run this many trials at a time' },
    { name: 'max-cost', kind: 'text', value: 'DOLLARS', help: 'start no trial after spending this much' },
    { name: 'max-tokens', kind: 'text', value: 'N', help: 'start no trial after using this many tokens' },
    { name: 'max-minutes', kind: 'text', value: 'N', help: 'start no trial after this long' },
    {
      name: 'out',
      kind: 'text',
      value: 'FOLDER',
      default: 'eval-results/ and the time',
      help: "results folder; trials that it already has aren't repeated",
    },
    { name: 'keep', kind: 'switch', help: 'keep the folders the agents worked in' },
    {
      name: 'fail-under',
      kind: 'text',
      value: 'PERCENT',
      default: '100',
      help: 'exit with 1 only if fewer trials pass',
    },
    ...REPORTS,
  ],
  examples: [
    ['kedge eval run tasks --model practice --model mind:capable', 'without an API key'],
    ['kedge eval run tasks --model sonnet --repeat 10 --max-cost 5', 'ten trials for each task, for about $5 at most'],
  ],
  sections: [EXIT_CODES],
  page,
} as const satisfies Command

export const EVAL_LIST_COMMAND = {
  name: 'eval list',
  help: 'list tasks',
  about: 'List the tasks in these folders.',
  arguments: [
    { name: 'FOLDER', isOptional: true, isRepeated: true, help: 'a folder with tasks below it (default: this folder)' },
  ],
  examples: [['kedge eval list tasks', '']],
  page,
} as const satisfies Command

export const EVAL_REPORT_COMMAND = {
  name: 'eval report',
  help: 'show the results of a run again',
  about: 'Show the results of a run again, or write them in another format.',
  arguments: [{ name: 'RESULTS', isOptional: true, help: 'a results folder (default: this folder)' }],
  flags: REPORTS,
  examples: [['kedge eval report eval-results/first --junit results.xml', '']],
  page,
} as const satisfies Command

export const EVAL_DIFF_COMMAND = {
  name: 'eval diff',
  help: 'compare two runs',
  about: 'Compare two runs: which tasks pass more or less often, and what they take.',
  arguments: [
    { name: 'BEFORE', help: 'a results folder' },
    { name: 'AFTER', help: 'a results folder' },
  ],
  flags: [{ name: 'fail', kind: 'switch', help: 'exit with 1 if a pass rate fell' }],
  examples: [['kedge eval diff eval-results/first eval-results/second --fail', '']],
  page,
} as const satisfies Command

const HAND_FOLDER = { name: 'FOLDER', help: 'the folder for requests and answers' } as const
const HAND_NUMBER = { name: 'N', help: 'the number of the request' } as const
const WAIT = [
  { name: 'wait', kind: 'text', value: 'SECONDS', default: '60', help: 'how long to wait for a request' },
] as const satisfies readonly CommandFlag[]
const ANSWERS = {
  title: 'Answers',
  rows: [['> Tool {"input": …}', 'a line for each tool call; all other lines are text']],
} as const satisfies CommandSection

export const SERVE_MANUAL_ENDPOINT_COMMAND = {
  name: 'eval hand serve',
  help: 'start a model endpoint that you answer',
  about: 'Start a model endpoint that you answer, and print the environment variables that send an agent to it.',
  arguments: [HAND_FOLDER],
  examples: [['kedge eval hand serve hand', '']],
  page: 'eval-reference',
} as const satisfies Command

export const NEXT_MODEL_REQUEST_COMMAND = {
  name: 'eval hand next',
  help: 'print the requests that have no answer',
  about: 'Wait for model requests that have no answer, and print them.',
  arguments: [HAND_FOLDER],
  flags: WAIT,
  examples: [['kedge eval hand next hand --wait 5', '']],
  page: 'eval-reference',
} as const satisfies Command

export const REPLY_TO_MODEL_REQUEST_COMMAND = {
  name: 'eval hand reply',
  help: 'answer a request',
  about: 'Answer a model request with the text on stdin.',
  arguments: [HAND_FOLDER, HAND_NUMBER],
  examples: [['echo "Hello." | kedge eval hand reply hand 1', '']],
  sections: [ANSWERS],
  page: 'eval-reference',
} as const satisfies Command

export const REPLY_AND_NEXT_REQUEST_COMMAND = {
  name: 'eval hand step',
  help: 'answer a request and print the next one',
  about: 'Answer a model request with the text on stdin, then wait for the next request and print it.',
  arguments: [HAND_FOLDER, HAND_NUMBER],
  flags: WAIT,
  examples: [['echo "Hello." | kedge eval hand step hand 1', '']],
  sections: [ANSWERS],
  page: 'eval-reference',
} as const satisfies Command

export const EVAL_COMMAND = {
  name: 'eval',
  help: 'test an agent on tasks, compare models and prompts',
  about: 'Test an agent on tasks, and compare models, prompts, and options by how often they pass and what they cost.',
  commands: [
    EVAL_INIT_COMMAND,
    EVAL_RUN_COMMAND,
    EVAL_LIST_COMMAND,
    EVAL_REPORT_COMMAND,
    EVAL_DIFF_COMMAND,
    {
      name: 'eval hand',
      help: 'answer model requests yourself, from files',
      about:
        'Be the model yourself: requests and answers are files in a folder, so a script or another agent can answer.',
      commands: [
        SERVE_MANUAL_ENDPOINT_COMMAND,
        NEXT_MODEL_REQUEST_COMMAND,
        REPLY_TO_MODEL_REQUEST_COMMAND,
        REPLY_AND_NEXT_REQUEST_COMMAND,
      ],
      examples: [
        ['kedge eval hand serve hand', 'start the endpoint'],
        ['kedge eval hand next hand', 'in another terminal: read the first request'],
      ],
      page: 'eval-reference',
    },
  ],
  examples: [
    ['kedge eval init tasks/greeting', 'create a task'],
    ['kedge eval run tasks --model practice', 'run it without an API key'],
  ],
  sections: [EXIT_CODES],
  page,
} as const satisfies Command
