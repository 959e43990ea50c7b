/** What the model reads about Bash. */

export const bashPrompt = `Runs a command line in bash and returns what it prints, stdout and stderr together in order.

- Each call starts a new shell. The working directory carries over from call to call; variables, functions and aliases do not. No start-up files are read.
- The directory must stay inside the working directories: a command that ends elsewhere is followed by a reset, and the result says so. Absolute paths save most uses of cd.
- Prefer the dedicated tools where there is one: Read instead of cat or head, Edit instead of sed, Write instead of echo with a redirect, Glob instead of find, Grep instead of grep or rg.
- Put paths with blanks in double quotes. Join commands that depend on each other with &&, and send independent ones as separate calls in one message.
- There is no terminal and no input: programs that ask questions see the end of their input. Use options such as --yes, and never open an editor or a pager.
- The command is ended after two minutes, or after the given timeout (at most ten minutes). Whatever it left running in the background ends with the call.
- Output beyond 30000 characters is shortened in the middle.
- API keys of this session are not in the environment of commands.
- Do not commit, push, or change anything outside the task unless you were asked to.`
