/** A permission as a question with choices: once, for good with the exact rule, or no. Pure. */
import type { PermissionOption, RequestPermissionRequest } from '@agentclientprotocol/sdk/unstable'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import { cutLineMiddle, showUnseen } from '../../protocol/shown/unseen-text.js'
import { MODES_AFTER_PLAN, PERMISSION_DECISIONS, PLAN_DECISIONS, RULE_SCOPES } from '../../protocol/shown/vocabulary.js'
import { toAcpToolCallFields } from '../updates/tool-call-fields.js'
import { plannedContent, previewContent, textContent } from '../updates/tool-content.js'

const ALWAYS = 'allow-always-'
const PLAN = 'exit-plan-'

export type PermissionRequestContext = {
  session: string
  cwd: string /** Modes that may follow a plan. */
  modes: readonly PermissionMode[]
}

export function toAcpPermissionRequest(ask: Ask, place: PermissionRequestContext): RequestPermissionRequest {
  const { name, input, useId, hash } = ask.tool ?? { name: '', input: {}, useId: ask.id, hash: '' }
  const preview = previewContent(ask.preview, place.cwd)
  const content = preview.length > 0 ? preview : plannedContent(name, input, place.cwd)
  const why = ask.why.text === '' ? [] : [textContent(ask.why.text)]
  return {
    sessionId: place.session,
    toolCall: {
      toolCallId: useId,
      name,
      status: 'pending',
      rawInput: input,
      ...toAcpToolCallFields(name, input, place.cwd),
      content: ask.kind === 'plan' ? content : [...content, ...why],
      _meta: { claudeCode: { toolName: name } },
    },
    options: ask.kind === 'plan' ? planOptions(place.modes) : permissionOptions(ask),
    _meta: { kedge: { ask: ask.id, hash, why: ask.why, agent: ask.agent } },
  }
}

function permissionOptions({ suggestions }: Ask): PermissionOption[] {
  return [
    { optionId: 'allow', name: PERMISSION_DECISIONS.allowOnce, kind: 'allow_once' },
    ...suggestions.map(
      ({ rule, scope, update }, at): PermissionOption => ({
        optionId: `${ALWAYS}${at}`,
        name: `${PERMISSION_DECISIONS.alwaysAllow} ${cutLineMiddle(showUnseen(rule), 200)} ${RULE_SCOPES[scope]}`,
        kind: 'allow_always',
        _meta: { kedge: { rule, scope, update } },
      }),
    ),
    { optionId: 'reject', name: PERMISSION_DECISIONS.deny, kind: 'reject_once' },
    { optionId: 'reject-stop', name: PERMISSION_DECISIONS.denyAndStop, kind: 'reject_once' },
  ]
}

function planOptions(modes: readonly PermissionMode[]): PermissionOption[] {
  // The narrowest is first: some clients pick the first option without a user.
  const ways = MODES_AFTER_PLAN.filter(({ mode }) => modes.includes(mode))
  return [
    ...ways.map(({ mode, label: name }): PermissionOption => {
      return { optionId: `${PLAN}${mode}`, name, kind: mode === 'default' ? 'allow_once' : 'allow_always' }
    }),
    { optionId: 'reject', name: PLAN_DECISIONS.sendBack, kind: 'reject_once' },
  ]
}

/** Returns the answer for a chosen option. An option that was never offered is a denial. */
export function answerOfOption(ask: Ask, optionId: string): AskAnswer {
  const hash = ask.tool?.hash
  const about = hash === undefined ? {} : { hash }
  if (ask.kind === 'plan') {
    const mode = MODES_AFTER_PLAN.find((one) => optionId === `${PLAN}${one.mode}`)?.mode
    return mode === undefined ? { kind: 'revise', comments: '' } : { ...about, kind: 'approve', mode }
  }
  if (optionId === 'allow') return { ...about, kind: 'allow' }
  if (optionId === 'reject-stop') return { kind: 'deny', stop: true }
  const suggestion = ask.suggestions.find((_, at) => optionId === `${ALWAYS}${at}`)
  return suggestion ? { ...about, kind: 'allow', updates: [suggestion.update] } : { kind: 'deny' }
}
