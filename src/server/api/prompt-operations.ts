/** Prompts: send, see what waits, put it in another order, stop. */
import { randomUUID } from 'node:crypto'
import type { ContentBlockParam, ImageMediaType } from '../../protocol/content.js'
import { personOfCaller } from '../server-context.js'
import { callerChosenIdSchema, schemaRef } from './api-schemas.js'
import {
  anyOfSchema,
  choiceSchema,
  listSchema,
  longTextSchema,
  objectSchema,
  optionalSchema,
  textSchema,
  typedSchema,
} from './json-schemas.js'
import { defineOperation, type Operation } from './operation.js'
import { HttpProblem } from './problems.js'

const tag = 'Prompts'

const IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const base64 = { contentEncoding: 'base64', pattern: '^[A-Za-z0-9+/]*={0,2}$' }
const blocks = typedSchema<ContentBlockParam[]>({
  type: 'array',
  minItems: 1,
  maxItems: 200,
  items: {
    anyOf: [
      objectSchema({ type: choiceSchema(['text']), text: longTextSchema({ minLength: 1 }) }).json,
      objectSchema({
        type: choiceSchema(['image']),
        source: objectSchema({
          type: choiceSchema(['base64']),
          media_type: choiceSchema(IMAGES),
          data: longTextSchema(base64),
        }),
      }).json,
    ],
  },
})
export const attachmentSchema = objectSchema({
  name: textSchema({ minLength: 1, maxLength: 300 }),
  mediaType: textSchema({ maxLength: 100, description: 'An image, application/pdf, or text/….' }),
  data: longTextSchema({ ...base64, description: 'The content, base64.' }),
})

export const PROMPT_OPERATIONS: Operation[] = [
  defineOperation({
    id: 'sendPrompt',
    method: 'post',
    path: '/v1/sessions/{session}/prompts',
    tag,
    scope: 'prompt',
    isFinal: false,
    summary: 'Sends a prompt and stores it before responding. The same id twice is one prompt.',
    body: objectSchema({
      id: optionalSchema(callerChosenIdSchema),
      content: anyOfSchema(longTextSchema({ minLength: 1 }), blocks),
      when: optionalSchema(
        choiceSchema(['queue', 'steer'], { description: '`queue` waits for the running turn; `steer` is read by it.' }),
      ),
      attachments: optionalSchema(listSchema(attachmentSchema, { maxItems: 50 })),
    }),
    answer: schemaRef('Receipt'),
    status: 202,
    problems: ['draining', 'too_large'],
    run({ params, body }, { server, caller }) {
      const { id = randomUUID(), content, when, attachments = [] } = body
      const whole = addAttachmentsToPrompt(content, attachments)
      return server.hub.send(params.session, {
        id,
        content: whole,
        ...(when ? { when } : {}),
        by: personOfCaller(caller),
      })
    },
  }),
  defineOperation({
    id: 'listPrompts',
    method: 'get',
    path: '/v1/sessions/{session}/prompts',
    tag,
    scope: 'read',
    summary: 'Lists queued prompts in order.',
    answer: objectSchema({ prompts: listSchema(schemaRef('Prompt')) }),
    run: async ({ params }, { server }) => ({ prompts: await server.hub.queue(params.session) }),
  }),
  defineOperation({
    id: 'reorderPrompts',
    method: 'put',
    path: '/v1/sessions/{session}/prompts/order',
    tag,
    scope: 'prompt',
    summary: 'Reorders queued prompts.',
    body: objectSchema({ order: listSchema(callerChosenIdSchema, { maxItems: 1000, uniqueItems: true }) }),
    problems: ['prompt_not_found'],
    run: ({ params, body }, { server }) => server.hub.reorder(params.session, body.order),
  }),
  defineOperation({
    id: 'removePrompt',
    method: 'delete',
    path: '/v1/sessions/{session}/prompts/{prompt}',
    tag,
    scope: 'prompt',
    summary: 'Removes a queued prompt.',
    problems: ['prompt_not_found'],
    run: ({ params }, { server, caller }) =>
      server.hub.removePrompt(params.session, params.prompt, personOfCaller(caller)),
  }),
  defineOperation({
    id: 'interrupt',
    method: 'post',
    path: '/v1/sessions/{session}/interrupt',
    tag,
    scope: 'prompt',
    summary: 'Stops the running turn and continues with the next prompt; `all` also drops queued prompts.',
    body: objectSchema({ scope: optionalSchema(choiceSchema(['turn', 'all'])) }),
    problems: ['turn_over'],
    run: ({ params, body }, { server }) => server.hub.interrupt(params.session, body.scope ?? 'turn'),
  }),
]

type Attachment = { name: string; mediaType: string; data: string }

export function addAttachmentsToPrompt(content: string | ContentBlockParam[], attachments: readonly Attachment[]) {
  if (attachments.length === 0) return content
  const blocks: ContentBlockParam[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return [...attachments.map(toBlock), ...blocks]
}

function toBlock({ name, mediaType, data }: Attachment): ContentBlockParam {
  if (IMAGES.includes(mediaType)) {
    const media_type = mediaType as ImageMediaType // one of the four
    return { type: 'image', source: { type: 'base64', media_type, data } }
  }
  if (mediaType === 'application/pdf')
    return { type: 'document', title: name, source: { type: 'base64', media_type: mediaType, data } }
  if (!/^(text\/|application\/json$)/.test(mediaType))
    throw new HttpProblem('invalid_request', `An attachment of the type ${JSON.stringify(mediaType)} can't be sent.`)
  return { type: 'text', text: `${name}:\n${Buffer.from(data, 'base64').toString('utf8')}` }
}
