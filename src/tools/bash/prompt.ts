/** What the model reads about Bash. */

export const bashPrompt = `Runs a command line in bash and returns what it prints, stdout and stderr together in order.

- Each call starts a new shell. The working directory carries over from call to call; variables, functions and aliases do not. No start-up files are read, but what the user's login shell exports is set.
- The directory must stay inside the working directories: a command that ends elsewhere is followed by a reset, and the result says so. Absolute paths save most uses of cd.
- Prefer the dedicated tools where there is one: Read instead of cat or head, Edit instead of sed, Write instead of echo with a redirect, Glob instead of find, Grep instead of grep or rg.
- Put paths with blanks in double quotes. Join commands that depend on each other with &&, and send independent ones as separate calls in one message.
- There is no terminal and no input: programs that ask questions see the end of their input. Use options such as --yes, and never open an editor or a pager.
- A command is waited for two minutes, or for the given timeout (at most ten minutes); one that takes longer goes on in the background as a task.
- Use run_in_background for what runs long or for ever, such as servers and watchers; no & is needed. You get a task id and a file that fills with the output, and you are told when the task ends. Do not wait for it with sleep.
- Processes that a command leaves running with & stay until the session ends; what they print later is lost.
- Output beyond 30000 characters is shortened in the middle; the result then names a file that holds all of it.
- A command whose whole output is an image (its bytes, or a data URL) shows you that image.
- API keys of this session are not in the environment of commands.
- Do not commit, push, or change anything outside the task unless you were asked to.`
