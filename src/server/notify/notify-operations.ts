/** Notifications outside the web app: webhooks for programs, and push for browsers. */
import {
  choice,
  integer,
  listSchema,
  longText,
  object,
  optional,
  responseObject,
  textSchema,
} from '../api/json-schemas.js'
import { type Operation, operation } from '../api/operation.js'
import { HttpProblem } from '../api/problems.js'
import { PUSH_NOTICE_KINDS } from './session-notices.js'

const tag = 'Notices'
const kinds = optional(
  listSchema(choice(PUSH_NOTICE_KINDS), { minItems: 1, maxItems: PUSH_NOTICE_KINDS.length, uniqueItems: true }),
)
const webhook = { id: textSchema(), url: longText(), kinds: optional(listSchema(textSchema())), created: textSchema() }
const subscription = {
  id: textSchema(),
  endpoint: longText(),
  kinds: optional(listSchema(textSchema())),
  token: textSchema(),
  created: textSchema(),
}
const base64url = (maxLength: number) => textSchema({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+=*$' })

export const NOTIFY_OPERATIONS: Operation[] = [
  operation({
    id: 'listWebhooks',
    method: 'get',
    path: '/v1/webhooks',
    tag,
    scope: 'admin',
    summary: 'Addresses that are told, and how that goes.',
    answer: responseObject({
      webhooks: listSchema(
        responseObject({ ...webhook, after: integer(), failures: integer(), lastError: optional(longText()) }),
      ),
    }),
    run: async (_, { server }) => ({ webhooks: server.webhooks.list() }),
  }),
  operation({
    id: 'createWebhook',
    method: 'post',
    path: '/v1/webhooks',
    tag,
    scope: 'admin',
    summary: 'Tells an address from now on; what comes is signed with the secret, which is told this once.',
    body: object({ url: textSchema({ minLength: 1, maxLength: 2000 }), kinds }),
    answer: responseObject({ ...webhook, secret: textSchema() }),
    status: 201,
    run: ({ body }, { server }) => server.webhooks.add(body),
  }),
  operation({
    id: 'removeWebhook',
    method: 'delete',
    path: '/v1/webhooks/{webhook}',
    tag,
    scope: 'admin',
    summary: 'Tells it nothing any more.',
    problems: ['webhook_not_found'],
    async run({ params }, { server }) {
      if (!server.webhooks.remove(params.webhook))
        throw new HttpProblem('webhook_not_found', 'There is no such webhook.')
    },
  }),
  operation({
    id: 'getPushKey',
    method: 'get',
    path: '/v1/push/key',
    tag,
    scope: 'read',
    summary: 'The key a browser subscribes with (`applicationServerKey`).',
    answer: responseObject({ publicKey: textSchema() }),
    run: async (_, { server }) => ({ publicKey: server.push.publicKey }),
  }),
  operation({
    id: 'listPush',
    method: 'get',
    path: '/v1/push',
    tag,
    scope: 'read',
    summary: 'Your subscriptions; with the scope admin, those of all.',
    answer: responseObject({ subscriptions: listSchema(responseObject(subscription)) }),
    run: async (_, { server, caller }) => ({ subscriptions: server.push.list(caller) }),
  }),
  operation({
    id: 'createPush',
    method: 'post',
    path: '/v1/push',
    tag,
    scope: 'read',
    summary: 'Takes the subscription of a browser, as `pushManager.subscribe()` gives it. It ends with the token.',
    body: object({
      endpoint: textSchema({ minLength: 1, maxLength: 2000 }),
      expirationTime: optional({ json: { type: ['number', 'null'] }, isOptional: false }),
      keys: object({ p256dh: base64url(100), auth: base64url(40) }),
      kinds,
    }),
    answer: responseObject(subscription),
    status: 201,
    run: async ({ body: { endpoint, keys, kinds: wanted } }, { server, caller }) =>
      server.push.add(caller, { endpoint, keys, ...(wanted ? { kinds: wanted } : {}) }),
  }),
  operation({
    id: 'removePush',
    method: 'delete',
    path: '/v1/push/{subscription}',
    tag,
    scope: 'read',
    summary: 'Tells that browser nothing any more.',
    problems: ['subscription_not_found'],
    async run({ params }, { server, caller }) {
      if (!server.push.remove(caller, params.subscription))
        throw new HttpProblem('subscription_not_found', 'There is no such subscription of yours.')
    },
  }),
]
