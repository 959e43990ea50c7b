/** The part of `@anthropic-ai/sandbox-runtime` we use, and whether what was loaded has it. */

export type SandboxRuntimeConfig = {
  network: {
    allowedDomains: string[]
    deniedDomains: string[]
    allowUnixSockets?: string[]
    allowAllUnixSockets?: boolean
    allowLocalBinding?: boolean
    httpProxyPort?: number
    socksProxyPort?: number
  }
  filesystem: { denyRead: string[]; allowWrite: string[]; denyWrite: string[] }
  ignoreViolations?: Record<string, string[]>
  enableWeakerNestedSandbox?: boolean
  ripgrep?: { command: string; args?: string[] }
}

/** One for the whole process, whatever it is asked by whom: the network it was initialized with is the network of all. */
export interface SandboxRuntimeManager {
  initialize(config: SandboxRuntimeConfig): Promise<void>
  /** That of the last initialization. */
  getConfig(): SandboxRuntimeConfig | undefined
  /** Undefined when nobody uses it. */
  getProxyPort(): number | undefined
  wrapWithSandboxArgv(
    command: string,
    shell: string,
    config: Partial<SandboxRuntimeConfig>,
    signal: undefined,
    cwd: string,
  ): Promise<{ argv: string[] }>
  cleanupAfterCommand(): void
  reset(): Promise<void>
}

const METHODS = [
  'initialize',
  'getConfig',
  'getProxyPort',
  'wrapWithSandboxArgv',
  'cleanupAfterCommand',
  'reset',
] as const

export function toSandboxRuntimeManager(loaded: unknown): SandboxRuntimeManager | undefined {
  const manager = isRecord(loaded) ? loaded['SandboxManager'] : undefined
  if (!isRecord(manager) || METHODS.some((method) => typeof manager[method] !== 'function')) return undefined
  // Its methods are there; of their types its documentation is all there is.
  return manager as unknown as SandboxRuntimeManager
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
