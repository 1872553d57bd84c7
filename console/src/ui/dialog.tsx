import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A modal dialog. The browser keeps the focus inside, closes it on Escape and then restores the focus. */
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
  const isGone = useRef(false)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // Focus the first field, not the close button, which comes first.
    shown?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    return () => {
      isGone.current = true
      // The browser restores the focus only if the dialog is closed before it is removed.
      shown?.close()
    }
  }, [])
  return (
    <dialog ref={dialog} onClose={() => isGone.current || onClose()} aria-label={title}>
      <div class="heading">
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()} aria-label="Close">
          ✕
        </button>
      </div>
      {children}
    </dialog>
  )
}
