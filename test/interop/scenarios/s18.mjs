// Agent teams: a teammate that writes to its lead, and the files a team leaves.
import { allowAll } from './steps.mjs'

const TEAMS = { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' }

const call = (id, name, input, more = {}) => ({ tools: [{ id, name, input }], ...more })

export const s18 = {
  title: 'a team of one mate, who writes to its lead and ends its turn later than the lead',
  // The original never ends by itself then: what it did until some seconds after the end of its input is looked at.
  limitMs: 90_000,
  settleMs: 500,
  async run({ sdk, options, script, consume, canUseTool, user, queue, sleep }) {
    const mate = {
      description: 'Mate',
      prompt: 'LANE:mate work',
      subagent_type: 'general-purpose',
      name: 'bob',
      team_name: 'alpha',
    }
    const hello = { type: 'message', recipient: 'team-lead', content: 'hello lead', summary: 'hello' }
    // In a lane of its own: whether lead or mate asks first is chance.
    script(
      [
        call('toolu_tm1', 'TeamCreate', { team_name: 'alpha', description: 'A team' }),
        call('toolu_tm2', 'Task', mate),
        { text: 'Team launched.', delayMs: 1000 },
      ],
      { mate: [call('toolu_mt1', 'SendMessage', hello), { text: 'Mate done.', delayMs: 2500 }] },
    )
    const prompt = queue()
    prompt.push(user('Make a team.'))
    const query = sdk.query({ prompt, options: options({ env: TEAMS, canUseTool: canUseTool(allowAll) }) })
    let results = 0
    await new Promise((resolve) => {
      const ended = consume(query, async (message) => {
        if (message.type !== 'result') return
        results += 1
        if (results > 1) return
        await sleep(6000)
        prompt.end()
        sleep(8000).then(resolve)
      })
      ended.then(resolve)
    })
  },
}
