import { When } from './format/values.tsx'

interface TimelineEntry {
  readonly at: string
  readonly text: string
  readonly actor: string
}

/** A timeline, newest entry first. */
export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <ol class="timeline">
      {entries.toReversed().map((entry, index) => (
        <li key={`${entry.at}${index}`}>
          {entry.text}
          <br />
          <span class="small">
            <When at={entry.at} /> · {entry.actor}
          </span>
        </li>
      ))}
    </ol>
  )
}
