/** The shape of hooks in settings files: their types, and what each type can have. */
import { HOOK_EVENTS, type HookEvent } from '../../protocol/hooks.js'
import type { ListShape, Shape } from './shape.js'

/** The longest delay that timers can count, in seconds. */
const MAX_SECONDS = 2_147_483
/** What a Linux kernel takes as one variable. */
const MAX_TEXT = 131_072

/** What hooks of all types can have. */
const anyHook = {
  if: {
    kind: 'text',
    max: 2000,
    about: 'A permission rule, such as `Bash(git *)`. The hook runs for calls that the rule covers.',
  },
  timeout: { kind: 'number', min: 0, max: MAX_SECONDS, about: 'Time limit in seconds.' },
  statusMessage: { kind: 'text', about: 'Text shown while the hook runs.' },
  once: { kind: 'switch', about: 'Run the hook once.' },
} as const satisfies Record<string, Shape>

const onFailure = {
  kind: 'choice',
  values: ['continue', 'block'],
  about: 'Effect of a failure: `continue` (default), or `block`, as exit code 2.',
} as const satisfies Shape

const hook = {
  kind: 'variant',
  by: 'type',
  keepsUnknown: true,
  about: 'A check that runs at the event.',
  of: {
    command: {
      kind: 'object',
      whole: true,
      about: 'A command. Default time limit: 600 seconds.',
      needs: ['command'],
      keys: {
        ...anyHook,
        command: {
          kind: 'text',
          max: MAX_TEXT,
          about: 'The command line. The command receives the event as JSON on stdin.',
        },
        args: {
          kind: 'list',
          of: { kind: 'text', max: MAX_TEXT, mayBeEmpty: true, about: 'An argument.' },
          about: 'Arguments. With them, `command` is a program, and no shell is used.',
        },
        shell: {
          kind: 'choice',
          values: ['bash', 'powershell'],
          about: 'The shell for the command line: `bash` (default), or `powershell` (the program `pwsh`).',
        },
        async: { kind: 'switch', about: "Don't wait for the command to end." },
        asyncRewake: {
          kind: 'switch',
          about: "Don't wait for the command to end. With exit code 2, the model gets its stderr at once.",
        },
        onFailure,
      },
    },
    http: {
      kind: 'object',
      whole: true,
      about: 'A POST request with the event as JSON. Default time limit: 600 seconds.',
      needs: ['url'],
      keys: {
        ...anyHook,
        url: { kind: 'text', max: 4000, problem: hookUrlProblem, about: 'The address, http or https.' },
        headers: {
          kind: 'map',
          of: { kind: 'text', mayBeEmpty: true, about: 'A value.' },
          about: 'More headers. `$NAME` and `${NAME}` are variables that `allowedEnvVars` lists.',
        },
        allowedEnvVars: {
          kind: 'list',
          of: { kind: 'text', about: 'A name.' },
          about: 'Variables that headers can contain.',
        },
        onFailure,
      },
    },
    prompt: {
      kind: 'object',
      whole: true,
      about: 'A question to a model, which approves or objects. Default time limit: 30 seconds.',
      needs: ['prompt'],
      keys: {
        ...anyHook,
        prompt: { kind: 'text', max: MAX_TEXT, about: 'The condition to check. `$ARGUMENTS` is the event as JSON.' },
        model: { kind: 'text', about: 'The model. Default: the small model.' },
        continueOnBlock: { kind: 'switch', about: "An objection doesn't end the turn." },
      },
    },
    agent: {
      kind: 'object',
      whole: true,
      about: 'An agent that reads files and approves or objects. Default time limit: 60 seconds.',
      needs: ['prompt'],
      keys: {
        ...anyHook,
        prompt: { kind: 'text', max: MAX_TEXT, about: 'The condition to check. `$ARGUMENTS` is the event as JSON.' },
        model: { kind: 'text', about: 'The model. Default: the small model.' },
      },
    },
    mcp_tool: {
      kind: 'object',
      whole: true,
      about: 'A tool of an MCP server. Default time limit: 600 seconds.',
      needs: ['server', 'tool'],
      keys: {
        ...anyHook,
        server: { kind: 'text', about: 'The MCP server, by its name.' },
        tool: { kind: 'text', about: 'The tool, by its name on the server.' },
        input: { kind: 'json', about: 'Its input. Texts can contain fields of the event: `${tool_input.file_path}`.' },
      },
    },
  },
} as const satisfies Shape

const hookList = {
  kind: 'list',
  about: 'Hooks of this event.',
  of: {
    kind: 'object',
    whole: true,
    about: 'Hooks for events that the matcher covers.',
    needs: ['hooks'],
    keys: {
      matcher: {
        kind: 'text',
        max: 2000,
        mayBeEmpty: true,
        problem: matcherProblem,
        about: 'A tool name, `*`, or a regular expression.',
      },
      hooks: { kind: 'list', of: hook, about: 'The hooks. They run at the same time.' },
    },
  },
} as const satisfies Shape

/** A hook before a tool may be a guard: one that can't be used must not be left out in silence. */
const guardList: ListShape = { ...hookList, strict: true }

export const hookEventShapes = Object.fromEntries(
  HOOK_EVENTS.map((event) => [event, event === 'PreToolUse' ? guardList : hookList]),
  // One entry for each event was just made.
) as Record<HookEvent, typeof hookList>

function hookUrlProblem(text: string): string | undefined {
  try {
    const { protocol, username, password } = new URL(text)
    if (protocol !== 'http:' && protocol !== 'https:') return 'must begin with http:// or https://'
    return username || password ? 'must not contain a password. Use headers and allowedEnvVars' : undefined
  } catch {
    return 'is not an address'
  }
}

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
