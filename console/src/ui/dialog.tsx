import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/**
 * Asks for something before it goes on. The browser keeps the focus in it and closes it by Escape; however it goes, the focus
 * is where it was before.
 */
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
    // It begins with what it asks for, not with the way out, which stands first.
    shown?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    return () => {
      isGone.current = true
      // Only one that is closed before it goes gives the focus back.
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
