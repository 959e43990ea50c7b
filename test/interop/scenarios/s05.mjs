// Partial messages: every stream event as a line, the assistant line just before its block's stop.

export const s05 = {
  title: 'thinking, text and a tool call, streamed',
  async run({ sdk, options, script, consume, canUseTool }) {
    const tools = [{ id: 'toolu_pa1', name: 'Bash', input: { command: 'echo partial' } }]
    script([{ thinking: 'Let me think.', text: 'Calling a tool.', tools }, { text: 'Partial done.' }])
    const allow = canUseTool(async (_name, updatedInput) => ({ behavior: 'allow', updatedInput }))
    const chosen = options({ maxThinkingTokens: 2000, includePartialMessages: true, canUseTool: allow })
    await consume(sdk.query({ prompt: 'Partial.', options: chosen }))
  },
}
