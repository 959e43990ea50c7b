/** What the framework takes for a sandbox: the folder of a session on Kedge's server, where the agent works with its own tools. */
import { createHarnessUnsupportedError } from './harness-parts.js'

/** A sandbox session, assignable to that of the AI SDK. The agent's tools run on Kedge's server, not through it. */
export type ServerFolder = {
  readonly description: string
  /** The folder, on Kedge's server. */
  readonly folder: string
  readonly readFile: () => Promise<never>
  readonly readBinaryFile: () => Promise<never>
  readonly readTextFile: () => Promise<never>
  readonly writeFile: () => Promise<never>
  readonly writeBinaryFile: () => Promise<never>
  readonly writeTextFile: () => Promise<never>
  readonly spawn: () => Promise<never>
  readonly run: (options: { command: string }) => Promise<{ exitCode: number; stdout: string; stderr: string }>
}

/** Returns a folder on Kedge's server for `createSession({ sandboxSession })`. */
export function serverFolder(folder: string): ServerFolder {
  const refuse = async (): Promise<never> => {
    throw createHarnessUnsupportedError(
      `The program can't reach ${folder}: it is on Kedge's server, where the agent works in it.`,
    )
  }
  return {
    description: `The folder ${folder} on Kedge's server.`,
    folder,
    readFile: refuse,
    readBinaryFile: refuse,
    readTextFile: refuse,
    writeFile: refuse,
    writeBinaryFile: refuse,
    writeTextFile: refuse,
    spawn: refuse,
    // The framework asks where it is, and makes a folder in it that sessions don't use.
    run: async ({ command }) => {
      if (command === 'pwd') return { exitCode: 0, stdout: folder, stderr: '' }
      return command.startsWith('mkdir -p ') ? { exitCode: 0, stdout: '', stderr: '' } : refuse()
    },
  }
}
