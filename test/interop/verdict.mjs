// What a run with one half of ours is measured by. Kedge's CLI has the behavior of one release (`base`), and so has its SDK;
// the other half may be of another release. So the reference is that half with the original of `base` in our place. Where
// ours differs from it but does what the other release itself does (`native`: both halves of it), it is taken over from
// there; what that release needs (`needed`) must be as there.
import { compareRuns } from './compare.mjs'
import { explain, globs } from './differences.mjs'
import { normalize } from './normalize.mjs'

/** By pair and release: places in which its half must find what it has at home, not what `base` does. */
const needed = {
  'A 0.3.325': globs(['stdout*/system:session_state_changed**', 'stdout*/control_request:mcp_message**']),
}

/**
 * @returns {{unexplained: object[], explained: object[], adopted: object[]}} differences nobody decided, those with an
 *   entry in differences.json, and those that are as in the other release
 */
export function judge({ scenario, id, pair, version, reference, native, observed, entries }) {
  const channels = pair === 'D' ? (name) => !/^(spawn|stdin|stdout|stderr|end|verbatim)/.test(name) : undefined
  const ours = normalize(observed, scenario)
  const found = compareRuns(normalize(reference, scenario), ours, { channels })
  if (native === undefined) return { ...explain(found, { scenario: id, pair, version }, entries), adopted: [] }
  const foreign = compareRuns(normalize(native, scenario), ours, { channels })
  const isAdopted = (difference) => !foreign.some((other) => concerns(other, difference))
  const isNeeded = ({ path }) => (needed[`${pair} ${version}`] ?? []).some((place) => place.test(path))
  const asked = [...found.filter((difference) => !isNeeded(difference)), ...foreign.filter(isNeeded)]
  const adopted = asked.filter((difference) => !isNeeded(difference) && isAdopted(difference))
  const rest = asked.filter((difference) => !adopted.includes(difference))
  return { ...explain(rest, { scenario: id, pair, version }, entries), adopted }
}

/** Whether both say that the same place of our run is not as it should be; a line that is not there is known by its kind. */
function concerns(other, { path, kind, at }) {
  if (at === undefined) return other.at === undefined && other.path === path && other.kind === kind
  const channel = path.split('/')[0]
  return other.at === at && other.path.split('/')[0] === channel && `${path}/`.startsWith(`${other.path}/`)
}
