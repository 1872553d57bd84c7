import { useContext } from 'preact/hooks'
import { translate } from '../language.ts'
import { Placeholder } from '../page.ts'
import { useReloadErrors } from './hooks/reload-errors.ts'
import { ErrorNotice } from './notice.tsx'
import { Page } from './page.tsx'

/** The placeholder of content that is being loaded. Content below it is hidden until then, so that nothing moves: see styles.css. */
export function Loading() {
  return <p class="lead pending">{translate('Loading…')}</p>
}

interface LoadingPageProps {
  readonly error: unknown
  readonly retry: () => void
}

/** A page whose record is being loaded, or could not be: then it still says what it is, and leads back. */
export function LoadingPage({ error, retry }: LoadingPageProps) {
  const placeholder = useContext(Placeholder)
  if (!error) return <Loading />
  return (
    <Page {...placeholder}>
      <ErrorNotice error={error} retry={retry} />
    </Page>
  )
}

/** Says that the page shows what was loaded before a change, wherever on the page it was made. */
export function Outdated() {
  const errors = useReloadErrors()
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
