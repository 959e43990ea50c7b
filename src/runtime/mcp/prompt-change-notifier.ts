/** What the host knows of the prompts there are. Of a server that it switched it is told behind the answer, as in 0.3. */
import { nextEventLoopTurn } from '../../platform/yield-to-event-loop.js'

export function createPromptChangeNotifier(names: () => string[]) {
  const now = () => names().join('\n')
  let told: string | undefined
  let unanswered = 0
  let telling = () => {}
  const look = () => {
    if (told === undefined || told === now()) return
    told = now()
    telling()
  }
  return {
    /** It is being told of all; before, it need not be told of a change. */
    begin() {
      told = now()
    },
    /** That all are gone when a session ends isn't new. */
    end() {
      told = undefined
    },
    tell(how: () => void) {
      telling = how
      if (unanswered === 0) look()
    },
    /** The answer goes out before the loop goes round. */
    async answered<Answer>(work: () => Promise<Answer>): Promise<Answer> {
      unanswered += 1
      try {
        return await work()
      } finally {
        void nextEventLoopTurn().then(() => {
          unanswered -= 1
          look()
        })
      }
    },
  }
}
