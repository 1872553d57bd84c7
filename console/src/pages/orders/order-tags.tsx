import type { OperatorOrder } from '@vitrine/contract/operator'
import { useId } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'
import { Link } from '../../router.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'

/** Tags to find orders by: added with Enter, removed with their button. */
export function OrderTags({ order, onDone }: { readonly order: OperatorOrder; readonly onDone: () => void }) {
  const { tags } = order
  const { actionError, busy, run } = useAction(onDone)
  const id = useId()
  const canEdit = useMay()('setOrderTags')
  const { data } = useCall('order-tags', () => call('listOrderTags'))
  const known = (data?.items ?? []).filter((tag) => !tags.includes(tag))
  const params = { orderId: order.order.id }
  // Another operator may have changed the tags since the page was opened.
  const change = async (edit: (current: readonly string[]) => readonly string[]) => {
    const current = await call('getOrder', { params })
    await call('setOrderTags', { params, body: { tags: [...edit(current.tags)] } })
  }
  const add = (tag: string) => change((current) => [...current.filter((each) => each !== tag), tag])
  const remove = async (tag: string) => {
    await change((current) => current.filter((each) => each !== tag))
    toast(translate('Tag removed: {tag}', { tag }), () => void run(() => add(tag)))
  }
  if (tags.length === 0 && !canEdit) return null
  return (
    <Section title={translate('Tags')}>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {tags.length > 0 && (
        <ul class="tags">
          {tags.map((tag) => (
            <li key={tag} class="tag">
              <Link to={`/orders?tag=${encodeURIComponent(tag)}`}>{tag}</Link>
              {canEdit && (
                <button
                  type="button"
                  class="quiet"
                  disabled={busy}
                  aria-label={translate('Remove {tag}', { tag })}
                  onClick={() => void run(() => remove(tag))}
                >
                  ×
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {canEdit && (
        <form
          class="add-tag"
          onSubmit={(event) => {
            event.preventDefault()
            const field = event.currentTarget.elements.namedItem('tag') as HTMLInputElement
            const tag = field.value.trim()
            if (tag === '') return
            void run(async () => {
              await add(tag)
              field.value = ''
            })
          }}
        >
          <label class="hidden" for={id}>
            {translate('New tag')}
          </label>
          <input
            id={id}
            name="tag"
            list={`${id}-known`}
            maxLength={40}
            placeholder={translate('Add a tag')}
            autocomplete="off"
          />
          <datalist id={`${id}-known`}>
            {known.map((tag) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
          <button type="submit" disabled={busy}>
            {translate('Add')}
          </button>
        </form>
      )}
    </Section>
  )
}
