/**
 * The keyring of the user's desktop, by the programs that come with it: `secret-tool` (libsecret) and `security` (macOS).
 * A secret goes to them by stdin: arguments can be read by other users of the machine.
 */
import { spawn } from 'node:child_process'

export type SystemKeyring = {
  /** `missing`: it works, and has no such secret. */
  read(account: string): Promise<{ secret: string } | 'missing' | { problem: string }>
  /** Returns why it could not be kept. */
  write(account: string, secret: string): Promise<string | undefined>
}

type Environment = Readonly<Record<string, string | undefined>>

const SERVICE = 'kedge-mcp-sign-ins'
/** Its user may have to unlock it. */
const PATIENCE_MS = 60_000
const MAX_OUTPUT = 4096
/** `security find-generic-password`: there is no such item. */
const MISSING_ON_MAC = 44

export function openSystemKeyring(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): SystemKeyring {
  return platform === 'darwin' ? macKeyring(env) : secretToolKeyring(env)
}

function secretToolKeyring(env: Environment): SystemKeyring {
  const attributes = (account: string) => ['service', SERVICE, 'account', account]
  return {
    async read(account) {
      const { code, output, problem } = await run('secret-tool', ['lookup', ...attributes(account)], '', env)
      if (code === 0 && output !== '') return { secret: output }
      // Without a word it means that there is none.
      return problem === '' ? 'missing' : { problem }
    },
    async write(account, secret) {
      const args = ['store', '--label=Kedge MCP sign-ins', ...attributes(account)]
      const { code, problem } = await run('secret-tool', args, secret, env)
      return code === 0 ? undefined : problem || `secret-tool ended with ${code}`
    },
  }
}

function macKeyring(env: Environment): SystemKeyring {
  return {
    async read(account) {
      const args = ['find-generic-password', '-s', SERVICE, '-a', account, '-w']
      const { code, output, problem } = await run('security', args, '', env)
      if (code === 0 && output !== '') return { secret: output }
      return code === MISSING_ON_MAC ? 'missing' : { problem: problem || `security ended with ${code}` }
    },
    async write(account, secret) {
      const quoted = `"${account.replace(/["\\]/g, '\\$&')}"`
      const line = `add-generic-password -U -s ${SERVICE} -a ${quoted} -w ${secret}\n`
      const { code, problem } = await run('security', ['-i'], line, env)
      return code === 0 && problem === '' ? undefined : problem || `security ended with ${code}`
    },
  }
}

function run(
  program: string,
  args: string[],
  input: string,
  env: Environment,
): Promise<{ code: number | null; output: string; problem: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: { ...env }, stdio: 'pipe' })
    let output = ''
    let problem = ''
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      problem = `${program} did not answer`
    }, PATIENCE_MS)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, MAX_OUTPUT)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      problem = (problem + text).slice(0, MAX_OUTPUT)
    })
    const end = (code: number | null) => {
      clearTimeout(timer)
      resolve({ code, output: output.trim(), problem: problem.trim() })
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      problem = error.code === 'ENOENT' ? `${program} is not installed` : error.message
      end(null)
    })
    child.once('close', end)
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
