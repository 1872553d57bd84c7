import { useEffect, useRef } from 'preact/hooks'
import { translate } from '../../language.ts'
import { guardLeaving } from '../../router.tsx'
import { ask } from '../question.tsx'

/** Whether each editor on the page has changes that are not saved. */
const editors = new Set<() => boolean>()
const isUnsaved = () => [...editors].some((isChanged) => isChanged())

/** Asks before a page with changes that are not saved is left. */
guardLeaving(() => {
  if (!isUnsaved()) return null
  return ask({
    title: translate('Leave without saving?'),
    consequences: translate('The changes on this page are lost.'),
    action: translate('Leave without saving'),
    cancel: translate('Keep editing'),
  })
})

// The browser asks by itself when the tab is closed or loaded again.
addEventListener('beforeunload', (event) => {
  if (isUnsaved()) event.preventDefault()
})

/** Guards the page as long as the component is on it and has changes that are not saved. */
export function useUnsaved(isChanged: () => boolean): void {
  const latest = useRef(isChanged)
  latest.current = isChanged
  useEffect(() => {
    const editor = () => latest.current()
    editors.add(editor)
    return () => void editors.delete(editor)
  }, [])
}
