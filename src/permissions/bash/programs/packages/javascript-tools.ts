/** Node, other runtimes of JavaScript, and the tools around them. */
import { knowledgeForNames } from '../knowledge-parts.js'
import { scriptTextsOfWords } from '../option-script-texts.js'
import type { KnownPrograms } from '../program-knowledge.js'
import { NODE_VARIABLES } from './npm.js'

export const JAVASCRIPT_PROGRAMS: KnownPrograms = {
  // It prints its version before it loads anything.
  node: { looks: { version: /^(?:--version|-v)$/ }, runs: { nothing: true } },
  deno: { looks: { version: /^--version$/ }, runs: { nothing: true } },
  bun: { looks: { version: /^--version$/ }, runs: { verbs: ['x'], nothing: true } },
  tsc: { looks: { version: /^(?:--version|-v)$/ }, obeys: { variables: NODE_VARIABLES } },
  ...knowledgeForNames('npx bunx pnpx cross-env cross-env-shell zx tsx ts-node', { runs: { anyWord: 'named' } }),
  ...knowledgeForNames('concurrently npm-run-all nodemon', { runs: { texts: scriptTextsOfWords } }),
  volta: { runs: { verbs: ['run'] } },
  ...knowledgeForNames('nodenv fnm nvm lerna nx', { runs: { verbs: ['exec', 'run'] } }),
}
