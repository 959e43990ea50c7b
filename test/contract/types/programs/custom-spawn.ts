// The agent in a container, and one behind a socket.
import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { type Options, query, type SpawnedProcess, type SpawnOptions } from '@anthropic-ai/claude-agent-sdk'

export function inContainer(image: string): (options: SpawnOptions) => SpawnedProcess {
  return ({ command, args, cwd, env, signal }) => {
    const variables = Object.entries(env).flatMap(([name, value]) =>
      value === undefined ? [] : ['-e', `${name}=${value}`],
    )
    const child = spawn('docker', ['run', '-i', '-w', cwd ?? '/', ...variables, image, command, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      signal,
    })
    return child
  }
}

class RemoteProcess extends EventEmitter implements SpawnedProcess {
  readonly stdin: Writable = new PassThrough()
  readonly stdout: Readable = new PassThrough()
  private code: number | null = null
  private dead = false

  get killed(): boolean {
    return this.dead
  }

  get exitCode(): number | null {
    return this.code
  }

  kill(signal: NodeJS.Signals): boolean {
    this.dead = true
    this.code = signal === 'SIGKILL' ? 137 : 143
    return this.emit('exit', this.code, signal)
  }
}

export const options: Options = {
  executable: 'node',
  executableArgs: ['--max-old-space-size=512'],
  pathToClaudeCodeExecutable: '/opt/agent/cli.js',
  extraArgs: { 'debug-to-stderr': null, profile: 'ci' },
  stderr: (data) => process.stderr.write(data),
  spawnClaudeCodeProcess: (spawnOptions) =>
    spawnOptions.cwd === '/remote' ? new RemoteProcess() : inContainer('node')(spawnOptions),
}

export function local(): AsyncGenerator<unknown, void> {
  let child: ChildProcess | undefined
  return query({
    prompt: 'hi',
    options: {
      spawnClaudeCodeProcess({ command, args, ...rest }) {
        const started = spawn(command, args, { ...rest, stdio: ['pipe', 'pipe', 'ignore'] })
        child = started
        started.once('exit', () => console.log(child?.pid))
        return started
      },
    },
  })
}
