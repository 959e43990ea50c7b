/** The cloud the models are bought from: which, where, whose credential, and whether its address answers. Nothing secret is shown. */

import { classifyHttpError } from '../../model/client/failure.js'
import type { Cloud } from '../../model/provider.js'
import { withFirstAbort } from '../../platform/first-abort.js'
import { HttpError } from '../../platform/http/http.js'
import type { NetworkSettings } from '../../platform/network/network.js'
import type { Platform } from '../../platform/platform.js'
import { createFindingFactory, type DoctorFinding, failureFixForShell } from './finding.js'

const TIMEOUT_MS = 10_000
const CREDENTIAL_MS = 60_000

export async function checkCloud({ about, models }: Cloud): Promise<DoctorFinding[]> {
  const { title, region } = about
  const where = region ? `, ${region.name} (${region.from})` : ''
  const { ok, fail } = createFindingFactory('key')
  const found = await withFirstAbort([], CREDENTIAL_MS, (signal) => about.credential(signal))
  const [first = '', ...rest] = found.text.split('\n')
  return [
    createFindingFactory('cloud').ok(`${title}${where}, model ${models.resolve(undefined)}`),
    found.ok ? ok(`credential ${first}`) : fail(`none that can be used: ${first}`, rest.join(' ') || undefined),
  ]
}

/** Unsigned, and for nothing: any answer shows that it is there. */
export async function probeCloud(
  cloud: Cloud,
  network: NetworkSettings,
  { http, clock }: Platform,
): Promise<DoctorFinding> {
  const { ok, fail } = createFindingFactory('endpoint')
  const { baseUrl, isOwn } = cloud.endpoint()
  const proxy = network.proxyFor(baseUrl)
  const facts = { model: '', baseUrl, ownEndpoint: isOwn, keySource: 'none' as const, ...(proxy && { proxy }) }
  const started = clock.monotonic()
  try {
    const asked = { method: 'GET' as const, url: baseUrl, headers: {}, timeoutMs: TIMEOUT_MS, network }
    const response = await withFirstAbort([], TIMEOUT_MS, (signal) => http.request({ ...asked, signal }))
    response.discard()
    return ok(`${baseUrl.origin} answers in ${Math.round(clock.monotonic() - started)} ms`)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const { failure } = classifyHttpError(error)
    return fail(failure.text.replace(/^API Error: /, ''), failureFixForShell({ ...facts, ...failure }))
  }
}
