/** What `folderTrust()` says of a folder. */
/** Whether the user trusts a folder, so that what it brings may run. */
export type FolderTrust = {
  /** Its user has said yes, and what it runs has not changed since. */
  isTrusted: boolean
  /** What counts only when it is trusted, such as `.claude/settings.json (hooks)`; empty: there is nothing to trust or not. */
  brings: string[]
  /** Of a folder that was trusted: what it runs that has changed since. */
  changed: string[]
}

/** The environment says whose folders they are. Default: `process.env`. */
export type TrustOptions = {
  /** The environment; that of the process if not said. */
  env?: { [name: string]: string | undefined }
}
