type State = Readonly<Record<string, unknown>> | null

const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** What was there before and what is there now, member by member. */
export function Changes({ before, after }: { readonly before: State; readonly after: State }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return (
    <dl class="changes">
      {names.map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {before && name in before ? <del>{written(before[name])}</del> : null}{' '}
            {after && name in after ? <ins>{written(after[name])}</ins> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}
