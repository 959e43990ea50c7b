/** What a person can do about a request that a cloud refused. */
import type { ModelFailure } from '../../engine/ports.js'
import { splitLongContextSuffix } from '../model-facts.js'
import type { CloudName } from './choose.js'
import { inferenceProfilePrefix, isMantleId } from './cloud-ids.js'

export type CloudFacts = {
  cloud: CloudName
  title: string
  region: string | undefined
  host: string
  /** Whose credential was used. */
  source: string
}

/** Returns what a user can do about a failure of a cloud. Undefined: the same as for any other endpoint. */
export function cloudFix(
  failure: Pick<ModelFailure, 'code' | 'text'>,
  model: string,
  facts: CloudFacts,
): string | undefined {
  const { cloud, title, region = '', source } = facts
  const isAws = cloud === 'bedrock' || cloud === 'mantle' || cloud === 'anthropicAws'
  const { code, text } = failure
  if (/on-demand throughput/i.test(text)) {
    const bare = splitLongContextSuffix(model).id.replace(/^(?:us|eu|apac|jp|au|global|us-gov)\./, '')
    return `${title} has ${model} in ${region} only by an inference profile: use ${inferenceProfilePrefix(region)}${bare}, or the ARN of your own.`
  }
  switch (code) {
    case 'not_authenticated':
      return `${LOGIN[cloud]} \`kedge doctor\` shows what was found.`
    case 'invalid_api_key':
      return `${title} refused the credential of ${source}: ${LOGIN[cloud]}`
    case 'permission_denied':
      return isAws
        ? `AWS refused ${source}: if it has run out, log in again (the setting awsAuthRefresh does so by itself); else allow bedrock:InvokeModelWithResponseStream and ask for access to ${model} in ${region}.`
        : `${source} may not use ${model} at ${title}: ${cloud === 'vertex' ? 'it needs the role Vertex AI User, and the model must be enabled in the Model Garden.' : 'it needs the role Azure AI User on the resource.'}`
    case 'model_not_found':
      return missingModel(model, facts)
    case 'rate_limited':
      return isAws && cloud !== 'anthropicAws'
        ? 'Wait a minute, ask AWS for a higher quota, or lower CLAUDE_CODE_MAX_OUTPUT_TOKENS: what a request may answer is taken off the quota when it starts.'
        : `Wait a minute, send fewer requests at once, or ask ${title} for a higher quota.`
    case 'billing':
      return `A quota of ${title} is used up that does not come back within minutes: ask for a higher one.`
    case 'server_error':
      return `Try again later; the status page of ${title} says more.`
    default:
      return undefined
  }
}

const AWS_LOGIN =
  'Log in (`aws sso login`), or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or AWS_BEARER_TOKEN_BEDROCK.'

const LOGIN: Readonly<Record<CloudName, string>> = {
  bedrock: AWS_LOGIN,
  mantle: AWS_LOGIN,
  anthropicAws: 'Set ANTHROPIC_AWS_API_KEY, or log in to AWS (`aws sso login`).',
  vertex: 'Log in (`gcloud auth application-default login`), or set GOOGLE_APPLICATION_CREDENTIALS to a key file.',
  foundry: 'Set ANTHROPIC_FOUNDRY_API_KEY, or log in (`az login`).',
}

function missingModel(model: string, { cloud, region = '', title }: CloudFacts): string {
  if (cloud === 'foundry')
    return `There is no deployment ${model}: name yours with --model or ANTHROPIC_DEFAULT_SONNET_MODEL.`
  if (cloud === 'vertex')
    return `${title} has no ${model} in ${region}: choose another model, or another place with CLOUD_ML_REGION (global has most).`
  const form = cloud === 'bedrock' && isMantleId(model) ? ' That is a name of Mantle (CLAUDE_CODE_USE_MANTLE=1).' : ''
  return `${title} has no ${model} in ${region}, or it is past its end: choose another model or AWS_REGION.${form}`
}
