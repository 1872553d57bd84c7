import { useEffect, useState } from 'preact/hooks'
import { translate } from '../language.ts'
import { Icon } from './icon.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  /** Reverses what was done. */
  readonly undo?: () => void
}

/** Long enough to read it and to reach the button. */
const SHOWN_MS = 8000

let toasts: readonly Toast[] = []
let lastId = 0
let notify: () => void = () => {}

function set(next: readonly Toast[]): void {
  toasts = next
  notify()
}

/** Shows what was done, with a button to undo it if that is possible. */
export function toast(text: string, undo?: () => void): void {
  lastId += 1
  const id = lastId
  set([...toasts.slice(-2), { id, text, ...(undo && { undo }) }])
  setTimeout(() => set(toasts.filter((each) => each.id !== id)), SHOWN_MS)
}

/** Renders the toasts. Screen readers read them when they appear. */
export function Toasts() {
  const [, render] = useState(0)
  useEffect(() => {
    notify = () => render((round) => round + 1)
    return () => {
      notify = () => {}
    }
  }, [])
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, undo }) => (
        <div key={id} class="toast">
          <span>{text}</span>
          {undo && (
            <button
              type="button"
              onClick={() => {
                set(toasts.filter((each) => each.id !== id))
                undo()
              }}
            >
              {translate('Undo')}
            </button>
          )}
          <button
            type="button"
            aria-label={translate('Dismiss')}
            onClick={() => set(toasts.filter((each) => each.id !== id))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}
