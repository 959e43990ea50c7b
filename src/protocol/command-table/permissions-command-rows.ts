/** `kedge permissions` and its command. */
import { PERMISSION_MODES } from '../permission-modes.js'
import type { Command } from './command-row.js'

export const PERMISSIONS_EXPLAIN_COMMAND = {
  name: 'permissions explain',
  help: 'show what would happen to a tool call, and why',
  about:
    'Show whether a tool call would be allowed, asked about, or denied in this folder, and which rule, mode, or check decides. Runs neither the tool nor hooks.',
  usage: ['kedge permissions explain --tool NAME --input JSON [options]'],
  flags: [
    { name: 'tool', kind: 'text', value: 'NAME', help: 'the tool: Bash, Read, Edit, Write, mcp__SERVER__TOOL …' },
    { name: 'input', kind: 'text', value: 'JSON', help: "the call's input, as the model would send it" },
    // Modes that Kedge doesn't have get a text of their own.
    { name: 'mode', kind: 'text', value: 'MODE', help: `permission mode: ${PERMISSION_MODES.join(', ')}` },
    { name: 'allow', kind: 'repeat', value: 'RULE', help: 'add an allow rule; repeatable' },
    { name: 'ask', kind: 'repeat', value: 'RULE', help: 'add an ask rule; repeatable' },
    { name: 'deny', kind: 'repeat', value: 'RULE', help: 'add a deny rule; repeatable' },
    { name: 'cwd', kind: 'text', value: 'DIR', default: 'this folder', help: 'the working directory' },
    { name: 'add-dir', kind: 'repeat', value: 'DIR', help: 'another folder that tools can use; repeatable' },
    {
      name: 'setting-sources',
      kind: 'text',
      value: 'SOURCES',
      default: 'user,project,local',
      help: 'settings files to use; "" for none',
    },
    { name: 'trust', kind: 'switch', help: 'explain the call as if this folder were trusted' },
    { name: 'json', kind: 'switch', help: 'print one JSON object' },
  ],
  examples: [
    [`kedge permissions explain --tool Bash --input '{"command":"npm test"}'`, 'with your settings'],
    [
      `kedge permissions explain --tool Bash --input '{"command":"npm test"}' \\\n  --allow 'Bash(npm test:*)'`,
      'with another rule',
    ],
    [
      `kedge permissions explain --tool Write --mode acceptEdits \\\n  --input '{"file_path":"a.ts","content":""}'`,
      'in another mode',
    ],
  ],
  sections: [
    {
      title: 'Results',
      rows: [
        ['allow', 'the call runs'],
        ['ask', 'you are asked; if nobody can answer, the call is denied'],
        ['deny', 'the call never runs'],
      ],
    },
  ],
  page: 'permissions',
} as const satisfies Command

export const PERMISSIONS_COMMAND = {
  name: 'permissions',
  help: 'explain what your permission rules do',
  about: 'Explain what your permission rules and modes do to a tool call.',
  commands: [PERMISSIONS_EXPLAIN_COMMAND],
  examples: [[`kedge permissions explain --tool Bash --input '{"command":"npm test"}'`, 'explain one call']],
  page: 'permissions',
} as const satisfies Command
