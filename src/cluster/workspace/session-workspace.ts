/**
 * Keeps a session's files so another machine can continue with them. A worker prepares them before a run, saves them
 * after it, and reports when it is done with them. A session's row describes it as a `WorkspaceSpec`.
 */

/** The name of a secret the operator gave to the machine. Never the secret itself. */
export type SecretName = string

/** Files that are gone with the machine: for sessions whose tools need none. */
export type NoneSpec = { kind: 'none' }

/** A folder of the operator's. `shared`: the same on all machines; else it is on the machine that is named. */
export type FolderSpec =
  | {
      kind: 'folder'
      /** An absolute path. */
      path: string
      /** Every machine has it, as one volume. */
      shared: true
    }
  | {
      kind: 'folder'
      /** An absolute path. */
      path: string
      /** It is on one machine only. */
      shared: false
      /** Which one: the `--machine` of its worker. */
      machine: string
    }

/** A repository: saved after every turn to a ref of the session's own. */
export type GitSpec = {
  kind: 'git'
  /** An address without user or password. */
  remote: string
  /** A branch, tag or commit to begin with; the remote's own choice if it is not said. */
  ref?: string
  /** Rebuilds what is not saved (dependencies), once on each machine: a program and its arguments. */
  setup?: readonly string[]
  /** A token for https. */
  credentials?: {
    /** As the server wants it with a token. */
    user?: string
    /** The token. */
    password: SecretName
  }
}

/** An object storage: every file once, by its hash. */
export type ArchiveSpec = {
  kind: 'archive'
  /** Address of an object storage with the S3 API. */
  endpoint: string
  /** It must be there. */
  bucket: string
  /** As in `eu-central-1`. */
  region: string
  /** What the names of all objects begin with. */
  prefix?: string
  /** Names of secrets the worker has, never the secrets. */
  credentials: {
    /** Id of the access key. */
    accessKeyId: SecretName
    /** What belongs to it. */
    secretAccessKey: SecretName
    /** For keys that run out. */
    sessionToken?: SecretName
  }
  /** Rebuilds what is not saved (dependencies), once on each machine: a program and its arguments. */
  setup?: readonly string[]
  /** Names of files and folders to leave out, besides `node_modules` and its like; `*` stands for any part of a name. */
  leaveOut?: readonly string[]
}

/** Where the files of a session are: none, a folder, a repository, or an object storage. */
export type WorkspaceSpec = NoneSpec | FolderSpec | GitSpec | ArchiveSpec
export type WorkspaceKind = WorkspaceSpec['kind']

/** A session as its worker has it: what is saved with an older `epoch` than another's does not count. */
export type WorkspaceSession = { tenant: string; session: string; epoch: number; workspace: WorkspaceSpec }

export type PreparedWorkspace = {
  cwd: string
  /**
   * What came after this entry of the transcript is not in the files (0: nothing is). Undefined: they are those the session worked
   * with last, with everything in them.
   */
  savedSeq: number | undefined
  /** What the model should know of them. */
  notes: string[]
}

export type OmittedFile = { path: string; why: string }

export type SavedWorkspace = {
  seq: number
  kind: WorkspaceKind
  /** Where it is, as its kind calls it; empty where nothing is saved. */
  ref: string
  /** Hash of the file list; for `git`, the commit id. */
  sha256: string
  /** That were written for it: what was there already is not counted. */
  bytes: number
  leftOut: OmittedFile[]
}

export interface SessionWorkspace {
  /** Rejects with `workspace_elsewhere`, `workspace_unreachable`, `workspace_lost`. */
  prepare(place: WorkspaceSession, signal?: AbortSignal): Promise<PreparedWorkspace>
  /** At the end of a stretch, when no tool runs: `seq` is the last entry it has. Rejects with `session_fenced` when overtaken. */
  save(place: WorkspaceSession, seq: number, signal?: AbortSignal): Promise<SavedWorkspace>
  /** This machine is done with it. What is kept is found again by the next `prepare` here. */
  release(place: WorkspaceSession, how: 'keep' | 'remove'): Promise<void>
  /** Removes all that was saved, everywhere, and what this machine has of it. */
  forget(place: WorkspaceSession, signal?: AbortSignal): Promise<void>
}

/** The state of a session's files: the last save, and their holder since then. */
export type WorkspaceSnapshot = {
  /** Undefined: nothing was saved yet. */
  saved: (SavedWorkspace & { epoch: number }) | undefined
  /** A mark that is on the files of the machine that worked with them last, and on no others. */
  holder: string
}

export interface SnapshotIndex {
  last(place: Pick<WorkspaceSession, 'tenant' | 'session'>): Promise<WorkspaceSnapshot | undefined>
  /** Makes the files with this mark the session's. Rejects with `session_fenced` if another worker has the session. */
  hold(place: Pick<WorkspaceSession, 'tenant' | 'session' | 'epoch'>, holder: string): Promise<void>
  /**
   * Records a save. Rejects with `session_fenced` if another worker has the session by now: then the previous save
   * stays valid.
   */
  record(place: Pick<WorkspaceSession, 'tenant' | 'session' | 'epoch'>, saved: SavedWorkspace): Promise<void>
  forget(place: Pick<WorkspaceSession, 'tenant' | 'session'>): Promise<void>
}
