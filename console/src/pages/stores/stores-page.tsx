import type { OperatorStore } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { navigate } from '../../router.tsx'
import { keepStore } from '../../stores.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Count, Status } from '../../ui/format/values.tsx'
import { type Column, ListPage } from '../../ui/list/list-page.tsx'
import { ProfileFields, readProfile } from './profile-fields.tsx'

const columns: readonly Column<OperatorStore>[] = [
  { title: translate('Store'), show: ({ name }) => name },
  { title: translate('Slug'), show: ({ slug }) => <code>{slug}</code> },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  { title: translate('Access'), show: ({ accessMode }) => sentenceCase(accessMode) },
  { title: translate('Currencies'), show: ({ currencies }) => currencies.join(', ') },
  { title: translate('Products'), numeric: true, show: ({ productCount }) => <Count value={productCount} /> },
]

/** All stores. */
export function StoresPage() {
  const [creating, setCreating] = useState(false)
  const create = (
    <Allowed by="createStore">
      <button type="button" class="primary" onClick={() => setCreating(true)}>
        {translate('Create store')}
      </button>
    </Allowed>
  )
  return (
    <>
      <ListPage
        title={translate('Stores')}
        lead={translate('The stores of the marketplace, with their languages, currencies, and access.')}
        actions={create}
        load={(query) => call('listStores', { query })}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ slug }) => `/stores/${slug}`}
        empty={{
          title: translate('No stores yet'),
          hint: translate('Create your first store, then import its products.'),
          action: create,
        }}
      />
      {creating && (
        <Dialog title={translate('Create store')} onClose={() => setCreating(false)}>
          <Form
            submit={translate('Create')}
            cancel={() => setCreating(false)}
            onSubmit={async (fields) => {
              const slug = String(fields.get('slug')).trim()
              keepStore(await call('createStore', { body: { slug, ...readProfile(fields, undefined) } }))
              navigate(`/stores/${slug}`)
            }}
          >
            <Field
              name="slug"
              label={translate('Slug')}
              hint={translate('Used in URLs, such as linen-and-loom. It cannot be changed later.')}
              required
            />
            <ProfileFields />
          </Form>
        </Dialog>
      )}
    </>
  )
}
