/** Every setting there is: its type, what it does, and what of it a repository may decide. */

import { HOOK_EVENTS, type HookEvent } from '../protocol/hooks.js'
import { FALLBACK_REASONS } from '../protocol/option-table/fallback-reasons.js'
import { PERMISSION_MODES, UNSUPPORTED_MODES } from '../protocol/permission-modes.js'
import type { ListShape, Shape, ShapeValue } from './shape.js'
import { explainRepositoryModelRefusal, variableNameProblem, withheldVariable } from './variables.js'

/** The longest delay that timers can count, in seconds. */
const MAX_SECONDS = 2_147_483
/** What a Linux kernel takes as one variable. */
const MAX_VARIABLE = 131_072

function rules<B extends 'allow' | 'deny' | 'ask'>(rule: B, about: string) {
  return { kind: 'list', about, of: { kind: 'text', rule, about: 'A rule: `Tool` or `Tool(content)`.' } } as const
}

function texts(about: string) {
  return { kind: 'list', about, of: { kind: 'text', about: 'One of them.' } } as const
}

const commandHook = {
  kind: 'object',
  whole: true,
  about: 'A command that is run for the event.',
  needs: ['type', 'command'],
  keys: {
    type: { kind: 'choice', values: ['command'], about: 'Only commands are run.' },
    command: {
      kind: 'text',
      max: MAX_VARIABLE,
      about: 'A command line for the shell; gets the event as JSON on stdin.',
    },
    timeout: { kind: 'number', min: 0, max: MAX_SECONDS, about: 'Seconds it may take.' },
    async: { kind: 'switch', about: 'Nobody waits for its end.' },
    onFailure: {
      kind: 'choice',
      values: ['continue', 'block'],
      about: 'What its failure does; `block`: as exit code 2.',
    },
    statusMessage: { kind: 'text', about: 'What is shown while it runs.' },
    once: { kind: 'switch', about: 'Run at the first event only.' },
  },
} as const satisfies Shape

const hookList = {
  kind: 'list',
  about: 'Hooks of this event.',
  of: {
    kind: 'object',
    whole: true,
    about: 'Commands for those events that the matcher covers.',
    needs: ['hooks'],
    keys: {
      matcher: {
        kind: 'text',
        max: 2000,
        mayBeEmpty: true,
        problem: matcherProblem,
        about: 'A name, `*` or a regular expression.',
      },
      hooks: { kind: 'list', of: commandHook, about: 'The commands, run at the same time.' },
    },
  },
} as const satisfies Shape

/** A hook before a tool may be a guard: one that can't be used must not be left out in silence. */
const guardList: ListShape = { ...hookList, strict: true }

const hookEvents = Object.fromEntries(
  HOOK_EVENTS.map((event) => [event, event === 'PreToolUse' ? guardList : hookList]),
  // One entry for each event was just made.
) as Record<HookEvent, typeof hookList>

const permissions = {
  kind: 'object',
  about: 'What runs without a question, what asks, what is denied.',
  firm: true,
  beforeTrust: true,
  keys: {
    allow: rules('allow', 'Calls that run without a question.'),
    deny: { ...rules('deny', 'Calls that never run, in any mode.'), strict: true, beforeTrust: true },
    ask: { ...rules('ask', 'Calls that always ask.'), strict: true, beforeTrust: true },
    defaultMode: {
      kind: 'choice',
      values: PERMISSION_MODES,
      unsupported: UNSUPPORTED_MODES,
      fromRepository: 'nothing',
      about: 'The permission mode a session starts in.',
    },
    additionalDirectories: texts('Folders beside the working directory that tools may work in.'),
    disableBypassPermissionsMode: {
      kind: 'choice',
      values: ['disable'],
      strict: true,
      about: 'Nobody can enter bypassPermissions.',
    },
  },
} as const satisfies Shape

/** A repository may narrow the sandbox, never widen it. */
const sandbox = {
  kind: 'object',
  strict: true,
  about: 'Runs commands in a sandbox.',
  keys: {
    enabled: { kind: 'switch', fromRepository: { only: true }, about: 'Commands run in the sandbox.' },
    autoAllowBashIfSandboxed: {
      kind: 'switch',
      fromRepository: { only: false },
      about: 'Commands in the sandbox run without a question.',
    },
    allowUnsandboxedCommands: {
      kind: 'switch',
      fromRepository: { only: false },
      about: 'The model may ask for a command outside the sandbox.',
    },
    excludedCommands: { ...texts('Commands that run outside the sandbox.'), fromRepository: 'nothing' },
    network: {
      kind: 'object',
      about: 'What commands in the sandbox may reach.',
      keys: {
        allowedDomains: { ...texts('Hosts that may be reached.'), fromRepository: 'nothing' },
        allowManagedDomainsOnly: {
          kind: 'switch',
          fromRepository: { only: true },
          about: 'Only hosts that managed settings name.',
        },
        allowUnixSockets: { ...texts('Sockets that may be used.'), fromRepository: 'nothing' },
        allowAllUnixSockets: { kind: 'switch', fromRepository: { only: false }, about: 'Every socket may be used.' },
        allowLocalBinding: { kind: 'switch', fromRepository: { only: false }, about: 'May listen on local ports.' },
        httpProxyPort: {
          kind: 'number',
          min: 1,
          max: 65_535,
          whole: true,
          fromRepository: 'never',
          about: 'A proxy of your own for HTTP.',
        },
        socksProxyPort: {
          kind: 'number',
          min: 1,
          max: 65_535,
          whole: true,
          fromRepository: 'never',
          about: 'A proxy of your own for SOCKS.',
        },
      },
    },
    filesystem: {
      kind: 'object',
      about: 'What commands in the sandbox may read and write.',
      keys: {
        allowWrite: { ...texts('May be written, beside the working directories.'), fromRepository: 'nothing' },
        denyWrite: texts('Can not be written.'),
        denyRead: texts('Can not be read.'),
      },
    },
    ignoreViolations: {
      kind: 'map',
      of: texts('Patterns.'),
      fromRepository: 'nothing',
      about: 'Violations that are not reported, by command.',
    },
    enableWeakerNestedSandbox: {
      kind: 'switch',
      fromRepository: { only: false },
      about: 'A weaker sandbox inside containers that allow no other.',
    },
    ripgrep: {
      kind: 'object',
      whole: true,
      fromRepository: 'nothing',
      needs: ['command'],
      about: 'The ripgrep the sandbox searches with.',
      keys: {
        command: { kind: 'text', about: 'The program.' },
        args: { kind: 'list', of: { kind: 'text', about: 'An argument.' }, about: 'Its first arguments.' },
      },
    },
  },
} as const satisfies Shape

const usd = (about: string) => ({ kind: 'number', min: 0, max: 1_000_000, about }) as const
const factor = (about: string) => ({ kind: 'number', min: 0, max: 1000, about }) as const

const modelPrice = {
  kind: 'object',
  whole: true,
  needs: ['input', 'output'],
  about: 'The prices of one model, in USD per million tokens.',
  keys: {
    input: usd('Tokens of the prompt.'),
    output: usd('Tokens of the answer.'),
    cacheWrite5m: usd('Tokens written to the cache for five minutes; 1.25 times the input without it.'),
    cacheWrite1h: usd('Tokens written to the cache for an hour; twice the input without it.'),
    cacheRead: usd('Tokens read from the cache; a tenth of the input without it.'),
    longInput: usd('Tokens of a prompt that is longer than 200,000; as the input without it.'),
    longOutput: usd('Tokens of the answer to one; as the output without it.'),
    batch: factor('What all of these are multiplied with in a batch; 0.5 without it.'),
    priority: factor('… at the priority tier; 1 without it.'),
    fast: factor('… in fast mode, which has no price without it.'),
    webSearch: usd('USD per thousand web searches of the API; 10 without it.'),
  },
} as const satisfies Shape

const modelFallback = {
  kind: 'object',
  whole: true,
  needs: ['model'],
  about: 'A model to turn to.',
  keys: {
    model: { kind: 'text', about: 'Its name.' },
    on: {
      kind: 'list',
      of: { kind: 'choice', values: FALLBACK_REASONS, about: 'What happened.' },
      about: 'What it is meant for; overloaded, rate_limited and down without it.',
    },
  },
} as const satisfies Shape

const modelLimit = {
  kind: 'object',
  about: 'The limits of one model, or of all of a service.',
  keys: {
    concurrent: { kind: 'number', min: 1, max: 10_000, whole: true, about: 'Requests at the same time.' },
    perMinute: { kind: 'number', min: 1, max: 1_000_000, whole: true, about: 'Requests begun in a minute.' },
    tokensPerMinute: { kind: 'number', min: 1, max: 1_000_000_000, whole: true, about: 'Tokens used in a minute.' },
  },
} as const satisfies Shape

const serviceModel = {
  kind: 'object',
  about: 'What one model can do, where the built-in list does not know.',
  keys: {
    contextWindow: { kind: 'number', min: 1024, max: 100_000_000, whole: true, about: 'Tokens it can read.' },
    maxOutputTokens: { kind: 'number', min: 1, max: 10_000_000, whole: true, about: 'Tokens it can answer with.' },
    images: { kind: 'switch', about: 'It can see.' },
    tools: { kind: 'switch', about: 'It can call tools.' },
    reasoning: { kind: 'switch', about: 'It thinks before it answers, and can be told how hard.' },
  },
} as const satisfies Shape

const modelProvider = {
  kind: 'object',
  whole: true,
  about: 'A service that speaks an API of OpenAI.',
  keys: {
    api: {
      kind: 'choice',
      values: ['responses', 'chat'],
      about: 'Which one; chat completions without it, for openai responses.',
    },
    baseUrl: { kind: 'text', max: 2000, about: 'Where it is, with /v1 at the end where it has that.' },
    apiKeyEnv: { kind: 'text', max: 200, about: 'The name of the variable that holds the key.' },
    headers: { kind: 'map', of: { kind: 'text', about: 'The value.' }, about: 'Further headers, by name.' },
    models: { kind: 'map', of: serviceModel, about: 'What its models can do, by their name there.' },
  },
} as const satisfies Shape

export const settingsShape = {
  kind: 'object',
  about: 'The settings of a session.',
  beforeTrust: true,
  keys: {
    $schema: { kind: 'text', beforeTrust: true, about: 'For editors; not used.' },
    permissions,
    env: {
      kind: 'map',
      of: { kind: 'text', max: MAX_VARIABLE, mayBeEmpty: true, about: 'The value.' },
      asText: true,
      problem: variableNameProblem,
      withheld: withheldVariable,
      about: 'Environment variables of the session and of what it runs.',
    },
    model: { kind: 'text', max: 200, withheld: explainRepositoryModelRefusal, about: 'The model, by alias or id.' },
    hooks: { kind: 'object', keys: hookEvents, about: 'Commands that are run at events, by event.' },
    disableAllHooks: { kind: 'switch', fromRepository: 'nothing', about: 'No hook of a settings file is run.' },
    apiKeyHelper: { kind: 'text', fromRepository: 'never', about: 'A command that prints the API key.' },
    awsAuthRefresh: {
      kind: 'text',
      fromRepository: 'never',
      about: 'A command that logs in to AWS, run when its credentials have run out.',
    },
    awsCredentialExport: {
      kind: 'text',
      fromRepository: 'never',
      about: 'A command that prints credentials of AWS as JSON.',
    },
    gcpAuthRefresh: {
      kind: 'text',
      fromRepository: 'never',
      about: 'A command that logs in to Google Cloud, run when its credentials have run out.',
    },
    statusLine: {
      kind: 'object',
      whole: true,
      fromRepository: 'nothing',
      needs: ['type', 'command'],
      about: 'A command that prints a status line; only for terminals.',
      keys: {
        type: { kind: 'choice', values: ['command'], about: 'Only commands are run.' },
        command: { kind: 'text', about: 'The command line.' },
        padding: { kind: 'number', min: 0, max: 1000, about: 'Blanks at its sides.' },
      },
    },
    cleanupPeriodDays: {
      kind: 'number',
      min: 0,
      max: 36_500,
      whole: true,
      // It concerns the sessions of all folders.
      fromRepository: 'nothing',
      about: 'How long clients that remove old sessions keep them; Kedge removes none.',
    },
    includeCoAuthoredBy: {
      kind: 'switch',
      about: 'For clients that have commits name the agent as co-author; Kedge leaves that to you.',
    },
    includeGitInstructions: {
      kind: 'switch',
      about: 'The model is told of the state of git and how to make commits and pull requests. Default: true.',
    },
    outputStyle: { kind: 'text', max: 200, about: 'How answers are written.' },
    language: { kind: 'text', max: 100, about: 'The language of answers, such as `german` or `Japanese`.' },
    alwaysThinkingEnabled: { kind: 'switch', about: 'The model thinks before it answers.' },
    maxThinkingTokens: {
      kind: 'number',
      min: 0,
      max: 1_000_000,
      whole: true,
      about: 'Tokens the model may think before it answers; 0 for none.',
    },
    effortLevel: { kind: 'choice', values: ['low', 'medium', 'high', 'max'], about: 'How hard the model works.' },
    fastMode: {
      kind: 'switch',
      // It costs several times as much.
      fromRepository: 'nothing',
      about: 'Answers come faster, at a higher price, from models that have it (Opus).',
    },
    modelPrices: {
      kind: 'map',
      of: modelPrice,
      // Prices decide what a budget allows.
      fromRepository: 'nothing',
      about: 'What models cost you, by id with or without its date, where the built-in list is wrong or knows nothing.',
    },
    fallbackModel: {
      kind: 'list',
      of: { kind: 'text', about: 'A model.' },
      fromRepository: 'nothing',
      about: 'Models to turn to, in order, when the one before is overloaded or down.',
    },
    modelFallbacks: {
      kind: 'list',
      of: modelFallback,
      // They decide who reads what is said.
      fromRepository: 'nothing',
      about: 'The same, with what each is meant for.',
    },
    modelLimits: {
      kind: 'map',
      of: modelLimit,
      fromRepository: 'nothing',
      about: 'How much all sessions of a process together ask at once, by model or by service (anthropic, openai, …).',
    },
    modelProviders: {
      kind: 'map',
      of: modelProvider,
      problem: (name) => (/^[a-z0-9][a-z0-9_.-]*$/i.test(name) ? undefined : 'is not a name of letters and digits'),
      // A service receives the whole conversation.
      fromRepository: 'nothing',
      about: 'Services that models can be of, by the name before the slash: name/model.',
    },
    modelOverrides: {
      kind: 'map',
      of: { kind: 'text', max: 2048, about: 'The id or ARN.' },
      // Where prompts go is for the user to say.
      fromRepository: 'nothing',
      about: 'What your cloud calls a model, by the id its vendor has for it.',
    },
    enabledPlugins: {
      kind: 'map',
      of: { kind: 'switch', about: 'Whether the plugin is used.' },
      about: 'Plugins of Claude Code. Kedge names them and does not use them: name their folders with `--plugin-dir`.',
    },
    enableAllProjectMcpServers: { kind: 'switch', about: 'All MCP servers of the project are used.' },
    enabledMcpjsonServers: texts('MCP servers of the project that are used, by name.'),
    disabledMcpjsonServers: texts('MCP servers of the project that are not used, by name.'),
    sandbox,
    allowManagedHooksOnly: {
      kind: 'switch',
      strict: true,
      managedOnly: true,
      about: 'No other file can bring hooks.',
    },
    allowManagedPermissionRulesOnly: {
      kind: 'switch',
      strict: true,
      managedOnly: true,
      about: 'No other file can allow anything.',
    },
  },
} as const satisfies Shape

export type KnownSettings = ShapeValue<typeof settingsShape>

/** The way the hooks engine reads it. */
function matcherProblem(matcher: string): string | undefined {
  if (matcher === '*') return undefined
  try {
    new RegExp(matcher)
    return undefined
  } catch {
    return 'is not a regular expression'
  }
}
