/** What a person can do about a request that a cloud refused. */
import type { ModelFailure } from '../../engine/ports.js'
import { capitalized, FIX_WORDS as W } from '../../protocol/shown/fix-words.js'
import { splitLongContextSuffix } from '../model-facts.js'
import type { CloudName } from './choose.js'
import { inferenceProfilePrefix, isMantleModelId } from './cloud-ids.js'

export type CloudConnection = {
  cloud: CloudName
  title: string
  region: string | undefined
  host: string
  /** Whose credential was used. */
  source: string
}

/** Returns what a user can do about a failure of a cloud. Undefined: the same as for any other endpoint. */
export function cloudFailureFix(
  failure: Pick<ModelFailure, 'code' | 'text'>,
  model: string,
  facts: CloudConnection,
): string | undefined {
  const { cloud, title, region = '', source } = facts
  const isAws = cloud === 'bedrock' || cloud === 'mantle' || cloud === 'anthropicAws'
  const { code, text } = failure
  if (/on-demand throughput/i.test(text)) {
    const bare = splitLongContextSuffix(model).id.replace(/^(?:us|eu|apac|jp|au|global|us-gov)\./, '')
    return `${title} has ${model} in ${region} only with an inference profile. Use ${inferenceProfilePrefix(region)}${bare}, or the ARN of your profile.`
  }
  switch (code) {
    case 'not_authenticated':
      return `${LOGIN[cloud]} ${capitalized(W.doctor.library)} shows what Kedge found.`
    case 'invalid_api_key':
      return `${title} rejected the credential of ${source}. ${LOGIN[cloud]}`
    case 'permission_denied':
      return isAws
        ? `AWS rejected ${source}. If it has expired, log in again (the setting awsAuthRefresh can do that). Otherwise, allow bedrock:InvokeModelWithResponseStream and request access to ${model} in ${region}.`
        : `${source} isn't allowed to use ${model} at ${title}. ${cloud === 'vertex' ? 'It needs the role Vertex AI User, and the model must be enabled in the Model Garden.' : 'It needs the role Azure AI User on the resource.'}`
    case 'model_not_found':
      return missingModel(model, facts)
    case 'rate_limited':
      return isAws && cloud !== 'anthropicAws'
        ? 'Wait a minute, request a higher quota from AWS, or lower CLAUDE_CODE_MAX_OUTPUT_TOKENS: AWS subtracts the longest possible answer from the quota when a request starts.'
        : `Wait a minute, send fewer requests at a time, or request a higher quota from ${title}.`
    case 'billing':
      return `A quota of ${title} is used up for longer than minutes. Request a higher quota.`
    case 'server_error':
      return `Try again later. The status page of ${title} might show the cause.`
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

function missingModel(model: string, { cloud, region = '', title }: CloudConnection): string {
  if (cloud === 'foundry')
    return `There is no deployment ${model}. To use yours, ${W.anotherModel.library} or set ANTHROPIC_DEFAULT_SONNET_MODEL.`
  if (cloud === 'vertex')
    return `${title} doesn't have ${model} in ${region}. Choose another model, or another region with CLOUD_ML_REGION (global has most).`
  const form =
    cloud === 'bedrock' && isMantleModelId(model)
      ? ' It is the name of a Mantle model, which needs CLAUDE_CODE_USE_MANTLE=1.'
      : ''
  return `${title} doesn't have ${model} in ${region}, or the model has been retired. Choose another model, or another AWS_REGION.${form}`
}
