import type { OperatorOrder } from '@vitrine/contract/operator'
import { useId } from 'preact/hooks'
import { call } from '../../api.ts'
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
  const { data } = useCall('order-tags', () => call('listOrderTags'))
  const known = (data?.items ?? []).filter((tag) => !tags.includes(tag))
  const save = (next: readonly string[]) => {
    return run(() => call('setOrderTags', { params: { orderId: order.order.id }, body: { tags: [...next] } }))
  }
  return (
    <Section title="Tags">
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {tags.length > 0 && (
        <ul class="tags">
          {tags.map((tag) => (
            <li key={tag} class="tag">
              <Link to={`/orders?tag=${encodeURIComponent(tag)}`}>{tag}</Link>
              <button
                type="button"
                class="quiet"
                disabled={busy}
                aria-label={`Remove ${tag}`}
                onClick={() => {
                  void save(tags.filter((each) => each !== tag)).then(() =>
                    toast(`Tag removed: ${tag}`, () => void save(tags)),
                  )
                }}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        class="add-tag"
        onSubmit={(event) => {
          event.preventDefault()
          const field = event.currentTarget.elements.namedItem('tag') as HTMLInputElement
          const tag = field.value.trim()
          if (tag === '') return
          field.value = ''
          void save([...tags, tag])
        }}
      >
        <label class="hidden" for={id}>
          New tag
        </label>
        <input id={id} name="tag" list={`${id}-known`} maxLength={40} placeholder="Add a tag" autocomplete="off" />
        <datalist id={`${id}-known`}>
          {known.map((tag) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
        <button type="submit" disabled={busy}>
          Add
        </button>
      </form>
    </Section>
  )
}
