/** The sign-in view, with the server's link or its token. */
import { useSignal } from '@preact/signals'
import { messageOf } from '../../src/protocol/thrown.js'
import { Icon } from '../parts/icons.js'
import { serverClient } from '../state/server.js'
import { T } from '../texts.js'

export function SignIn() {
  const problem = useSignal('')
  const submit = async (event: Event & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const token = new FormData(event.currentTarget).get('token')?.toString().trim() ?? ''
    try {
      await serverClient.signIn(token)
      location.reload()
    } catch (error) {
      problem.value = messageOf(error)
    }
  }
  return (
    <main class="sign-in">
      <Icon name="anchor" />
      <h1>{T.name}</h1>
      <p>{T.signInText}</p>
      <form onSubmit={(event) => void submit(event)}>
        <label>
          {T.token}
          <input type="password" name="token" required autocomplete="current-password" />
        </label>
        {problem.value !== '' && (
          <p role="alert" class="bad">
            {problem.value}
          </p>
        )}
        <button type="submit" class="good">
          {T.signIn}
        </button>
      </form>
    </main>
  )
}
