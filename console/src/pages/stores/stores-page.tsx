import type { OperatorStore } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { go } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { Count, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ProfileFields, profileIn } from './profile-fields.tsx'

const columns: readonly Column<OperatorStore>[] = [
  { title: 'Store', show: ({ name }) => name },
  { title: 'Slug', show: ({ slug }) => <code>{slug}</code> },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Entered by', show: ({ accessMode }) => accessMode },
  { title: 'Sells in', show: ({ currencies }) => currencies.join(', ') },
  { title: 'Products', figure: true, show: ({ productCount }) => <Count value={productCount} /> },
]

/** Who sells. */
export function StoresPage() {
  const [opening, setOpening] = useState(false)
  const open = (
    <button type="button" class="primary" onClick={() => setOpening(true)}>
      Open a store
    </button>
  )
  return (
    <>
      <ListPage
        title="Stores"
        lead="Who sells: where, in what languages and currencies, and behind which door."
        actions={open}
        load={(query) => call('listStores', { query })}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ slug }) => `/stores/${slug}`}
        empty={{ title: 'There is no store yet', hint: 'Open the first one, then import its products.', action: open }}
      />
      {opening && (
        <Dialog title="Open a store" onClose={() => setOpening(false)}>
          <Form
            submit="Open it"
            cancel={() => setOpening(false)}
            onSubmit={async (fields) => {
              const slug = String(fields.get('slug')).trim()
              await call('createStore', { body: { slug, ...profileIn(fields) } })
              go(`/stores/${slug}`)
            }}
          >
            <Field
              name="slug"
              label="Slug"
              hint="What addresses call it, such as linen-and-loom. It stays as it is."
              required
            />
            <ProfileFields />
          </Form>
        </Dialog>
      )}
    </>
  )
}
