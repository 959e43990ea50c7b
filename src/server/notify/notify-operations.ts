/** Notifications outside the web app: webhooks for programs, and push for browsers. */
import {
  choiceSchema,
  integerSchema,
  listSchema,
  longTextSchema,
  objectSchema,
  optionalSchema,
  responseObjectSchema,
  textSchema,
} from '../api/json-schemas.js'
import { defineOperation, type Operation } from '../api/operation.js'
import { HttpProblem } from '../api/problems.js'
import { USER_NOTIFICATION_KINDS } from './user-notifications.js'

const tag = 'Notices'
const kinds = optionalSchema(
  listSchema(choiceSchema(USER_NOTIFICATION_KINDS), {
    minItems: 1,
    maxItems: USER_NOTIFICATION_KINDS.length,
    uniqueItems: true,
  }),
)
const webhook = {
  id: textSchema(),
  url: longTextSchema(),
  kinds: optionalSchema(listSchema(textSchema())),
  created: textSchema(),
}
const subscription = {
  id: textSchema(),
  endpoint: longTextSchema(),
  kinds: optionalSchema(listSchema(textSchema())),
  token: textSchema(),
  created: textSchema(),
}
const base64url = (maxLength: number) => textSchema({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+=*$' })

export const NOTIFY_OPERATIONS: Operation[] = [
  defineOperation({
    id: 'listWebhooks',
    method: 'get',
    path: '/v1/webhooks',
    tag,
    scope: 'admin',
    summary: 'Lists webhooks and their delivery state.',
    answer: responseObjectSchema({
      webhooks: listSchema(
        responseObjectSchema({
          ...webhook,
          after: integerSchema(),
          failures: integerSchema(),
          lastError: optionalSchema(longTextSchema()),
        }),
      ),
    }),
    run: async (_, { server }) => ({ webhooks: server.webhooks.list() }),
  }),
  defineOperation({
    id: 'createWebhook',
    method: 'post',
    path: '/v1/webhooks',
    tag,
    scope: 'admin',
    summary: 'Creates a webhook. The response contains its signing secret, which is never returned again.',
    body: objectSchema({ url: textSchema({ minLength: 1, maxLength: 2000 }), kinds }),
    answer: responseObjectSchema({ ...webhook, secret: textSchema() }),
    status: 201,
    run: ({ body }, { server }) => server.webhooks.add(body),
  }),
  defineOperation({
    id: 'removeWebhook',
    method: 'delete',
    path: '/v1/webhooks/{webhook}',
    tag,
    scope: 'admin',
    summary: 'Deletes a webhook.',
    problems: ['webhook_not_found'],
    async run({ params }, { server }) {
      if (!server.webhooks.remove(params.webhook))
        throw new HttpProblem('webhook_not_found', 'There is no such webhook.')
    },
  }),
  defineOperation({
    id: 'getPushKey',
    method: 'get',
    path: '/v1/push/key',
    tag,
    scope: 'read',
    summary: 'Returns the key for push subscriptions (`applicationServerKey`).',
    answer: responseObjectSchema({ publicKey: textSchema() }),
    run: async (_, { server }) => ({ publicKey: server.push.publicKey }),
  }),
  defineOperation({
    id: 'listPush',
    method: 'get',
    path: '/v1/push',
    tag,
    scope: 'read',
    summary: 'Lists your push subscriptions; with the scope `admin`, all of them.',
    answer: responseObjectSchema({ subscriptions: listSchema(responseObjectSchema(subscription)) }),
    run: async (_, { server, caller }) => ({ subscriptions: server.push.list(caller) }),
  }),
  defineOperation({
    id: 'createPush',
    method: 'post',
    path: '/v1/push',
    tag,
    scope: 'read',
    summary: 'Adds a push subscription, as `pushManager.subscribe()` returns it. It ends with its token.',
    body: objectSchema({
      endpoint: textSchema({ minLength: 1, maxLength: 2000 }),
      expirationTime: optionalSchema({ json: { type: ['number', 'null'] }, isOptional: false }),
      keys: objectSchema({ p256dh: base64url(100), auth: base64url(40) }),
      kinds,
    }),
    answer: responseObjectSchema(subscription),
    status: 201,
    run: async ({ body: { endpoint, keys, kinds: wanted } }, { server, caller }) =>
      server.push.add(caller, { endpoint, keys, ...(wanted ? { kinds: wanted } : {}) }),
  }),
  defineOperation({
    id: 'removePush',
    method: 'delete',
    path: '/v1/push/{subscription}',
    tag,
    scope: 'read',
    summary: 'Deletes a push subscription.',
    problems: ['subscription_not_found'],
    async run({ params }, { server, caller }) {
      if (!server.push.remove(caller, params.subscription))
        throw new HttpProblem('subscription_not_found', 'You have no such subscription.')
    },
  }),
]
