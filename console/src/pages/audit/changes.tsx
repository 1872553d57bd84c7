import { inWords } from '../../ui/format/text.ts'
import { momentText } from '../../ui/format/values.tsx'

type State = Readonly<Record<string, unknown>> | null

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
/** What a machine calls something; an id has figures. */
const WORD = /^[a-z]+(_[a-z]+)+$/

/** A value as somebody reads it who does not know how it is kept. */
function written(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(written).join('; ') || 'none'
  if (typeof value === 'object') return membersOf(value).join(', ') || 'none'
  const text = String(value)
  if (MOMENT.test(text)) return momentText(text)
  return WORD.test(text) ? inWords(text) : text
}

const membersOf = (value: object) => Object.entries(value).map(([name, each]) => `${inWords(name)}: ${written(each)}`)

/** What was there before and what is there now, member by member. What has stayed as it was is said once. */
export function Changes({ before, after }: { readonly before: State; readonly after: State }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return (
    <dl class="changes">
      {names.map((name) => (
        <div key={name}>
          <dt>{inWords(name)}</dt>
          <dd>
            <Change
              was={before && name in before ? written(before[name]) : null}
              is={after && name in after ? written(after[name]) : null}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Change({ was, is }: { readonly was: string | null; readonly is: string | null }) {
  if (was === is) return <>{is}</>
  return (
    <>
      {was === null ? null : <del>{was}</del>} {is === null ? null : <ins>{is}</ins>}
    </>
  )
}
