import type { ComponentChildren } from 'preact'
import { ApiError } from '../api.ts'

/** Something to know, or to mend. */
export function Notice({
  kind = 'info',
  children,
}: {
  readonly kind?: 'info' | 'bad' | 'good'
  readonly children: ComponentChildren
}) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}

/** What went wrong, whether anything happened, and the number to name when asking for help. */
export function ErrorNotice({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const answer = error instanceof ApiError ? error.answer : null
  const message = answer?.message ?? sentenceOf(error)
  return (
    <Notice kind="bad">
      <p>
        <strong>{message}</strong>
      </p>
      {answer?.details.map((detail) => (
        <p key={`${detail.pointer}${detail.code}`}>
          {detail.pointer && <code>{detail.pointer}</code>} {sentenceOfFault(detail.message)}
        </p>
      ))}
      {answer && (
        <p class="small">
          {answer.outcome === 'unknown'
            ? 'It is not known whether it happened: look before you try again. '
            : 'Nothing was changed. '}
          <code>{answer.code}</code> · <code>{answer.requestId}</code>
        </p>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </Notice>
  )
}

/** What is wrong with a value, without the expressions that machines describe forms by. */
export function sentenceOfFault(message: string): string {
  return message.includes('must match pattern') ? 'This does not have the form that is asked for.' : message
}

/** A failed `fetch` is a `TypeError` in words of the browser. */
function sentenceOf(error: unknown): string {
  const isOurs = error instanceof Error && !(error instanceof TypeError)
  return isOurs ? error.message : 'The server cannot be reached. Is it running?'
}

/** Where nothing is: what it would be, and what to do about it. */
export function Empty({
  title,
  hint,
  children,
}: {
  readonly title: string
  readonly hint: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{hint}</p>
      {children}
    </div>
  )
}
