/** Every setting there is: its type, what it does, and what of it a repository may decide. */

import { FALLBACK_REASONS } from '../../protocol/option-table/fallback-reasons.js'
import { PERMISSION_MODES, UNSUPPORTED_MODES } from '../../protocol/permission-modes.js'
import { explainRepositoryModelRefusal, variableNameProblem, whyVariableIsWithheld } from '../variables.js'
import { hookEventShapes } from './hook-keys.js'
import type { Shape, ShapeValue } from './shape.js'

/** What a Linux kernel takes as one variable. */
const MAX_VARIABLE = 131_072

function rules<B extends 'allow' | 'deny' | 'ask'>(rule: B, about: string) {
  return { kind: 'list', about, of: { kind: 'text', rule, about: 'A rule: `Tool` or `Tool(content)`.' } } as const
}

function texts(about: string) {
  return { kind: 'list', about, of: { kind: 'text', about: 'A value.' } } as const
}

function serverMatchers(about: string) {
  return {
    kind: 'list',
    about,
    strict: true,
    of: {
      kind: 'object',
      whole: true,
      about: 'A server, by name, command, or address.',
      keys: {
        serverName: { kind: 'text', about: 'Its name.' },
        serverCommand: {
          kind: 'list',
          of: { kind: 'text', mayBeEmpty: true, about: 'The command, or an argument.' },
          about: 'Its command and arguments, exactly.',
        },
        serverUrl: { kind: 'text', max: 2048, about: 'Its address, with `*` for any characters.' },
      },
    },
  } as const
}

const permissions = {
  kind: 'object',
  about: 'Rules for calls that are allowed, need approval, or are denied.',
  firm: true,
  beforeTrust: true,
  keys: {
    allow: rules('allow', 'Calls that run without approval.'),
    deny: { ...rules('deny', 'Calls that never run, in any mode.'), strict: true, beforeTrust: true },
    ask: { ...rules('ask', 'Calls that always need approval.'), strict: true, beforeTrust: true },
    defaultMode: {
      kind: 'choice',
      values: PERMISSION_MODES,
      unsupported: UNSUPPORTED_MODES,
      fromRepository: 'nothing',
      about: 'The permission mode a session starts in.',
    },
    additionalDirectories: texts('More folders in which tools can work.'),
    disableBypassPermissionsMode: {
      kind: 'choice',
      values: ['disable'],
      strict: true,
      about: 'Forbids the permission mode `bypassPermissions`.',
    },
  },
} as const satisfies Shape

/** A repository may narrow the sandbox, never widen it. */
const sandbox = {
  kind: 'object',
  strict: true,
  about: 'The sandbox for commands.',
  keys: {
    enabled: { kind: 'switch', fromRepository: { only: true }, about: 'Run commands in the sandbox. Default: false.' },
    autoAllowBashIfSandboxed: {
      kind: 'switch',
      fromRepository: { only: false },
      about: 'Run commands in the sandbox without approval. Default: true.',
    },
    allowUnsandboxedCommands: {
      kind: 'switch',
      fromRepository: { only: false },
      about: 'Let the model request a command outside the sandbox. Default: true.',
    },
    excludedCommands: { ...texts('Commands that run outside the sandbox.'), fromRepository: 'nothing' },
    network: {
      kind: 'object',
      about: 'Network access of commands in the sandbox.',
      keys: {
        allowedDomains: { ...texts('Hosts that commands can reach.'), fromRepository: 'nothing' },
        allowManagedDomainsOnly: {
          kind: 'switch',
          fromRepository: { only: true },
          about: 'Use only hosts of managed settings.',
        },
        allowUnixSockets: { ...texts('Unix sockets that commands can use.'), fromRepository: 'nothing' },
        allowAllUnixSockets: {
          kind: 'switch',
          fromRepository: { only: false },
          about: 'Let commands use every Unix socket.',
        },
        allowLocalBinding: {
          kind: 'switch',
          fromRepository: { only: false },
          about: 'Let commands listen on local ports.',
        },
        httpProxyPort: {
          kind: 'number',
          min: 1,
          max: 65_535,
          whole: true,
          fromRepository: 'never',
          about: 'Port of your HTTP proxy.',
        },
        socksProxyPort: {
          kind: 'number',
          min: 1,
          max: 65_535,
          whole: true,
          fromRepository: 'never',
          about: 'Port of your SOCKS proxy.',
        },
      },
    },
    filesystem: {
      kind: 'object',
      about: 'File access of commands in the sandbox.',
      keys: {
        allowWrite: { ...texts('More paths that commands can write.'), fromRepository: 'nothing' },
        denyWrite: texts("Paths that commands can't write."),
        denyRead: texts("Paths that commands can't read."),
      },
    },
    ignoreViolations: {
      kind: 'map',
      of: texts('Patterns.'),
      fromRepository: 'nothing',
      about: "Violations that Kedge doesn't report, by command.",
    },
    enableWeakerNestedSandbox: {
      kind: 'switch',
      fromRepository: { only: false },
      about: 'A weaker sandbox for containers that allow no other.',
    },
    ripgrep: {
      kind: 'object',
      whole: true,
      fromRepository: 'nothing',
      needs: ['command'],
      about: 'The ripgrep of the sandbox package.',
      keys: {
        command: { kind: 'text', about: 'The program.' },
        args: { kind: 'list', of: { kind: 'text', about: 'An argument.' }, about: 'The first arguments.' },
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
    input: usd('Prompt tokens.'),
    output: usd('Response tokens.'),
    cacheWrite5m: usd('Tokens written to the cache for five minutes. Default: 1.25 × `input`.'),
    cacheWrite1h: usd('Tokens written to the cache for an hour. Default: 2 × `input`.'),
    cacheRead: usd('Tokens read from the cache. Default: 0.1 × `input`.'),
    longInput: usd('Prompt tokens above 200,000. Default: `input`.'),
    longOutput: usd('Response tokens for such a prompt. Default: `output`.'),
    batch: factor('Factor for batches. Default: 0.5.'),
    priority: factor('Factor for the priority tier. Default: 1.'),
    fast: factor('Factor for fast mode. Without it, fast mode has no price.'),
    webSearch: usd('USD per thousand web searches of the API. Default: 10.'),
  },
} as const satisfies Shape

const modelFallback = {
  kind: 'object',
  whole: true,
  needs: ['model'],
  about: 'A fallback model.',
  keys: {
    model: { kind: 'text', about: 'The name of the model.' },
    on: {
      kind: 'list',
      of: { kind: 'choice', values: FALLBACK_REASONS, about: 'A reason to use it.' },
      about: 'Reasons to use it. Default: `overloaded`, `rate_limited`, and `down`.',
    },
  },
} as const satisfies Shape

const modelLimit = {
  kind: 'object',
  about: 'Limits of a model, or of all models of a service.',
  keys: {
    concurrent: { kind: 'number', min: 1, max: 10_000, whole: true, about: 'Concurrent requests.' },
    perMinute: { kind: 'number', min: 1, max: 1_000_000, whole: true, about: 'Requests per minute.' },
    tokensPerMinute: { kind: 'number', min: 1, max: 1_000_000_000, whole: true, about: 'Tokens per minute.' },
  },
} as const satisfies Shape

const serviceModel = {
  kind: 'object',
  about: "Abilities of a model that the built-in list doesn't know.",
  keys: {
    contextWindow: { kind: 'number', min: 1024, max: 100_000_000, whole: true, about: 'Context window in tokens.' },
    maxOutputTokens: { kind: 'number', min: 1, max: 10_000_000, whole: true, about: 'Maximum output in tokens.' },
    images: { kind: 'switch', about: 'The model accepts images.' },
    tools: { kind: 'switch', about: 'The model can call tools.' },
    reasoning: { kind: 'switch', about: 'The model can think, with an effort.' },
  },
} as const satisfies Shape

const modelProvider = {
  kind: 'object',
  whole: true,
  about: 'A service with an OpenAI API.',
  keys: {
    api: {
      kind: 'choice',
      values: ['responses', 'chat'],
      about: 'The API. Default: chat completions; for `openai`, responses.',
    },
    baseUrl: { kind: 'text', max: 2000, about: 'The base URL, including `/v1` if the service has it.' },
    apiKeyEnv: { kind: 'text', max: 200, about: 'The environment variable that contains the key.' },
    headers: { kind: 'map', of: { kind: 'text', about: 'The value.' }, about: 'More headers, by name.' },
    models: { kind: 'map', of: serviceModel, about: 'Abilities of its models, by their name at the service.' },
  },
} as const satisfies Shape

export const settingsShape = {
  kind: 'object',
  about: 'The settings of a session.',
  beforeTrust: true,
  keys: {
    $schema: { kind: 'text', beforeTrust: true, about: "For editors; Kedge doesn't use it." },
    permissions,
    env: {
      kind: 'map',
      of: { kind: 'text', max: MAX_VARIABLE, mayBeEmpty: true, about: 'The value.' },
      asText: true,
      problem: variableNameProblem,
      withheld: whyVariableIsWithheld,
      about: 'Environment variables of the session and its commands.',
    },
    model: { kind: 'text', max: 200, withheld: explainRepositoryModelRefusal, about: 'The model, by alias or id.' },
    hooks: { kind: 'object', keys: hookEventShapes, about: 'Hooks, by event.' },
    disableAllHooks: { kind: 'switch', fromRepository: 'nothing', about: 'Turn off all hooks in settings files.' },
    apiKeyHelper: { kind: 'text', fromRepository: 'never', about: 'A command that prints the API key.' },
    awsAuthRefresh: {
      kind: 'text',
      fromRepository: 'never',
      about: 'A command that signs in to AWS. It runs when credentials have expired.',
    },
    awsCredentialExport: {
      kind: 'text',
      fromRepository: 'never',
      about: 'A command that prints AWS credentials as JSON.',
    },
    gcpAuthRefresh: {
      kind: 'text',
      fromRepository: 'never',
      about: 'A command that signs in to Google Cloud. It runs when credentials have expired.',
    },
    statusLine: {
      kind: 'object',
      whole: true,
      fromRepository: 'nothing',
      needs: ['type', 'command'],
      about: "A command that prints the terminal's status line.",
      keys: {
        type: { kind: 'choice', values: ['command'], about: 'Only commands are supported.' },
        command: { kind: 'text', about: 'The command line.' },
        padding: { kind: 'number', min: 0, max: 1000, about: 'Spaces on both sides.' },
      },
    },
    cleanupPeriodDays: {
      kind: 'number',
      min: 0,
      max: 36_500,
      whole: true,
      // It concerns the sessions of all folders.
      fromRepository: 'nothing',
      about: 'Days until a client deletes old sessions. Kedge deletes none.',
    },
    includeCoAuthoredBy: {
      kind: 'switch',
      about: 'For clients that add the agent to commits as co-author. No effect in Kedge.',
    },
    includeGitInstructions: {
      kind: 'switch',
      about: 'Give the model the git state and instructions for commits and pull requests. Default: true.',
    },
    outputStyle: { kind: 'text', max: 200, about: 'The output style.' },
    language: { kind: 'text', max: 100, about: 'The language of responses, such as `german` or `Japanese`.' },
    alwaysThinkingEnabled: { kind: 'switch', about: 'Let the model think before each response.' },
    maxThinkingTokens: {
      kind: 'number',
      min: 0,
      max: 1_000_000,
      whole: true,
      about: 'Thinking tokens per response; 0 turns thinking off.',
    },
    effortLevel: { kind: 'choice', values: ['low', 'medium', 'high', 'max'], about: 'The effort of the model.' },
    fastMode: {
      kind: 'switch',
      // It costs several times as much.
      fromRepository: 'nothing',
      about: 'Use fast mode, at a higher price, with models that have it (Opus).',
    },
    modelPrices: {
      kind: 'map',
      of: modelPrice,
      // Prices decide what a budget allows.
      fromRepository: 'nothing',
      about: 'Prices by model id, with or without its date. They replace the built-in list.',
    },
    fallbackModel: {
      kind: 'list',
      of: { kind: 'text', about: 'A model.' },
      fromRepository: 'nothing',
      about: "Fallback models, in order, for a model that's overloaded or down.",
    },
    modelFallbacks: {
      kind: 'list',
      of: modelFallback,
      // They decide who reads what is said.
      fromRepository: 'nothing',
      about: 'Fallback models with the reasons to use each.',
    },
    modelLimits: {
      kind: 'map',
      of: modelLimit,
      fromRepository: 'nothing',
      about: 'Limits for all sessions of a process, by model or by service (anthropic, openai, …).',
    },
    modelProviders: {
      kind: 'map',
      of: modelProvider,
      problem: (name) => (/^[a-z0-9][a-z0-9_.-]*$/i.test(name) ? undefined : 'is not a name of letters and digits'),
      // A service receives the whole conversation.
      fromRepository: 'nothing',
      about: 'Model services, by the name before the slash in `name/model`.',
    },
    modelOverrides: {
      kind: 'map',
      of: { kind: 'text', max: 2048, about: 'The id or ARN.' },
      // Where prompts go is for the user to say.
      fromRepository: 'nothing',
      about: "Your cloud's names of models, by the vendor's id.",
    },
    enabledPlugins: {
      kind: 'map',
      of: { kind: 'switch', about: 'Whether the plugin is used.' },
      about: 'Plugins of Claude Code. Kedge names them and does not use them: name their folders with `--plugin-dir`.',
    },
    enableAllProjectMcpServers: { kind: 'switch', about: 'Use all MCP servers of the project.' },
    enabledMcpjsonServers: texts('MCP servers of the project to use, by name.'),
    disabledMcpjsonServers: texts('MCP servers of the project to leave out, by name.'),
    allowedMcpServers: {
      ...serverMatchers(
        'MCP servers that can be used; without this setting, all. A name alone does not do where entries name commands or addresses.',
      ),
      // What comes with a folder can't let itself in.
      fromRepository: 'nothing',
    },
    deniedMcpServers: {
      ...serverMatchers('MCP servers that can not be used, even if they are allowed elsewhere.'),
      beforeTrust: true,
    },
    allowManagedMcpServersOnly: {
      kind: 'switch',
      strict: true,
      managedOnly: true,
      about: 'Use only the list `allowedMcpServers` of managed settings.',
    },
    sandbox,
    allowedHttpHookUrls: {
      kind: 'list',
      of: { kind: 'text', about: 'An address. `*` stands for any text.' },
      fromRepository: 'nothing',
      about: 'Addresses that `http` hooks can call. Default: all; an empty list: none.',
    },
    httpHookAllowedEnvVars: {
      kind: 'list',
      of: { kind: 'text', about: 'The name of a variable.' },
      fromRepository: 'nothing',
      about: 'Variables that headers of `http` hooks can contain. Default: those each hook lists.',
    },
    allowManagedHooksOnly: {
      kind: 'switch',
      strict: true,
      managedOnly: true,
      about: 'Use only hooks of managed settings.',
    },
    allowManagedPermissionRulesOnly: {
      kind: 'switch',
      strict: true,
      managedOnly: true,
      about: 'Use only allow rules of managed settings.',
    },
  },
} as const satisfies Shape

export type KnownSettings = ShapeValue<typeof settingsShape>
