// Bash: what no other scenario shows.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calls, taskIds } from './steps.mjs'

const chosen = { allowedTools: ['Bash'] }
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const t01 = calls(
  'a command that reaches its timeout goes on in the background',
  () => [
    ['Bash', { command: 'echo begun; sleep 5; echo ended', timeout: 1500, description: 'slow one' }],
    (body) => ['TaskOutput', { task_id: taskIds(body)[0] ?? 'none', block: true, timeout: 20_000 }],
    (body) => ['TaskOutput', { task_id: taskIds(body)[0] ?? 'none', block: false, timeout: 1000 }],
  ],
  { chosen },
)

export const t01b = calls(
  'a command that reaches its timeout while background tasks are switched off',
  () => [
    ['Bash', { command: 'echo begun; sleep 5; echo ended', timeout: 1500 }],
    ['Bash', { command: 'echo asked for', run_in_background: true }],
  ],
  { chosen, prepare: ({ options }) => ({ env: { ...options().env, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' } }) },
)

export const t01c = calls(
  'sleep that reaches its timeout; timeouts out of range',
  () => [
    ['Bash', { command: 'sleep 5', timeout: 1500 }],
    ['Bash', { command: 'echo zero', timeout: 0 }],
    ['Bash', { command: 'echo huge', timeout: 99_999_999 }],
    ['Bash', { command: 'echo text', timeout: '1000' }],
  ],
  { chosen },
)

export const t02 = calls(
  'an image on stdout',
  () => [
    ['Bash', { command: 'cat pixel.txt' }],
    ['Bash', { command: 'echo "data:image/png;base64,$(cat pixel.b64)"' }],
    ['Bash', { command: 'echo before; cat pixel.txt' }],
    ['Bash', { command: 'echo "data:image/png;base64,###"' }],
  ],
  {
    chosen,
    prepare({ cwd }) {
      writeFileSync(join(cwd, 'pixel.txt'), `data:image/png;base64,${pixel}`)
      writeFileSync(join(cwd, 'pixel.b64'), pixel)
    },
  },
)

export const t03 = calls(
  'output over 30000 characters, in one line and in many',
  () => [
    ['Bash', { command: 'node big.js 30000' }],
    ['Bash', { command: 'node big.js 30001' }],
    ['Bash', { command: 'node lines.js 5000' }],
    ['Bash', { command: 'node lines.js 5000; exit 2' }],
  ],
  {
    chosen,
    prepare({ cwd }) {
      writeFileSync(join(cwd, 'big.js'), "process.stdout.write('x'.repeat(Number(process.argv[2])))")
      writeFileSync(
        join(cwd, 'lines.js'),
        'for (let i = 1; i <= Number(process.argv[2]); i++) console.log("line number " + i)',
      )
    },
  },
)

export const t04 = calls(
  'the shell between commands: folder, variables, stdin, unknown fields',
  () => [
    ['Bash', { command: 'mkdir sub && cd sub && pwd' }],
    ['Bash', { command: 'pwd; export KEPT=1; kept=2' }],
    ['Bash', { command: 'echo "[$KEPT][$kept]"' }],
    ['Bash', { command: 'cd /; pwd' }],
    ['Bash', { command: 'pwd' }],
    ['Bash', { command: 'cat' }],
    ['Bash', { command: 'echo a', bogus: true }],
    ['Bash', { command: '' }],
    ['Bash', { command: '   ' }],
    ['Bash', { command: 'printf "a\\n\\n\\n"; printf "\\n\\nb  \\n" >&2' }],
    ['Bash', { command: 'printf "\\n\\n  a\\n"' }],
    ['Bash', { command: 'kill -9 $$' }],
    ['Bash', { command: 'grep nothing /dev/null' }],
    ['Bash', { command: 'nosuchcommand_xyz' }],
    ['Bash', { command: 'if then' }],
    ['Bash', { command: 'printf "\\033[31mred\\033[0m"; printf "\\xff\\xfe"' }],
    ['Bash', { command: 'diff a b', description: 'compare' }],
    ['Bash', { command: 'echo a', dangerouslyDisableSandbox: true }],
  ],
  { chosen },
)

export const t05 = calls(
  'background commands that fail, are silent, are followed by more output than fits',
  () => [
    ['Bash', { command: 'echo oops >&2; exit 3', run_in_background: true, description: 'failing' }],
    (body) => ['TaskOutput', { task_id: taskIds(body)[0], block: true, timeout: 5000 }],
    ['Bash', { command: 'sleep 4', run_in_background: true }],
    (body) => ['TaskOutput', { task_id: taskIds(body)[1], block: true, timeout: 1000 }],
    (body) => ['TaskOutput', { task_id: taskIds(body)[1] }],
    ['Bash', { command: 'sleep 30', run_in_background: true }],
    (body) => ['TaskStop', { shell_id: taskIds(body)[2] }],
    ['Bash', { command: 'node big.js', run_in_background: true }],
    (body) => ['TaskOutput', { task_id: taskIds(body)[3], block: true, timeout: 5000 }],
    (body) => ['TaskOutput', { task_id: taskIds(body)[3], block: false, timeout: -1 }],
    (body) => ['TaskOutput', { task_id: taskIds(body)[3], block: 'yes', timeout: 700_000 }],
  ],
  {
    chosen,
    prepare({ cwd }) {
      writeFileSync(join(cwd, 'big.js'), 'for (let i = 1; i <= 5000; i++) console.log("line number " + i)')
    },
  },
)

const limits = { BASH_DEFAULT_TIMEOUT_MS: '1500', BASH_MAX_TIMEOUT_MS: '2000', BASH_MAX_OUTPUT_LENGTH: '100' }

export const t06 = calls(
  'limits from the environment: default timeout, longest timeout, longest output',
  () => [
    ['Bash', { command: 'printf "%0150d" 7' }],
    ['Bash', { command: 'printf "%0150d" 7; exit 1' }],
    ['Bash', { command: 'sleep 4; echo by default' }],
    ['Bash', { command: 'sleep 5; echo at most', timeout: 600_000 }],
    (body) => ['TaskOutput', { task_id: taskIds(body)[0], block: true, timeout: 20_000 }],
  ],
  { chosen, prepare: ({ options }) => ({ env: { ...options().env, ...limits } }) },
)
