/** What `kedge eval --help` prints. */
export const EVAL_HELP = `kedge eval: try an agent on tasks, and see what it takes

  kedge eval init FOLDER       make a small task to start from
  kedge eval run FOLDER…       run the tasks in these folders; print a table, write a report
  kedge eval list FOLDER…      list the tasks
  kedge eval report RESULTS    show a run again: --json FILE, --junit FILE, --html FILE
  kedge eval diff A B          compare two runs; --fail: exit code 1 if a pass rate fell
  kedge eval hand …            answer model requests yourself (hand --help)

Run
  --model NAME          a model, "practice", mind:capable, mind:sloppy, mind:small, mind:hostile, or
                        recording:PATH; can be repeated
  --by-hand             be the model yourself: type the answers
  --hand-folder FOLDER  be the model yourself: requests and answers are files in this folder
  --variant FILE        a JSON file with options, prompt, environment or command to try; can be repeated
  --interface NAME      library, text, json, stream-json or server, instead of each task's own
  --only TEXT           run only tasks whose name contains this; can be repeated
  --repeat N            try each task this often (default: 1)
  --jobs N              run this many trials at a time (default: 2)
  --max-cost DOLLARS    start no trial after spending this much
  --max-tokens N        start no trial after using this many tokens
  --max-minutes N       start no trial after this long
  --out FOLDER          results folder (default: eval-results/ and the time); finished trials aren't repeated
  --keep                keep the folders the agents worked in
  --fail-under PERCENT  exit code 1 only if fewer trials pass (default: 100)
  --json, --junit, --html FILE
                        write the results here, too

Exit codes
  0  enough trials passed
  1  too few passed
  2  the command line or a task can't be used
  3  a budget ran out, or the run was stopped, before all trials ended

The page docs/evaluate.md is a tutorial, docs/eval-reference.md has every field.
`

export const HAND_HELP = `kedge eval hand: answer model requests yourself, from a folder of files

  kedge eval hand serve FOLDER        start an endpoint; prints the variables that lead an agent to it
  kedge eval hand next FOLDER         wait for requests without an answer, and print them (--wait SECONDS, default: 60)
  kedge eval hand reply FOLDER N      answer request N with the text on stdin
  kedge eval hand step FOLDER N       reply, then next

An answer is text, and a line \`> Tool {"input": …}\` for each tool call.
`
