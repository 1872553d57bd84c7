import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { ApiError, NoAnswer } from '../api.ts'
import { translate, translateMessage } from '../language.ts'
import { InDialog } from './dialog.tsx'
import { type FieldLabel, FieldLabels } from './form/field-labels.ts'
import { fieldErrorText } from './form/validation-messages.ts'
import { sentenceCase } from './format/text.ts'

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

/** An error after some requests of a save have succeeded. The page keeps what they have not saved. */
export class PartlySaved extends Error {
  override readonly name = 'PartlySaved'
}

interface ErrorNoticeProps {
  /** What follows from the error, if its message does not tell. */
  readonly title?: string
  readonly error: unknown
  /** Loads again what could not be loaded. Absent for a change. */
  readonly retry?: () => void
}

/** An error: what went wrong, whether anything changed, and the request ID for support. */
export function ErrorNotice({ title, error: thrown, retry }: ErrorNoticeProps) {
  const error = thrown instanceof PartlySaved ? thrown.cause : thrown
  const response = error instanceof ApiError ? error.response : null
  const message = response ? responseMessage(response) : errorMessage(error)
  const labels = useContext(FieldLabels)
  const isInDialog = useContext(InDialog)
  return (
    <Notice kind="bad">
      <p>
        <strong>{title ?? message}</strong>
      </p>
      {title && <p>{message}</p>}
      {response && response.details.length > 0 && (
        <ul>
          {response.details.map((detail) => (
            <li key={`${detail.pointer}${detail.code}`}>
              {detail.pointer && <FieldName pointer={detail.pointer} labels={labels} />}
              {fieldErrorText(detail.message)}
            </li>
          ))}
        </ul>
      )}
      {thrown instanceof NoAnswer && (
        <p class="small">
          {thrown.next === 'repeat'
            ? translate(
                'The outcome is unknown. Send the same again: it takes effect only once. To change anything, reload the page and check first.',
              )
            : translate('The outcome is unknown. Reload the page and check before you try again.')}
        </p>
      )}
      {!retry && (response || error !== thrown) && (
        <p class="small">
          {response?.outcome === 'unknown'
            ? translate('The outcome is unknown. Check before you try again.')
            : error === thrown
              ? translate('Nothing was changed.')
              : translate('The other changes are saved. Save again to save the rest.')}
        </p>
      )}
      {response && (
        <details>
          <summary>{translate('Details for support')}</summary>
          <code>{response.code}</code> · <code>{response.requestId}</code>
        </details>
      )}
      {response?.code === 'version_conflict' && !isInDialog && (
        <button type="button" onClick={() => location.reload()}>
          {translate('Load the current version')}
        </button>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          {translate('Try again')}
        </button>
      )}
    </Notice>
  )
}

function responseMessage({ code, message }: ApiError['response']): string {
  if (code === 'validation_failed') return translate('Please fix the fields below.')
  if (code === 'version_conflict') return translate('Someone has changed this since you opened it.')
  return translateMessage(message)
}

interface FieldNameProps {
  readonly pointer: string
  readonly labels: ReadonlyMap<string, FieldLabel> | null
}

/** The label of a field, as a link to it. A field that is not on the page is shown by its name in the API. */
function FieldName({ pointer, labels }: FieldNameProps) {
  const field = labels && labelOf(pointer, labels)
  if (!field) return <>{fieldName(pointer)}: </>
  return (
    <>
      <a
        href={`#${field.id}`}
        onClick={(event) => {
          event.preventDefault()
          document.getElementById(field.id)?.focus()
        }}
      >
        {field.label}
      </a>
      {': '}
    </>
  )
}

/** The field of a pointer, or of the nearest pointer around or within it: an input may edit a list or an object. */
function labelOf(pointer: string, labels: ReadonlyMap<string, FieldLabel>): FieldLabel | undefined {
  for (let around = pointer; around !== ''; around = around.slice(0, around.lastIndexOf('/'))) {
    const field = labels.get(around)
    if (field) return field
  }
  return [...labels].find(([each]) => each.startsWith(`${pointer}/`))?.[1]
}

/** The field that a JSON pointer names: `/skus/0/name` becomes `SKUs, 1, Name`. */
function fieldName(pointer: string): string {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : sentenceCase(part))).join(', ')
}

/** A `TypeError` has a message of the browser: a part of the console could not be loaded. */
function errorMessage(error: unknown): string {
  const isOwn = error instanceof Error && !(error instanceof TypeError)
  return isOwn ? error.message : translate('The server cannot be reached. Is it running?')
}

/** An empty state: what will appear here, and how to start. */
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
