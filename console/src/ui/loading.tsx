import { translate } from '../language.ts'

/** The placeholder of content that is being loaded. Content below it is hidden until then, so that nothing moves: see styles.css. */
export function Loading() {
  return <p class="lead pending">{translate('Loading…')}</p>
}
