import type { ComponentChildren } from 'preact'
import { ApiError } from '../api.ts'
import { asSentence } from './format/text.ts'

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

/** Whoever fills in a form has no contract to look at. */
function messageOf({ code, message }: ApiError['answer']): string {
  return code === 'validation_failed' ? 'Something in it cannot be taken as it is.' : message
}

/** A place in what was sent, as the field is called that it came from: `/skus/0/name` is `skus, 1, name`. */
function placeOf(pointer: string): string {
  const parts = pointer.split('/').slice(1)
  return asSentence(parts.map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part)).join(', '))
}

/** How machines describe what is wrong, and how people do. */
const FAULTS: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/must match pattern/, 'This does not have the form that is asked for.'],
  [/must match format "email"/, 'This is no e-mail address.'],
  [/must match format "ur[il]"/, 'This is no address of a page: it begins with https://.'],
  [/must match format/, 'This does not have the form that is asked for.'],
  [/must not have fewer than 1 (?:characters|items|properties)/, 'This is needed.'],
  [/ is required\.$/, 'This is needed.'],
  [/must be (?:integer|number)/, 'This has to be a number.'],
]

/** What is wrong with a value, without the expressions that machines describe forms by. */
export function sentenceOfFault(message: string): string {
  return FAULTS.find(([pattern]) => pattern.test(message))?.[1] ?? message
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
