import { useEffect, useRef } from 'preact/hooks'
import { translate } from '../../language.ts'
import { guardLeaving } from '../../router.tsx'
import { ask } from '../question.tsx'

/** One function for each editor on the page: whether it has unsaved changes. */
const editors = new Set<() => boolean>()
export const isUnsaved = () => [...editors].some((isChanged) => isChanged())

/** Asks before a page with unsaved changes is left. */
guardLeaving(() => {
  if (!isUnsaved()) return null
  return ask({
    title: translate('Leave without saving?'),
    consequences: translate('The changes on this page are lost.'),
    action: translate('Leave without saving'),
    cancel: translate('Keep editing'),
  })
})

// When the tab is closed or reloaded, the browser asks.
addEventListener('beforeunload', (event) => {
  if (isUnsaved()) event.preventDefault()
})

/** Guards the page while the component is mounted and has unsaved changes. */
export function useUnsaved(isChanged: () => boolean): void {
  const latest = useRef(isChanged)
  latest.current = isChanged
  useEffect(() => {
    const editor = () => latest.current()
    editors.add(editor)
    return () => void editors.delete(editor)
  }, [])
}
