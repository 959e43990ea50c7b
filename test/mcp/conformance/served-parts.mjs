// Contents, resources, and prompts that the conformance suite wants a server to have.
export const text = (value) => ({ type: 'text', text: value })
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
export const image = { type: 'image', data: PNG, mimeType: 'image/png' }
export const audio = {
  type: 'audio',
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=',
  mimeType: 'audio/wav',
}
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** What a handler returns to be run again, with the answers. */
export const inputRequired = (inputRequests, requestState) => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState === undefined ? {} : { requestState }),
})

export async function form(context, request) {
  const { action, content } = await context.sendRequest(request)
  return [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)]
}
const titled = (start, title) =>
  ['First', 'Second', 'Third'].map((word, n) => ({ const: `${start}${n + 1}`, title: `${word} ${title}` }))
form.defaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
}
form.enums = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: titled('value', 'Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: { type: 'array', items: { anyOf: titled('value', 'Choice') } },
}

const fixed = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
  'test://watched-resource': { mimeType: 'text/plain', text: 'It can change.' },
}
export const resources = {
  'resources/list': () => ({
    resources: Object.entries(fixed).map(([uri, { mimeType }]) => ({
      uri,
      name: uri.slice('test://'.length),
      description: `The suite reads ${uri}`,
      mimeType,
    })),
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'template',
        description: 'With an id',
        mimeType: 'application/json',
      },
    ],
  }),
  'resources/read': ({ uri }) => {
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? []
    if (id !== undefined) {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      return { contents: [{ uri, mimeType: 'application/json', text: data }] }
    }
    if (!Object.hasOwn(fixed, uri))
      throw Object.assign(new Error('Resource not found'), { code: -32602, data: { uri } })
    return { contents: [{ uri, ...fixed[uri] }] }
  },
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
}

const said = (...contents) => ({ messages: contents.map((content) => ({ role: 'user', content })) })
const argument = (name) => ({ name, description: name, required: true })
export const prompts = (wanted) => ({
  'prompts/list': () => ({
    prompts: [
      { name: 'test_simple_prompt', description: 'Simple' },
      {
        name: 'test_prompt_with_arguments',
        description: 'Arguments',
        arguments: [argument('arg1'), argument('arg2')],
      },
      {
        name: 'test_prompt_with_embedded_resource',
        description: 'A resource',
        arguments: [argument('resourceUri')],
      },
      { name: 'test_prompt_with_image', description: 'An image' },
      { name: 'test_input_required_result_prompt', description: 'Asks' },
    ],
  }),
  'prompts/get': ({ name, arguments: args = {} }, { inputResponses }) => {
    switch (name) {
      case 'test_simple_prompt':
        return said(text('This is a simple prompt for testing.'))
      case 'test_prompt_with_arguments':
        return said(text(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`))
      case 'test_prompt_with_embedded_resource': {
        const body = { mimeType: 'text/plain', text: 'Embedded resource content for testing.' }
        const resource = { type: 'resource', resource: { uri: args.resourceUri, ...body } }
        return said(resource, text('Please process the embedded resource above.'))
      }
      case 'test_prompt_with_image':
        return said(image, text('Please analyze the image above.'))
      case 'test_input_required_result_prompt': {
        const answer = inputResponses?.user_context
        return answer ? said(text(`Context: ${answer.content?.context}`)) : inputRequired(wanted)
      }
      default:
        throw Object.assign(new Error(`There is no prompt ${name}`), { code: -32602 })
    }
  },
})
