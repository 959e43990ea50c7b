/** Questions of the page itself, in the browser's own dialog element: it keeps focus inside and gives it back. */
import { render } from 'preact'
import { type PageScope, PageScopeContext } from '../state/page-scope.js'
import { T } from '../texts.js'

export function askForConfirmation(scope: PageScope, title: string, text: string): Promise<boolean> {
  return openDialogForAnswer<boolean>(scope, title, false, (done) => (
    <>
      <p>{text}</p>
      <div class="buttons">
        <button type="button" class="bad" onClick={() => done(true)}>
          {title}
        </button>
        <button type="button" onClick={() => done(false)}>
          {T.cancel}
        </button>
      </div>
    </>
  ))
}

export type TextQuestion = { title: string; label: string; value: string }

export function askForText(scope: PageScope, { title, label, value }: TextQuestion): Promise<string | undefined> {
  return openDialogForAnswer<string | undefined>(scope, title, undefined, (done) => (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        done(new FormData(event.currentTarget).get('text')?.toString())
      }}
    >
      <label>
        {label}
        <input name="text" value={value} maxLength={500} />
      </label>
      <div class="buttons">
        <button type="submit" class="good">
          {T.save}
        </button>
        <button type="button" onClick={() => done(undefined)}>
          {T.cancel}
        </button>
      </div>
    </form>
  ))
}

/** What is given to `done`, or `left` when the dialog is left otherwise. */
export function openDialogForAnswer<V>(
  scope: PageScope,
  title: string,
  left: V,
  content: (done: (value: V) => void) => preact.ComponentChildren,
): Promise<V> {
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog')
    dialog.setAttribute('aria-label', title)
    const { root } = scope
    if (root instanceof Document) root.body.append(dialog)
    else root.append(dialog)
    let value = left
    const done = (given: V) => {
      value = given
      dialog.close()
    }
    // Navigation closes the dialog, even with the browser's own back button.
    const leave = () => dialog.close()
    addEventListener('hashchange', leave)
    dialog.addEventListener('close', () => {
      removeEventListener('hashchange', leave)
      render(null, dialog)
      dialog.remove()
      resolve(value)
    })
    render(
      <PageScopeContext.Provider value={scope}>
        <h2>{title}</h2>
        {content(done)}
      </PageScopeContext.Provider>,
      dialog,
    )
    dialog.showModal()
  })
}
