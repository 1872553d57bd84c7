import type { OperatorStore } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { go } from '../../router.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { asSentence } from '../../ui/format/text.ts'
import { Count, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ProfileFields, profileIn } from './profile-fields.tsx'

const columns: readonly Column<OperatorStore>[] = [
  { title: 'Store', show: ({ name }) => name },
  { title: 'Slug', show: ({ slug }) => <code>{slug}</code> },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Access', show: ({ accessMode }) => asSentence(accessMode) },
  { title: 'Currencies', show: ({ currencies }) => currencies.join(', ') },
  { title: 'Products', figure: true, show: ({ productCount }) => <Count value={productCount} /> },
]

/** All stores. */
export function StoresPage() {
  const [creating, setCreating] = useState(false)
  const create = (
    <button type="button" class="primary" onClick={() => setCreating(true)}>
      Create store
    </button>
  )
  return (
    <>
      <ListPage
        title="Stores"
        lead="The stores of the marketplace, with their languages, currencies, and access."
        actions={create}
        load={(query) => call('listStores', { query })}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ slug }) => `/stores/${slug}`}
        empty={{ title: 'No stores yet', hint: 'Create your first store, then import its products.', action: create }}
      />
      {creating && (
        <Dialog title="Create store" onClose={() => setCreating(false)}>
          <Form
            submit="Create"
            cancel={() => setCreating(false)}
            onSubmit={async (fields) => {
              const slug = String(fields.get('slug')).trim()
              await call('createStore', { body: { slug, ...profileIn(fields) } })
              go(`/stores/${slug}`)
            }}
          >
            <Field
              name="slug"
              label="Slug"
              hint="Used in URLs, such as linen-and-loom. It cannot be changed later."
              required
            />
            <ProfileFields />
          </Form>
        </Dialog>
      )}
    </>
  )
}
