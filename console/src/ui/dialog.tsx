import { type ComponentChildren, createContext } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { failuresSoFar } from '../api.ts'
import { translate } from '../language.ts'
import { reloadAll } from './hooks/use-call.ts'
import { Icon } from './icon.tsx'

/** Focuses the first field or the harmless button. */
function focusFirst(within: HTMLElement | null): void {
  within?.querySelector<HTMLElement>('input, select, textarea, [data-focus]')?.focus()
}

/** The content of a dialog that is loaded after the dialog has opened. */
export function LateContent({ children }: { readonly children: ComponentChildren }) {
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => focusFirst(content.current), [])
  return <div ref={content}>{children}</div>
}

/** Whether an error is shown in a dialog. When it is closed, the page loads again what has changed. */
export const InDialog = createContext(false)

/** A modal dialog. The browser keeps the focus inside, closes it on Escape and then restores the focus. */
export function Dialog({
  title,
  class: name,
  onClose,
  children,
}: {
  readonly title: string
  readonly class?: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isRemoved = useRef(false)
  const failed = useRef(failuresSoFar())
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    // The close button comes first in the dialog.
    focusFirst(element)
    return () => {
      isRemoved.current = true
      // The browser restores the focus only if the dialog is closed before it is removed.
      element?.close()
      if (failed.current !== failuresSoFar()) reloadAll()
    }
  }, [])
  return (
    <dialog ref={dialog} class={name} onClose={() => isRemoved.current || onClose()} aria-label={title}>
      <div class="heading">
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()} aria-label={translate('Close')}>
          <Icon name="close" />
        </button>
      </div>
      <InDialog.Provider value={true}>{children}</InDialog.Provider>
    </dialog>
  )
}
