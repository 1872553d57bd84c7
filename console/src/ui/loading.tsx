import { translate } from '../language.ts'

/** Holds the place of what is being loaded. What follows is shown after it, so that nothing moves: see styles.css. */
export function Loading() {
  return <p class="lead pending">{translate('Loading…')}</p>
}
