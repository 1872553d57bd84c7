import { useEffect, useState } from 'preact/hooks'
import { translate } from '../language.ts'
import { ErrorNotice } from './notice.tsx'

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

/** Says that the page shows what was loaded before a change, wherever on the page it was made. */
export function Outdated() {
  const [, render] = useState(0)
  useEffect(() => {
    notify = () => render((round) => round + 1)
    return () => {
      notify = () => {}
    }
  }, [])
  const [error] = errors.values()
  if (error === undefined) return null
  return (
    <div class="outdated">
      <ErrorNotice
        title={translate('This page could not be updated and may be out of date.')}
        error={error}
        retry={() => {
          for (const reload of errors.keys()) reload()
        }}
      />
    </div>
  )
}
