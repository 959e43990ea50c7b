/** Keeps what a model was told about each call, and forgets the requests: long plays have tens of thousands of them. */
import type { ModelHandler, ModelRequest, ModelServer } from 'kedge/testing'
import { textOfResult } from './judge-cluster.js'

export function watchModel(inner: ModelHandler) {
  const told = new Map<string, Set<string>>()
  let requests: ModelRequest[] = []
  const answer: ModelHandler = (request, ...rest) => {
    requests.length = 0
    for (const { role, content } of request.body.messages) {
      if (role !== 'user' || typeof content === 'string') continue
      for (const block of content)
        if (block.type === 'tool_result')
          told.set(block.tool_use_id, (told.get(block.tool_use_id) ?? new Set()).add(textOfResult(block)))
    }
    return inner(request, ...rest)
  }
  return {
    told,
    answer,
    watches(server: ModelServer) {
      // It is the server's own list, which only it is meant to change.
      requests = server.requests as ModelRequest[]
    },
  }
}
