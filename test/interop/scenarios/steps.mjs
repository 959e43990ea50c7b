// What scenarios have in common: answers that call one tool each, the usual permission callback, ids of background tasks.

export const allowAll = async (_name, updatedInput) => ({ behavior: 'allow', updatedInput })

/** A script that makes these calls one after another, `[name, input]` each, and then says it is done. */
export function oneByOne(...calls) {
  const steps = calls.map((call, index) => {
    const id = `toolu_${index + 1}`
    if (typeof call !== 'function') return { tools: [{ id, name: call[0], input: call[1] }] }
    return (body) => {
      const [name, input] = call(body)
      return { tools: [{ id, name, input }] }
    }
  })
  return [...steps, { text: 'Done.' }]
}

/** The ids of background tasks, in the order the model was told about them. */
export function taskIds(body) {
  const ids = JSON.stringify(body.messages).matchAll(/background with ID: (\w+)/g)
  return [...new Set([...ids].map(([, id]) => id))]
}

/** A scenario: these calls one after another, everything allowed. `prepare` gets the stage first. */
export function calls(title, list, { prepare = () => {}, chosen = {}, ...more } = {}) {
  return {
    title,
    ...more,
    async run(stage) {
      const { sdk, options, script, consume, canUseTool } = stage
      const extra = (await prepare(stage)) ?? {}
      script(oneByOne(...list(stage)))
      const all = options({ canUseTool: canUseTool(allowAll), ...chosen, ...extra })
      await consume(sdk.query({ prompt: 'Go.', options: all }))
    },
  }
}

/** Kedge asks for a summary with the prompt and tools of the session, the original with less. */
export const isSummaryRequest = (body) =>
  body.max_tokens === 20_000 ||
  JSON.stringify(body.messages.at(-1)).includes('Write a summary of this conversation so far')
