/** What the model reads about SendMessage. */

export const sendMessagePrompt = `Writes to members of your team. What you say in your turn is seen by nobody else: only this reaches them.

- message: to one member. recipient is its name ("team-lead" for the lead), summary says in a few words what it is about.
- broadcast: to all other members. Each of them spends a turn on it, so write to one where one is enough.
- shutdown_request: asks a member to end. It may refuse; you get its answer as a message.
- shutdown_response: your answer to such a request, with its requestId as request_id. With approve true you end once your turn is over; with approve false say in content why you must go on.
- plan_approval_response: the lead's answer to a plan_approval_request, with its requestId as request_id. With approve false say in content what should change.

Messages for you come by themselves, as <teammate-message>, when your turn is over: do not look for them.`
