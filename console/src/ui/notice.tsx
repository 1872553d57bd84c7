import type { ComponentChildren } from 'preact'
import { ApiError } from '../api.ts'
import { asSentence } from './format/text.ts'

/** A message: information, success or error. */
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

/** An error: what went wrong, whether anything changed, and the request ID for support. */
export function ErrorNotice({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const answer = error instanceof ApiError ? error.answer : null
  const message = answer ? messageOf(answer) : sentenceOf(error)
  return (
    <Notice kind="bad">
      <p>
        <strong>{message}</strong>
      </p>
      {answer?.details.map((detail) => (
        <p key={`${detail.pointer}${detail.code}`}>
          {detail.pointer && `${placeOf(detail.pointer)}: `}
          {sentenceOfFault(detail.message)}
        </p>
      ))}
      {answer && (
        <p class="small">
          {answer.outcome === 'unknown'
            ? 'The outcome is unknown. Check before you try again. '
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

function messageOf({ code, message }: ApiError['answer']): string {
  return code === 'validation_failed' ? 'Please fix the fields below.' : message
}

/** The field that a JSON pointer names: `/skus/0/name` becomes `Skus, 1, name`. */
function placeOf(pointer: string): string {
  const parts = pointer.split('/').slice(1)
  return asSentence(parts.map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part)).join(', '))
}

/** Plain words for the messages of schema validation. */
const FAULTS: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/must match pattern/, 'Invalid format.'],
  [/must match format "email"/, 'Enter a valid email address.'],
  [/must match format "ur[il]"/, 'Enter a valid URL, starting with https://.'],
  [/must match format/, 'Invalid format.'],
  [/must not have fewer than 1 (?:characters|items|properties)/, 'Required.'],
  [/ is required\.$/, 'Required.'],
  [/must be (?:integer|number)/, 'Enter a number.'],
]

/** What is wrong with a value, in plain words instead of schema terms. */
export function sentenceOfFault(message: string): string {
  return FAULTS.find(([pattern]) => pattern.test(message))?.[1] ?? message
}

/** A failed `fetch` is a `TypeError` with a message of the browser. */
function sentenceOf(error: unknown): string {
  const isOurs = error instanceof Error && !(error instanceof TypeError)
  return isOurs ? error.message : 'The server cannot be reached. Is it running?'
}

/** An empty state: what would be here, and what to do about it. */
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
