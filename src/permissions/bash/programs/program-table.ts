/** All that is known about programs, by name. */
import { COMPILERS } from './build/compilers.js'
import { MAKE_PROGRAMS } from './build/make.js'
import { COMPRESSORS } from './files/compressors.js'
import { COPY_PROGRAMS } from './files/copies.js'
import { EDITORS } from './files/editors.js'
import { FILE_CHANGERS } from './files/file-changers.js'
import { OTHER_ARCHIVES } from './files/other-archives.js'
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
import { JAVASCRIPT_TOOLS } from './packages/javascript-tools.js'
import { NPM_PROGRAM } from './packages/npm.js'
import { OTHER_LANGUAGES } from './packages/other-languages.js'
import { PNPM_AND_YARN } from './packages/pnpm-and-yarn.js'
import { PYTHON_TOOLS } from './packages/python-tools.js'
import { SYSTEM_PACKAGES } from './packages/system-packages.js'
import { PLAIN_PROGRAMS } from './plain-programs.js'
import type { KnownPrograms, ProgramKnowledge } from './program-knowledge.js'
import { ENV_PROGRAM } from './run-others/env.js'
import { OTHER_WRAPPERS } from './run-others/other-wrappers.js'
import { USER_CHANGERS } from './run-others/sudo.js'
import { TIMING_WRAPPERS } from './run-others/timeout.js'
import { XARGS_PROGRAM } from './run-others/xargs.js'
import { FD_PROGRAMS } from './search/fd.js'
import { FILE_INFO_PROGRAMS } from './search/file-facts.js'
import { FIND_PROGRAM } from './search/find.js'
import { GREP_PROGRAMS } from './search/grep-family.js'
import { LS_PROGRAM } from './search/ls.js'
import { RIPGREP_PROGRAMS } from './search/rg.js'
import { DATABASE_CLIENTS } from './services/databases.js'
import { CONTAINER_PROGRAMS } from './services/docker.js'
import { HOSTING_PROGRAMS } from './services/hosting.js'
import { KUBERNETES_PROGRAMS } from './services/kubernetes.js'
import { SHELL_BUILTINS } from './shells/shell-builtins.js'
import { SHELLS } from './shells/shells.js'
import { SYSTEM_INFO_PROGRAMS } from './system/system-facts.js'
import { AWK_PROGRAMS } from './text/awk.js'
import { DIFF_PROGRAMS } from './text/diff.js'
import { JQ_PROGRAMS } from './text/jq.js'
import { PAGERS } from './text/pagers.js'
import { SED_PROGRAMS } from './text/sed.js'
import { SORT_PROGRAMS } from './text/sort-and-uniq.js'
import { TEXT_READERS } from './text/text-readers.js'

/** What the files of this folder know. No name stands in two of them. */
export const KNOWN_PROGRAMS: readonly KnownPrograms[] = [
  COMPILERS,
  MAKE_PROGRAMS,
  COMPRESSORS,
  COPY_PROGRAMS,
  EDITORS,
  FILE_CHANGERS,
  OTHER_ARCHIVES,
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
  JAVASCRIPT_TOOLS,
  NPM_PROGRAM,
  OTHER_LANGUAGES,
  PNPM_AND_YARN,
  PYTHON_TOOLS,
  SYSTEM_PACKAGES,
  PLAIN_PROGRAMS,
  ENV_PROGRAM,
  OTHER_WRAPPERS,
  USER_CHANGERS,
  TIMING_WRAPPERS,
  XARGS_PROGRAM,
  FD_PROGRAMS,
  FILE_INFO_PROGRAMS,
  FIND_PROGRAM,
  GREP_PROGRAMS,
  LS_PROGRAM,
  RIPGREP_PROGRAMS,
  DATABASE_CLIENTS,
  CONTAINER_PROGRAMS,
  HOSTING_PROGRAMS,
  KUBERNETES_PROGRAMS,
  SHELL_BUILTINS,
  SHELLS,
  SYSTEM_INFO_PROGRAMS,
  AWK_PROGRAMS,
  DIFF_PROGRAMS,
  JQ_PROGRAMS,
  PAGERS,
  SED_PROGRAMS,
  SORT_PROGRAMS,
  TEXT_READERS,
]

const TABLE = new Map<string, ProgramKnowledge>(KNOWN_PROGRAMS.flatMap((programs) => Object.entries(programs)))

/** Returns what is known about a program. `name` without its path; undefined if nothing is known about it. */
export function knowledgeOf(name: string): ProgramKnowledge | undefined {
  return TABLE.get(name)
}
