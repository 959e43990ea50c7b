/** All that is known about programs, by name. */
import { COMPILER_PROGRAMS } from './build/compilers.js'
import { MAKE_PROGRAMS } from './build/make.js'
import { COMPRESSION_PROGRAMS } from './files/compressors.js'
import { COPY_PROGRAMS } from './files/copies.js'
import { EDITOR_PROGRAMS } from './files/editors.js'
import { FILE_CHANGING_PROGRAMS } from './files/file-changers.js'
import { OTHER_ARCHIVE_PROGRAMS } from './files/other-archives.js'
import { REMOVAL_PROGRAMS } from './files/rm.js'
import { TAR_PROGRAMS } from './files/tar.js'
import { XXD_PROGRAM } from './files/xxd.js'
import { ZIP_PROGRAMS } from './files/zip.js'
import { GIT_PROGRAM } from './git/git-program.js'
import { CURL_PROGRAM } from './network/curl.js'
import { RSYNC_PROGRAM } from './network/rsync.js'
import { SOCKET_PROGRAMS } from './network/sockets.js'
import { SSH_PROGRAMS } from './network/ssh.js'
import { WGET_PROGRAM } from './network/wget.js'
import { RUST_PROGRAMS } from './packages/cargo.js'
import { GO_PROGRAM } from './packages/go.js'
import { JAVASCRIPT_PROGRAMS } from './packages/javascript-tools.js'
import { NPM_PROGRAM } from './packages/npm.js'
import { OTHER_LANGUAGE_PROGRAMS } from './packages/other-languages.js'
import { PACKAGE_MANAGER_PROGRAMS } from './packages/package-managers.js'
import { PNPM_AND_YARN_PROGRAMS } from './packages/pnpm-and-yarn.js'
import { PYTHON_PROGRAMS } from './packages/python-tools.js'
import { PLAIN_PROGRAMS } from './plain-programs.js'
import type { KnownPrograms, ProgramKnowledge } from './program-knowledge.js'
import { ENV_PROGRAM } from './run-others/env.js'
import { OTHER_WRAPPER_PROGRAMS } from './run-others/other-wrappers.js'
import { USER_CHANGING_PROGRAMS } from './run-others/sudo.js'
import { TIMING_WRAPPER_PROGRAMS } from './run-others/timeout.js'
import { XARGS_PROGRAM } from './run-others/xargs.js'
import { FD_PROGRAMS } from './search/fd.js'
import { FILE_INFO_PROGRAMS } from './search/file-info.js'
import { FIND_PROGRAM } from './search/find.js'
import { GREP_PROGRAMS } from './search/grep-family.js'
import { LS_PROGRAM } from './search/ls.js'
import { RIPGREP_PROGRAMS } from './search/rg.js'
import { DATABASE_CLIENT_PROGRAMS } from './services/databases.js'
import { CONTAINER_PROGRAMS } from './services/docker.js'
import { GIT_HOSTING_PROGRAMS } from './services/hosting.js'
import { KUBERNETES_PROGRAMS } from './services/kubernetes.js'
import { SHELL_BUILTIN_PROGRAMS } from './shells/shell-builtins.js'
import { SHELL_PROGRAMS } from './shells/shells.js'
import { SYSTEM_INFO_PROGRAMS } from './system/system-info.js'
import { AWK_PROGRAMS } from './text/awk.js'
import { DIFF_PROGRAMS } from './text/diff.js'
import { JQ_PROGRAMS } from './text/jq.js'
import { PAGER_PROGRAMS } from './text/pagers.js'
import { SED_PROGRAMS } from './text/sed.js'
import { SORT_PROGRAMS } from './text/sort-and-uniq.js'
import { TEXT_READING_PROGRAMS } from './text/text-readers.js'

/** What the files of this folder know. No name stands in two of them. */
export const KNOWN_PROGRAMS: readonly KnownPrograms[] = [
  COMPILER_PROGRAMS,
  MAKE_PROGRAMS,
  COMPRESSION_PROGRAMS,
  COPY_PROGRAMS,
  EDITOR_PROGRAMS,
  FILE_CHANGING_PROGRAMS,
  OTHER_ARCHIVE_PROGRAMS,
  REMOVAL_PROGRAMS,
  TAR_PROGRAMS,
  XXD_PROGRAM,
  ZIP_PROGRAMS,
  GIT_PROGRAM,
  CURL_PROGRAM,
  RSYNC_PROGRAM,
  SOCKET_PROGRAMS,
  SSH_PROGRAMS,
  WGET_PROGRAM,
  RUST_PROGRAMS,
  GO_PROGRAM,
  JAVASCRIPT_PROGRAMS,
  NPM_PROGRAM,
  OTHER_LANGUAGE_PROGRAMS,
  PNPM_AND_YARN_PROGRAMS,
  PYTHON_PROGRAMS,
  PACKAGE_MANAGER_PROGRAMS,
  PLAIN_PROGRAMS,
  ENV_PROGRAM,
  OTHER_WRAPPER_PROGRAMS,
  USER_CHANGING_PROGRAMS,
  TIMING_WRAPPER_PROGRAMS,
  XARGS_PROGRAM,
  FD_PROGRAMS,
  FILE_INFO_PROGRAMS,
  FIND_PROGRAM,
  GREP_PROGRAMS,
  LS_PROGRAM,
  RIPGREP_PROGRAMS,
  DATABASE_CLIENT_PROGRAMS,
  CONTAINER_PROGRAMS,
  GIT_HOSTING_PROGRAMS,
  KUBERNETES_PROGRAMS,
  SHELL_BUILTIN_PROGRAMS,
  SHELL_PROGRAMS,
  SYSTEM_INFO_PROGRAMS,
  AWK_PROGRAMS,
  DIFF_PROGRAMS,
  JQ_PROGRAMS,
  PAGER_PROGRAMS,
  SED_PROGRAMS,
  SORT_PROGRAMS,
  TEXT_READING_PROGRAMS,
]

const TABLE = new Map<string, ProgramKnowledge>(KNOWN_PROGRAMS.flatMap((programs) => Object.entries(programs)))

/** Returns what is known about a program. `name` without its path; undefined if nothing is known about it. */
export function knowledgeOf(name: string): ProgramKnowledge | undefined {
  return TABLE.get(name)
}
