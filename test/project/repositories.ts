/** All hostile repositories, as docs/hostile-repositories.md lists them. */
import { FILE_REPOSITORIES } from './file-repositories.js'
import { GIT_REPOSITORIES } from './git-repositories.js'
import type { Hostile } from './hostile.js'
import { PROJECT_REPOSITORIES } from './project-repositories.js'
import { SETTINGS_REPOSITORIES } from './settings-repositories.js'
import { TOOL_REPOSITORIES } from './tool-repositories.js'

/** They act when they are opened, if at all. */
export const REPOSITORIES: readonly Hostile[] = [
  ...SETTINGS_REPOSITORIES,
  ...PROJECT_REPOSITORIES,
  ...FILE_REPOSITORIES,
]

/** And those that wait for what a user, or a model, does next. */
export const ALL_REPOSITORIES: readonly Hostile[] = [...REPOSITORIES, ...GIT_REPOSITORIES, ...TOOL_REPOSITORIES]

/** The rows of the table. */
export const tableRows = ALL_REPOSITORIES.map(({ id, mechanism, would }) => `| ${id} | ${mechanism} | ${would} |`)
