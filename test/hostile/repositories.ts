/** All hostile repositories, as docs/hostile-repositories.md lists them. */
import { FILE_REPOSITORIES } from './file-repositories.js'
import type { Hostile } from './hostile.js'
import { PROJECT_REPOSITORIES } from './project-repositories.js'
import { SETTINGS_REPOSITORIES } from './settings-repositories.js'

export const REPOSITORIES: readonly Hostile[] = [
  ...SETTINGS_REPOSITORIES,
  ...PROJECT_REPOSITORIES,
  ...FILE_REPOSITORIES,
]

/** The rows of the table. */
export const tableRows = REPOSITORIES.map(({ id, mechanism, would }) => `| ${id} | ${mechanism} | ${would} |`)
