import { translate } from '../../language.ts'
import { sentenceCase } from '../../ui/format/text.ts'
import { formatDateTime } from '../../ui/format/values.tsx'

type State = Readonly<Record<string, unknown>> | null

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
/** An identifier such as `in_review`; IDs contain digits. */
const WORD = /^[a-z]+(_[a-z]+)+$/
/** Fields whose values are words of the API. Elsewhere a single word may be a name, such as that of a store. */
const OF_WORDS = /status$|^(role|state|mode|environment|outcome|undo|proof|match)$/i

/** A stored value as text. */
function textOf(value: unknown, name: string): string {
  if (value === null || value === undefined || value === '') return translate('empty')
  if (typeof value === 'boolean') return value ? translate('yes') : translate('no')
  if (Array.isArray(value)) return value.map((each) => textOf(each, name)).join('; ') || translate('none')
  if (typeof value === 'object') return membersOf(value).join(', ') || translate('none')
  const text = String(value)
  if (MOMENT.test(text)) return formatDateTime(text)
  return WORD.test(text) || (OF_WORDS.test(name) && /^[a-z]+$/.test(text)) ? sentenceCase(text) : text
}

const membersOf = (value: object) =>
  Object.entries(value).map(([name, each]) => `${sentenceCase(name)}: ${textOf(each, name)}`)

/** The values before and after a change, field by field. Unchanged values appear once. */
export function Changes({ before, after }: { readonly before: State; readonly after: State }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return (
    <dl class="changes">
      {names.map((name) => (
        <div key={name}>
          <dt>{sentenceCase(name)}</dt>
          <dd>
            <Change
              was={before && name in before ? textOf(before[name], name) : null}
              is={after && name in after ? textOf(after[name], name) : null}
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
