// All scenarios by id, in the order they are run, each with the file it comes from.
import * as f from './f.mjs'
import * as options from './f-options.mjs'
import * as s01 from './s01.mjs'
import * as s02 from './s02.mjs'
import * as s03 from './s03.mjs'
import * as s04 from './s04.mjs'
import * as commands from './s04-commands.mjs'
import * as s05 from './s05.mjs'
import * as s06 from './s06.mjs'
import * as s07 from './s07.mjs'
import * as s08 from './s08.mjs'
import * as s09 from './s09.mjs'
import * as s10 from './s10.mjs'
import * as s11 from './s11.mjs'
import * as s12 from './s12.mjs'
import * as s13 from './s13.mjs'
import * as s14 from './s14.mjs'
import * as s15 from './s15.mjs'
import * as s16 from './s16.mjs'
import * as s17 from './s17.mjs'
import * as plugins from './s17-plugins.mjs'
import * as s18 from './s18.mjs'
import * as bash from './t-bash.mjs'
import * as files from './t-files.mjs'
import * as more from './t-more.mjs'
import * as search from './t-search.mjs'

const sessions = { s01, s02, s03, s04, s05, s06, s07, s08, s09, s10, s11, s12, s13, s14, s15, s16, s17, s18 }
const tools = { 't-bash': bash, 't-files': files, 't-search': search, 't-more': more }
const families = { ...sessions, 's04-commands': commands, 's17-plugins': plugins, ...tools, f, 'f-options': options }

/**
 * @typedef {object} Scenario
 * @property {string} title
 * @property {string} file
 * @property {'sdk' | 'cli'} [half] the half under test, when it is only one
 * @property {false} [inProcess] false when the scenario needs a process
 * @property {true} [fakeCli] the CLI is fake-cli.mjs
 * @property {string[]} [not] releases that it can not be run with
 * @property {string[]} [own] texts that must survive inside prose
 * @property {Record<string, string>} [elsewhere] texts of a recording made elsewhere and what they are here
 * @property {true} [linesInAnyOrder] the lines of tool results come in any order
 * @property {number} [limitMs] how long the whole scenario may take (a minute)
 * @property {number} [settleMs] how long to wait for the CLI to end after the scenario
 * @property {true} [racyExit] a signal and the end of input race: the exit code may differ
 * @property {(stage: object) => Promise<void>} run
 */

/** @type {Record<string, Scenario>} */
export const scenarios = Object.fromEntries(
  Object.entries(families).flatMap(([name, family]) =>
    Object.entries(family).map(([id, scenario]) => [id, { ...scenario, file: `scenarios/${name}.mjs` }]),
  ),
)

/** Scenarios of which recordings made elsewhere exist: these are run with every release of the original. */
export const recorded = [
  ...['s01', 's01c', 's01d', 's02', 's02b', 's02d', 's03', 's03b', 's03c', 's03e', 's04', 's04b', 's04e', 's05'],
  ...['s06', 's06b', 's06c', 's06d', 's07', 's07c', 's07d', 's07j', 's08', 's09', 's09c', 's10', 's11', 's11b', 's12'],
  ...['s13', 's13b', 's14', 's15', 's16', 's16b', 's17', 's18', 'f02', 'f04', 'f05'],
]
