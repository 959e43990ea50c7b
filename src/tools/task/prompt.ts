/** What the model reads about Task. */

export type AgentSummary = { name: string; description: string }

export function taskPrompt(agents: readonly AgentSummary[]): string {
  return [
    prompt,
    ...(agents.length > 0 ? ['', 'The types of agents:'] : []),
    ...agents.map(({ name, description }) => `- ${name}: ${description}`),
  ].join('\n')
}

const prompt = `Hands a task to another agent, which works on its own and reports back once.

Use it for work that can stand apart: a search through a large code base, an independent part of a larger task, anything whose many steps would only fill this conversation. Do not use it to read a file you know, to find one definition, or for a few quick steps.

- The agent knows nothing of this conversation unless you resume it. Say in the prompt what to do, what is known, whether to change anything, and what to report.
- Its report comes to you, not to the user: pass on what matters.
- Agents started in the same message work at the same time.
- Trust what an agent reports, but check changes it made before you call them done.`
