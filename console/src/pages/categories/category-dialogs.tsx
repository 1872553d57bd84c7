import type { OperatorCategory } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useOwnStore } from '../../page.ts'
import { languagesFor } from '../../stores.ts'
import { LanguagePicker } from '../../ui/code-picker.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select } from '../../ui/form/form.tsx'
import { LocalizedFields, localized, readLocalized } from '../../ui/form/localized-text.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Branch, parentOptions } from './tree.ts'

interface DialogProps {
  readonly onClose: () => void
  readonly onDone: () => void
}

const typed = (fields: FormData, name: string) => String(fields.get(name) ?? '').trim()

/** Creates a category of the marketplace or of one store. */
export function CreateCategory({ branches, onClose, onDone }: DialogProps & { readonly branches: readonly Branch[] }) {
  const [store, setStore] = useState(useOwnStore() ?? '')
  return (
    <Dialog title={translate('Create category')} onClose={onClose}>
      <Form
        submit={translate('Create')}
        cancel={onClose}
        onSubmit={async (fields) => {
          await call('createCategory', {
            body: {
              slug: typed(fields, 'slug'),
              parentId: typed(fields, 'parentId') || null,
              names: readLocalized(fields, 'names'),
              ...(store && { store }),
            },
          })
          onDone()
        }}
      >
        <LocalizedFields name="names" label={translate('Name')} locales={languagesFor(store || null)} />
        <Field name="slug" label={translate('Slug')} hint={translate('Used in URLs, such as linen-shirts.')} required />
        <StoreSelect
          value={store}
          onChange={setStore}
          none={translate('Entire marketplace')}
          label={translate('Belongs to')}
        />
        <Select
          key={store}
          name="parentId"
          label={translate('Parent category')}
          options={parentOptions(branches, store || null, null)}
        />
      </Form>
    </Dialog>
  )
}

/** Edits the name and position of a category. */
export function EditCategory({ category, onClose, onDone }: DialogProps & { readonly category: OperatorCategory }) {
  const { id, store, names, descriptions, position, version } = category
  const [locales, setLocales] = useState([...new Set([...languagesFor(store), ...Object.keys(names)])])
  return (
    <Dialog title={translate('Edit {name}', { name: localized(category.names) })} onClose={onClose}>
      <Form
        submit={translate('Save')}
        cancel={onClose}
        onSubmit={async (fields) => {
          await call('updateCategory', {
            params: { categoryId: id },
            body: {
              names: readLocalized(fields, 'names'),
              descriptions: readLocalized(fields, 'descriptions'),
              position: Number(typed(fields, 'position')),
              expectedVersion: version,
            },
          })
          onDone()
        }}
      >
        <LocalizedFields name="names" label={translate('Name')} locales={locales} value={names} />
        <LocalizedFields
          name="descriptions"
          label={translate('Description')}
          locales={locales}
          value={descriptions}
          rows={2}
        />
        <Field
          name="position"
          label={translate('Position')}
          type="number"
          min={0}
          hint={translate('Lower numbers come first.')}
          value={position}
        />
        <LanguagePicker
          label={translate('Add language')}
          ids={[]}
          onChange={(added) => setLocales([...new Set([...locales, ...added])])}
        />
      </Form>
    </Dialog>
  )
}

interface MoveProps extends DialogProps {
  readonly category: OperatorCategory
  readonly branches: readonly Branch[]
}

/** Moves a category with its subcategories and products. */
export function MoveCategory({ category, branches, onClose, onDone }: MoveProps) {
  const { id, path, store, parentId, productCount, version } = category
  return (
    <Dialog title={translate('Move {name}', { name: localized(category.names) })} onClose={onClose}>
      <Form
        submit={translate('Move')}
        cancel={onClose}
        onSubmit={async (fields) => {
          await call('moveCategory', {
            params: { categoryId: id },
            body: {
              parentId: typed(fields, 'parentId') || null,
              slug: typed(fields, 'slug'),
              expectedVersion: version,
            },
          })
          onDone()
        }}
      >
        <Notice>
          <p>
            {translate(
              'Subcategories and products move with it. Products: {count}. Links to the old path stop working.',
              { count: productCount },
            )}
          </p>
        </Notice>
        <Select
          name="parentId"
          label={translate('Parent category')}
          value={parentId ?? ''}
          options={parentOptions(branches, store, category)}
        />
        <Field name="slug" label={translate('Slug')} value={path.at(-1) ?? ''} required />
      </Form>
    </Dialog>
  )
}
