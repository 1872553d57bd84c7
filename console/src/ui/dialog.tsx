import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Asks for something before it goes on. The browser keeps the focus in it and closes it by Escape. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={title}>
      <div class="heading">
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={onClose} aria-label="Close">
          ✕
        </button>
      </div>
      {children}
    </dialog>
  )
}
