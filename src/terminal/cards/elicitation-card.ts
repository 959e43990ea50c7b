/** A question of an MCP server: a form, field by field, or a page to visit. */

import { isObject } from '../../protocol/json.js'
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import { QUESTION_AND_FORM_ANSWERS } from '../../protocol/shown/vocabulary.js'
import { requestTitle } from '../../view/request-title.js'
import { wrapText } from '../screen/styled-text.js'
import { toTerminalSafeLine } from '../screen/terminal-safe-text.js'
import type { Card, CardViewOptions } from './card.js'
import { choiceCard } from './choice-card.js'
import type { Choice } from './choice-list.js'
import { textFieldCard } from './text-field.js'

export type ElicitationPorts = { answer(answer: AskAnswer): void; show(card: Card): void }
type Value = string | number | boolean | string[]
type Field = { name: string; schema: Record<string, unknown>; isRequired: boolean }

export function elicitationCard(ask: Ask, ports: ElicitationPorts): Card {
  const { elicitation } = ask
  const { answer, show } = ports
  const title = toTerminalSafeLine(requestTitle(ask, ''))
  const said = toTerminalSafeLine(elicitation?.message ?? '')
  const words = ({ columns }: CardViewOptions) => wrapText(`  ${said}`, columns - 1, { indent: '  ' })
  const decline = () => answer({ kind: 'elicitation', action: 'decline' })
  if (elicitation?.mode === 'url') {
    const url = toTerminalSafeLine(elicitation.url ?? '')
    return choiceCard<'accept' | 'decline'>({
      title,
      onCanceled: () => answer({ kind: 'elicitation', action: 'cancel' }),
      words: (look) => [...words(look), ...wrapText(`  ${url}`, look.columns - 1, { anywhere: true })],
      choices: [
        { value: 'decline', label: QUESTION_AND_FORM_ANSWERS.decline },
        { value: 'accept', label: QUESTION_AND_FORM_ANSWERS.visited },
      ],
      onChosen: ([choice]) => answer({ kind: 'elicitation', action: choice === 'accept' ? 'accept' : 'decline' }),
    })
  }
  const fields = fieldsOf(elicitation?.requestedSchema)
  const content: Record<string, Value> = {}
  const step = (n: number): Card => {
    const field = fields[n]
    if (!field) return finish()
    const next = (value: Value | undefined) => {
      if (value !== undefined) content[field.name] = value
      show(step(n + 1))
    }
    return fieldCard(field, {
      title: `${title} (${n + 1} of ${fields.length})`,
      words,
      next,
      show,
      back: n === 0 ? decline : () => show(step(n - 1)),
    })
  }
  const finish = () =>
    choiceCard<boolean>({
      title,
      words,
      onCanceled: () => answer({ kind: 'elicitation', action: 'cancel' }),
      choices: [
        { value: true, label: fields.length === 0 ? QUESTION_AND_FORM_ANSWERS.accept : QUESTION_AND_FORM_ANSWERS.send },
        { value: false, label: QUESTION_AND_FORM_ANSWERS.decline },
      ],
      onChosen: ([yes]) => (yes ? answer({ kind: 'elicitation', action: 'accept', content }) : decline()),
    })
  return step(0)
}

function fieldsOf(schema: unknown): Field[] {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {}
  const required = isObject(schema) && Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties).flatMap(([name, one]) =>
    isObject(one) ? [{ name, schema: one, isRequired: required.includes(name) }] : [],
  )
}

type FieldPorts = {
  title: string
  words(look: CardViewOptions): string[]
  next(value: Value | undefined): void
  show(card: Card): void
  back(): void
}

function fieldCard({ name, schema, isRequired }: Field, { title, words, next, show, back }: FieldPorts): Card {
  const label = toTerminalSafeLine(String(schema['title'] ?? name))
  const about = typeof schema['description'] === 'string' ? `: ${toTerminalSafeLine(schema['description'])}` : ''
  let problem = ''
  const above = (look: CardViewOptions) => [
    ...words(look),
    ...wrapText(look.styles.bold(`  ${label}${about}`), look.columns - 1, { indent: '  ' }),
    ...(problem === '' ? [] : [look.styles.red(`  ${problem}`)]),
  ]
  const skip: Choice<Value | undefined>[] = isRequired
    ? []
    : [{ value: undefined, label: QUESTION_AND_FORM_ANSWERS.leaveOut }]
  const choices = choicesOf(schema)
  if (choices)
    return choiceCard<Value | undefined>({
      title,
      words: above,
      choices: [...choices, ...skip],
      onCanceled: back,
      isMultiple: schema['type'] === 'array',
      onChosen: (chosen) =>
        next(schema['type'] === 'array' ? chosen.filter((one) => typeof one === 'string') : chosen[0]),
    })
  const card: Card = textFieldCard({
    title,
    words: above,
    hint: isRequired ? '' : 'may be left empty',
    onCanceled: back,
    text:
      typeof schema['default'] === 'string' || typeof schema['default'] === 'number' ? String(schema['default']) : '',
    onDone(text) {
      const isNumber = schema['type'] === 'number' || schema['type'] === 'integer'
      if (text.trim() === '' && !isRequired) return next(undefined)
      if (!isNumber && text.trim() !== '') return next(text)
      if (isNumber && text.trim() !== '' && Number.isFinite(Number(text))) return next(Number(text))
      problem = isNumber ? 'This has to be a number.' : 'This is needed.'
      show(card)
    },
  })
  return card
}

function choicesOf(schema: Record<string, unknown>): Choice<Value | undefined>[] | undefined {
  if (schema['type'] === 'boolean')
    return [
      { value: true, label: 'Yes' },
      { value: false, label: 'No' },
    ]
  const items = schema['type'] === 'array' && isObject(schema['items']) ? schema['items'] : schema
  const listed = [items['enum'], items['oneOf'], items['anyOf']].find((list): list is unknown[] => Array.isArray(list))
  if (!listed) return undefined
  const names = Array.isArray(items['enumNames']) ? items['enumNames'] : []
  return listed.map((one, n) => {
    const value = isObject(one) ? String(one['const']) : String(one)
    const label = isObject(one) && typeof one['title'] === 'string' ? one['title'] : String(names[n] ?? value)
    return { value, label }
  })
}
