/**
 * A program: looks for AWS credentials wherever AWS's own tools do (profiles, roles, SSO, credential processes, web identity,
 * containers, instances) and prints them as JSON. In a process of its own, because the library reads the environment of its
 * process, warns on its stderr, and is needed once an hour.
 */
import { Agent as PlainAgent } from 'node:http'
import { Agent } from 'node:https'
import { defaultProvider } from '@aws-sdk/credential-provider-node'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { messageOf } from '../../protocol/thrown.js'
import { createProxyFinder } from '../network/proxies.js'
import { TunnelAgent } from '../network/tunnel-agent.js'

export type AwsChainResult =
  | {
      ok: true
      accessKeyId: string
      secretAccessKey: string
      sessionToken?: string | undefined
      /** In milliseconds since the epoch. */
      expiresAt?: number | undefined
    }
  | { ok: false; reason: string }

const CONNECT_MS = 10_000

async function find(region: string | undefined): Promise<AwsChainResult> {
  try {
    // The library knows no proxies; what it asks for keys over the network are hosts of AWS.
    const proxy = createProxyFinder(process.env)(new URL('https://sts.amazonaws.com'))
    const agent = proxy && new TunnelAgent({ proxy, secured: undefined, keepAlive: false, connectMs: CONNECT_MS })
    const requestHandler = new NodeHttpHandler({
      httpAgent: new PlainAgent(),
      httpsAgent: agent ?? new Agent(),
    })
    const found = await defaultProvider({ clientConfig: { requestHandler, ...(region ? { region } : {}) } })()
    const { accessKeyId, secretAccessKey, sessionToken, expiration } = found
    return { ok: true, accessKeyId, secretAccessKey, sessionToken, expiresAt: expiration?.getTime() }
  } catch (error) {
    return { ok: false, reason: messageOf(error) }
  }
}

void find(process.argv[2]).then((answer) => {
  process.stdout.write(JSON.stringify(answer), () => process.exit(0))
})
