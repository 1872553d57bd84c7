import { useEffect, useState } from 'preact/hooks'

/** What could not be loaded again, by the function that tries again. */
const errors = new Map<() => void, unknown>()
let notify: () => void = () => {}

/** Records that something on the page could not be loaded again; `null`: it was, or is no longer shown. */
export function setReloadError(reload: () => void, error: unknown): void {
  if (error === null && !errors.has(reload)) return
  if (error === null) errors.delete(reload)
  else errors.set(reload, error)
  notify()
}

/** The errors of everything on the page that could not be loaded again. */
export function useReloadErrors(): ReadonlyMap<() => void, unknown> {
  const [, render] = useState(0)
  useEffect(() => {
    notify = () => render((round) => round + 1)
    return () => {
      notify = () => {}
    }
  }, [])
  return errors
}
