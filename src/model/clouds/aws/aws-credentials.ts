/**
 * Credentials for AWS: a key in the environment, the user's own command, or else whatever AWS's own tools would find.
 * They are kept until shortly before they expire.
 */

import type { Environment } from '../../../platform/environment.js'
import { runOwnProgram } from '../../../platform/programs/run-own-program.js'
import { isObject } from '../../../protocol/json.js'
import { parseJson } from '../../client/parse-json.js'
import { nonBlankVariable } from '../../messages-api/client-environment.js'
import { toSendableSecret } from '../../messages-api/credentials/credential.js'
import type { CloudSetup } from '../../provider.js'
import { type CredentialExpiry, type CredentialSearchOutcome, cacheCredential } from '../cached-credential.js'
import { isSwitchedOn } from '../choose.js'
import { readMilliseconds } from '../cloud-environment.js'
import { findCredentialCommand, runCredentialCommand } from '../user-command.js'
import type { AwsKeys } from './signer.js'

export type AwsAuth =
  | { kind: 'keys'; keys: AwsKeys; from: string }
  | { kind: 'bearer' | 'x-api-key'; secret: string; from: string }
  /** Others see to it: a gateway. */
  | { kind: 'nothing'; from: string }
  | { kind: 'missing'; reason: string }

type FixedAuth = Exclude<AwsAuth, { kind: 'missing' }>

export interface AwsCredentials {
  current(signal: AbortSignal): Promise<AwsAuth>
  /** Without looking further than the environment and settings. */
  source(): string
  /** They were refused: true when there may be others now. */
  refused(): boolean
}

export type AwsCredentialOptions = {
  /** Variables that turn signing off, and that hold a key in its place. */
  skip: boolean
  key?: { variable: string; kind: 'bearer' | 'x-api-key' }
  region: string
}

type Found = CredentialExpiry & { keys: AwsKeys }

const CHAIN_MS = 60_000
const CHAIN = 'the AWS credential chain'

export function createAwsCredentials(setup: CloudSetup, options: AwsCredentialOptions): AwsCredentials {
  const { env, platform } = setup
  const fixed = fixedAuth(env, options)
  const limit = readMilliseconds(env, 'CLAUDE_CODE_AWS_CHAIN_RESOLVE_TIMEOUT_MS') ?? CHAIN_MS
  const keepsNothing = isSwitchedOn(env, 'CLAUDE_CODE_SKIP_AWS_CRED_CACHE')
  let isRefused = false
  const kept = cacheCredential(platform.clock, look, { keepsNothing })

  async function look(signal: AbortSignal): Promise<CredentialSearchOutcome<Found>> {
    const wasRefused = isRefused
    isRefused = false
    if (wasRefused) await logIn(signal)
    const found = await find(signal)
    // What can't be loaded has most often run out.
    return !('reason' in found) || wasRefused || !(await logIn(signal)) ? found : find(signal)
  }
  async function logIn(signal: AbortSignal): Promise<boolean> {
    const command = findCredentialCommand(setup, 'awsAuthRefresh')
    return command !== undefined && (await runCredentialCommand(setup, 'awsAuthRefresh', command, signal)).ok
  }
  async function find(signal: AbortSignal): Promise<CredentialSearchOutcome<Found>> {
    const command = findCredentialCommand(setup, 'awsCredentialExport')
    if (command !== undefined) {
      const ended = await runCredentialCommand(setup, 'awsCredentialExport', command, signal)
      if (!ended.ok) return { reason: ended.reason }
      const found = readFound(parseJson(ended.stdout), 'awsCredentialExport')
      return found ?? { reason: 'awsCredentialExport printed no credentials.' }
    }
    const ended = await runOwnProgram(platform.processes, 'aws-chain', {
      args: [options.region],
      cwd: setup.cwd,
      timeoutMs: limit,
      signal,
      env: { ...env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    }).catch(() => undefined)
    if (!ended) return { reason: `${CHAIN} could not be asked: this installation misses a part.` }
    if (ended.timedOut)
      return { reason: `${CHAIN} did not answer within ${limit} ms (CLAUDE_CODE_AWS_CHAIN_RESOLVE_TIMEOUT_MS).` }
    const answer = parseJson(ended.stdout)
    const reason = isObject(answer) && typeof answer['reason'] === 'string' ? answer['reason'] : 'it gave no answer'
    return readFound(answer, CHAIN) ?? { reason: `${CHAIN}: ${reason.slice(0, 500)}` }
  }
  function readFound(value: unknown, from: string): Found | undefined {
    const flat = isObject(value) && isObject(value['Credentials']) ? value['Credentials'] : value
    if (!isObject(flat)) return undefined
    const read = (...names: string[]) => names.map((name) => flat[name]).find((one) => typeof one === 'string')
    const accessKeyId = usable(read('AccessKeyId', 'accessKeyId'))
    const secretAccessKey = usable(read('SecretAccessKey', 'secretAccessKey'))
    if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
    const sessionToken = usable(read('SessionToken', 'sessionToken'))
    const told = flat['expiresAt'] ?? flat['Expiration']
    const end = typeof told === 'string' ? Date.parse(told) : typeof told === 'number' ? told : Number.NaN
    const keys = { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
    return { keys, from, ...(Number.isNaN(end) ? {} : { expiresAt: end }) }
  }

  return {
    async current(signal) {
      if (fixed) return fixed
      const found = await kept.current(signal)
      return 'reason' in found
        ? { kind: 'missing', reason: found.reason }
        : { kind: 'keys', keys: found.keys, from: found.from }
    },
    source() {
      if (fixed) return fixed.from
      return findCredentialCommand(setup, 'awsCredentialExport') === undefined ? CHAIN : 'awsCredentialExport'
    },
    refused() {
      if (fixed) return false
      kept.forget()
      isRefused = true
      return true
    },
  }

  /** The environment's own, unless the user has a command for it. */
  function fixedAuth(from: Environment, { skip, key }: AwsCredentialOptions): FixedAuth | undefined {
    if (skip) return skippedAuth(from)
    const secret = key && usable(nonBlankVariable(from, key.variable))
    if (key && secret !== undefined) return { kind: key.kind, secret, from: key.variable }
    if (findCredentialCommand(setup, 'awsCredentialExport') !== undefined) return undefined
    const accessKeyId = usable(nonBlankVariable(from, 'AWS_ACCESS_KEY_ID'))
    const secretAccessKey = usable(nonBlankVariable(from, 'AWS_SECRET_ACCESS_KEY'))
    if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
    const sessionToken = usable(nonBlankVariable(from, 'AWS_SESSION_TOKEN'))
    const keys = { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
    return { kind: 'keys', keys, from: 'AWS_ACCESS_KEY_ID' }
  }
}

/** A gateway may want a token of its own. */
function skippedAuth(env: Environment): FixedAuth {
  const token = usable(nonBlankVariable(env, 'ANTHROPIC_AUTH_TOKEN'))
  if (token !== undefined) return { kind: 'bearer', secret: token, from: 'ANTHROPIC_AUTH_TOKEN' }
  return { kind: 'nothing', from: 'the gateway' }
}

function usable(value: unknown): string | undefined {
  return typeof value === 'string' ? toSendableSecret(value) : undefined
}
