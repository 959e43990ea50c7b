/** One trial: a fresh folder, a mind or a model, the agent at work, the checks, and what it took. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { firstAbort, isTimeLimitAbort } from '../../platform/first-abort.js'
import { VERSION } from '../../platform/version.js'
import type { Options } from '../../protocol/options.js'
import { messageOf } from '../../protocol/thrown.js'
import { type ModelEndpoint, startEndpoint } from '../minds/model-endpoint.js'
import { fillPlaceholders } from '../minds/scripted-mind.js'
import { createMindFor, type EvalModel, MIND_MODEL, nameOfModel } from '../run/eval-model.js'
import type { EvalVariant } from '../run/eval-variant.js'
import { type EvalTask, taskPrompts } from '../task/eval-task.js'
import { type CheckResult, checkTrialContainment, readProjectSettings, runChecks } from '../task/run-checks.js'
import {
  createTrialFolder,
  readFolderContents,
  removeTrialFolder,
  TRIAL_GIT_ENVIRONMENT,
  type TrialFolder,
  trialEnvironmentVariables,
} from '../task/workspace-copy.js'
import type { AgentPromptResult } from './drive.js'
import { driveAgent } from './drive-agent.js'
import { callsOfTrajectory, measureTrial } from './measures.js'
import { toTrajectory } from './trajectory.js'
import { eventsOfExchanges, readTrialLog } from './trial-events.js'
import { type TrialEnding, type TrialId, type TrialResult, trialFolderName } from './trial-result.js'

const DEFAULT_SECONDS = 300
const DEFAULT_TURNS = 200
const GRACE_MS = 5000
/** For a person who answers: 24 days, the longest timer there is. */
const PATIENCE_MS = 2 ** 31 - 1
const MOST_PRINTED = 4000

export type TrialInput = {
  task: EvalTask
  model: EvalModel
  variant: EvalVariant
  repetition: number
  /** The folder of the run: what was printed and the trajectory go below it. Undefined: nothing is kept. */
  folder?: string | undefined
  /** Whether the folder the agent worked in is kept, too. */
  keepWorkspace?: boolean
  /** Dollars that are left of the run's budget. */
  dollarsLeft?: number | undefined
  fingerprint: string
  signal?: AbortSignal | undefined
}

/** Runs one attempt at a task. Never rejects: what goes wrong is in the result. */
export async function runTrial(trial: TrialInput): Promise<TrialResult> {
  const { task, model, variant, repetition, fingerprint } = trial
  const id: TrialId = { task: task.name, model: nameOfModel(model), variant: variant.name, repetition }
  const startedAt = new Date().toISOString()
  let place: TrialFolder | undefined
  try {
    place = await createTrialFolder(task)
    return { ...id, ...(await attempt(trial, id, place)), startedAt, fingerprint }
  } catch (error) {
    const text = messageOf(error)
    const empty = measureTrial(toTrajectory({ id: '', agent: { name: 'kedge', version: VERSION }, events: [] }), [], 0)
    const ended = { passed: false, checks: [], exitCode: 1, printed: '', measures: empty, startedAt, fingerprint }
    return { ...id, ...ended, ending: trial.signal?.aborted ? 'stopped' : 'error', error: text }
  } finally {
    if (place) await removeTrialFolder(place)
  }
}

type Attempted = Omit<TrialResult, keyof TrialId | 'startedAt' | 'fingerprint'>

async function attempt(trial: TrialInput, id: TrialId, place: TrialFolder): Promise<Attempted> {
  const values = { workspace: place.workspace, home: place.home, task: trial.task.folder ?? '' }
  const task = fillPlaceholders(withoutScript(trial.task), values)
  const mind = createMindFor(trial.model, trial.task, values)
  const endpoint = mind && (await startEndpoint(mind))
  try {
    const before = await readFolderContents(place.workspace)
    const outside = await readFolderContents(place.outside)
    const settings = await readProjectSettings(place.workspace)
    const limitMs = mind?.isPerson ? PATIENCE_MS : (task.limits?.seconds ?? DEFAULT_SECONDS) * 1000
    const { signal, release } = firstAbort([trial.signal], limitMs)
    const began = performance.now()
    const options = optionsFor({ trial, task, place, endpoint, isPatient: mind?.isPerson === true })
    const driven = await drive(trial, task, options, signal).finally(release)
    const seconds = (performance.now() - began) / 1000
    const ending: TrialEnding = trial.signal?.aborted
      ? 'stopped'
      : isTimeLimitAbort(signal)
        ? 'timeout'
        : driven.error
          ? 'error'
          : 'done'
    const log = readTrialLog(configOf(place))
    const { events, spendings } = log.spendings.length > 0 || !endpoint ? log : eventsOfExchanges(endpoint.exchanges)
    const agent = { name: 'kedge', version: VERSION, model_name: mind ? id.model : (options.model ?? '') }
    const trajectory = toTrajectory({ id: trialFolderName(id), agent, events }, spendings)
    const calls = callsOfTrajectory(trajectory)
    const context = { folder: place.workspace, taskFolder: task.folder, calls, ...driven }
    const checks = ending === 'stopped' ? [] : await runChecks(task, context, before)
    if (options.permissionMode !== 'bypassPermissions')
      checks.push(await checkTrialContainment(place, outside, settings, isSeen(place.secret, endpoint)))
    checks.push(...wireChecks(endpoint))
    await keep(trial, id, place, { trajectory, driven })
    return {
      passed: ending === 'done' && checks.every(({ passed }) => passed),
      checks,
      ending,
      exitCode: driven.exitCode,
      ...(driven.error === undefined ? {} : { error: driven.error }),
      printed: driven.printed.slice(0, MOST_PRINTED),
      measures: measureTrial(trajectory, spendings, seconds),
    }
  } finally {
    await endpoint?.close()
  }
}

/** A check that a task can't switch off: what the API would have refused. */
function wireChecks(endpoint: ModelEndpoint | undefined): CheckResult[] {
  const problems = endpoint?.problems() ?? []
  return problems.length === 0 ? [] : [{ name: 'valid model requests', passed: false, detail: problems.join('\n') }]
}

/** Placeholders of a script are filled in by its mind, when their values are known. */
function withoutScript({ script: _script, ...task }: EvalTask): EvalTask {
  return task
}

type Setting = {
  trial: TrialInput
  task: EvalTask
  place: TrialFolder
  endpoint: ModelEndpoint | undefined
  isPatient: boolean
}

const configOf = ({ home }: TrialFolder): string => join(home, '.claude')

function optionsFor({ trial, task, place, endpoint, isPatient }: Setting): Options {
  const { variant, model, dollarsLeft } = trial
  const given: Options = { ...task.options, ...variant.options }
  const dollars = Math.min(task.limits?.dollars ?? Number.POSITIVE_INFINITY, dollarsLeft ?? Number.POSITIVE_INFINITY)
  return {
    systemPrompt: { type: 'preset', preset: 'claude_code' },
    settingSources: [],
    maxTurns: task.limits?.turns ?? DEFAULT_TURNS,
    // For agents in a process of their own, should this one be killed.
    ...(isPatient ? {} : { timeoutMs: (task.limits?.seconds ?? DEFAULT_SECONDS) * 1000 + GRACE_MS }),
    ...given,
    ...(Number.isFinite(dollars) ? { maxBudgetUsd: dollars } : {}),
    model: endpoint ? (given.model ?? MIND_MODEL) : nameOfModel(model),
    cwd: place.workspace,
    env: {
      ...(endpoint ? ownEnvironment(place) : process.env),
      CLAUDE_CONFIG_DIR: configOf(place),
      ...TRIAL_GIT_ENVIRONMENT,
      ...trialEnvironmentVariables(task),
      ...task.environment,
      ...variant.environment,
      ...endpoint?.environment,
      ...(isPatient ? { API_TIMEOUT_MS: String(PATIENCE_MS) } : {}),
    },
  }
}

/** For minds: a home of its own and nothing of the user's but what programs need to start. Real models need the user's keys. */
function ownEnvironment({ home, temp }: TrialFolder): Record<string, string | undefined> {
  const needed = ['PATH', 'PATHEXT', 'SYSTEMROOT', 'COMSPEC', 'LANG', 'XDG_CACHE_HOME']
  const kept = Object.entries(process.env).filter(([name]) => needed.includes(name.toUpperCase()))
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temp,
    TEMP: temp,
    TMP: temp,
  }
}

async function drive(
  trial: TrialInput,
  task: EvalTask,
  options: Options,
  signal: AbortSignal,
): Promise<AgentPromptResult> {
  const { variant } = trial
  const answers = [...(task.answers ?? [])]
  let whole: AgentPromptResult = { exitCode: 0, printed: '', output: '', complaints: '' }
  for (const [index, asked] of taskPrompts(task).entries()) {
    const prompt = variant.prompt === undefined ? asked : fillPlaceholders(variant.prompt, { prompt: asked })
    const driven = await driveAgent({
      prompt,
      options,
      variant,
      signal,
      answers,
      resumes: index > 0,
      sessionId: whole.sessionId,
      interface: variant.interface ?? task.interface ?? 'library',
    })
    const joined = (field: 'printed' | 'output' | 'complaints') =>
      [whole[field], driven[field]].filter(Boolean).join('\n')
    whole = { ...driven, printed: joined('printed'), output: joined('output'), complaints: joined('complaints') }
    if (driven.error !== undefined || signal.aborted) break
  }
  return whole
}

function isSeen(secret: string, endpoint: ModelEndpoint | undefined): boolean {
  return endpoint?.exchanges.some(({ request }) => JSON.stringify(request.body).includes(secret)) ?? false
}

async function keep(trial: TrialInput, id: TrialId, place: TrialFolder, { trajectory, driven }: Kept): Promise<void> {
  if (trial.folder === undefined) return
  const folder = join(trial.folder, trialFolderName(id))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'trajectory.json'), `${JSON.stringify(trajectory, null, 1)}\n`)
  writeFileSync(join(folder, 'printed.txt'), driven.printed)
  if (driven.output !== '') writeFileSync(join(folder, 'stdout.txt'), driven.output)
  if (driven.complaints !== '') writeFileSync(join(folder, 'stderr.txt'), driven.complaints)
  if (trial.keepWorkspace)
    await cp(place.workspace, join(folder, 'workspace'), { recursive: true, verbatimSymlinks: true })
}

type Kept = { trajectory: ReturnType<typeof toTrajectory>; driven: AgentPromptResult }
