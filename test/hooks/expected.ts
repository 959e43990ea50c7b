/**
 * What each event makes of everything a hook can do (the columns: outcomes.ts), the same for callbacks of a host, commands
 * of settings and commands of plugins.
 *
 * -         it goes on as if there was no hook
 * allows, asks, defers, denies   of a tool call, a permission or an MCP server's question
 * blocks    the prompt, the end of the turn, the compaction, the change, … does not happen
 * stops     the turn ends (continue: false)
 * context   the model reads it; cut: only the beginning of it; later: with the next request
 * instructs the summary is told; path: the worktree is there
 * !         people are told that something is wrong with the hook; m: people read its message
 */
export const EXPECTED = `
event               empty text      context allow  ask    deny   defer  approve block   stop   message async exit1 exit2   quiet2  throws  signal  missing timeout garbage string  misplaced foreign hidden  huge
PreToolUse          -     -         context allows asks   denies defers allows  denies  stops  -m      -     -!    denies  denies  denies! denies! denies! denies! denies! denies! denies!   denies! denies! cut
PostToolUse         -     -         context -      -      -      -      -       context stops  -m      -     -!    context context -!      -!      -!      -!      -!      -!      -!        -!      -!      cut
PostToolUseFailure  -     -         context -      -      -      -      -       context stops  -m      -     -!    context context -!      -!      -!      -!      -!      -!      -!        -!      -!      cut
Notification        -     -         later   -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      later
UserPromptSubmit    -     context   context -      -      -      -      -       blocks  stops  -m      -     -!    blocks  blocks  -!      -!      -!      -!      -!      -!      -!        -!      -!      cut
SessionStart        -     context   context -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      cut
SessionEnd          -     -         -!      -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
Stop                -     -         blocks  -      -      -      -      -       blocks  stops  -m      -     -!    blocks  blocks  -!      -!      -!      -!      -!      -!      -!        -!      -!      blocks
SubagentStart       -     -         context -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      cut
SubagentStop        -     -         blocks  -      -      -      -      -       blocks  stops  -m      -     -!    blocks  blocks  -!      -!      -!      -!      -!      -!      -!        -!      -!      blocks
PreCompact          -     instructs -!      -      -      -      -      -       blocks  stops  -m      -     -!    blocks  blocks  -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
PermissionRequest   -     -         -!      allows -      denies -      -!      denies  denies -m      -     -!    denies  denies  -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
Setup               -     -         context -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      cut
TeammateIdle        -     -         -!      -      -      -      -      -       blocks  stops  -m      -     -!    blocks  blocks  -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
TaskCompleted       -     -         -!      -      -      -      -      -       blocks  stops  -m      -     -!    blocks  blocks  -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
ConfigChange        -     -         -!      -      -      -      -      -       blocks  -!     -m      -     -!    blocks  blocks  -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
WorktreeCreate      -     path      -!      -      -      -      -      -       blocks  -!     -m      -     -!    blocks  blocks  -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
WorktreeRemove      -     -         -!      -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
PostToolBatch       -     -         context -      -      -      -      -       context stops  -m      -     -!    context context -!      -!      -!      -!      -!      -!      -!        -!      -!      cut
StopFailure         -     -         -!      -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
PostCompact         -     -         -!      -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
PostModelSwitch     -     -         context -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      cut
PermissionDenied    -     -         -!      -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
TaskCreated         -     -         -!      -      -      -      -      -       blocks  stops  -m      -     -!    blocks  blocks  -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
Elicitation         -     -         -!      allows -      denies -      -       denies  -!     -m      -     -!    denies  denies  -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
ElicitationResult   -     -         -!      allows -      denies -      -       denies  -!     -m      -     -!    denies  denies  -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
InstructionsLoaded  -     -         -!      -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
CwdChanged          -     -         -!      -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
FileChanged         -     -         -!      -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
UserPromptExpansion -     context   context -      -      -      -      -       blocks  stops  -m      -     -!    blocks  blocks  -!      -!      -!      -!      -!      -!      -!        -!      -!      cut
PreModelSwitch      -     -         -!      -      blocks blocks -      -       blocks  -!     -m      -     -!    blocks  blocks  blocks! blocks! blocks! blocks! blocks! blocks! blocks!   blocks! blocks! -!
DirectoryAdded      -     -         -!      -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
MessageDisplay      -     -         -!      -      -      -      -      -       -!      -!     -m      -     -!    -!      -!      -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
ModelRequest        -     -         -!      -      -      -      -      -       blocks  stops  -m      -     -!    blocks  blocks  -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
ModelRetry          -     -         -!      -      -      -      -      -       blocks  stops  -m      -     -!    blocks  blocks  -!      -!      -!      -!      -!      -!      -!        -!      -!      -!
`
