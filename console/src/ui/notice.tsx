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
  const message = answer?.message ?? 'The server cannot be reached. Is it running?'
  return (
    <Notice kind="bad">
      <p>
        <strong>{message}</strong>
      </p>
      {answer?.details.map((detail) => (
        <p key={`${detail.pointer}${detail.code}`}>
          {detail.pointer && <code>{detail.pointer}</code>} {detail.message}
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
