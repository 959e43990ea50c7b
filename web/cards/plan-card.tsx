/** A plan as a document: read, edited, commented on, or approved with a permission mode. */
import { useSignal } from '@preact/signals'
import { MarkdownText } from '../parts/markdown-text.js'
import { usePageScope } from '../state/page-scope.js'
import { T } from '../texts.js'
import type { CardProps } from './card-props.js'

const MODES = ['default', 'acceptEdits', 'plan'] as const
type Draft = { plan?: string; comments?: string }

export function PlanCard({ ask, guard }: CardProps) {
  const { drafts } = usePageScope()
  const given = ask.tool?.input['plan']
  const original = typeof given === 'string' ? given : ask.preview?.type === 'document' ? ask.preview.text : ''
  const draft = useSignal<Draft>(drafts.read<Draft>(`ask:${ask.id}`) ?? {})
  const isEdited = useSignal(draft.value.plan !== undefined)
  const mode = useSignal<(typeof MODES)[number]>('acceptEdits')
  const change = (part: Draft) => {
    draft.value = { ...draft.value, ...part }
    drafts.write(`ask:${ask.id}`, draft.value)
  }
  const plan = draft.value.plan ?? original
  const comments = (draft.value.comments ?? '').trim()
  const approve = () => guard.answer({ kind: 'approve', mode: mode.value, ...(plan === original ? {} : { plan }) })
  const isOff = !guard.isReady.value || guard.isSending.value
  return (
    <>
      {isEdited.value ? (
        <label class="plan-edit">
          {T.editPlan}
          <textarea rows={16} value={plan} onInput={({ currentTarget }) => change({ plan: currentTarget.value })} />
        </label>
      ) : (
        <div class="document" tabIndex={0} role="group" aria-label={T.plan}>
          <MarkdownText text={plan} />
        </div>
      )}
      <label class="plan-comments">
        {T.comments}
        <textarea
          rows={2}
          value={draft.value.comments ?? ''}
          onInput={({ currentTarget }) => change({ comments: currentTarget.value })}
        />
      </label>
      <div class="buttons">
        <label class="go-on">
          {T.goOnIn}{' '}
          <select
            value={mode.value}
            onChange={({ currentTarget }) => {
              mode.value = MODES.find((one) => one === currentTarget.value) ?? 'default'
            }}
          >
            {MODES.filter((one) => one !== 'plan').map((one) => (
              <option key={one} value={one}>
                {T.modes[one]}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="good" data-first aria-disabled={isOff} onClick={approve}>
          {plan === original ? T.approve : T.approveEdited}
        </button>
        <button
          type="button"
          onClick={() => {
            isEdited.value = !isEdited.value
          }}
        >
          {isEdited.value ? T.showPlan : T.edit}
        </button>
        <span class="grow" />
        <button
          type="button"
          class="bad"
          aria-disabled={isOff}
          onClick={() => guard.answer({ kind: 'revise', comments })}
        >
          {T.sendBack}
        </button>
      </div>
    </>
  )
}
