import { translate } from '../../language.ts'
import { LanguagePicker } from '../code-picker.tsx'
import { Dialog } from '../dialog.tsx'
import { FieldError } from './field-error.ts'
import { Form } from './form.tsx'

interface AddLanguageProps {
  readonly taken: readonly string[]
  readonly onAdd: (locale: string) => void
  readonly onClose: () => void
}

/** Adds a language to what is edited. */
export function AddLanguage({ taken, onAdd, onClose }: AddLanguageProps) {
  return (
    <Dialog title={translate('Add language')} onClose={onClose}>
      <Form
        submit={translate('Add')}
        cancel={onClose}
        guarded={false}
        onSubmit={async (fields) => {
          const locale = String(fields.get('locale'))
          if (locale === '') throw new FieldError('/locale', translate('Required.'))
          if (taken.includes(locale)) throw new FieldError('/locale', translate('This language is already there.'))
          onAdd(locale)
          onClose()
        }}
      >
        <LanguagePicker name="locale" label={translate('Language')} ids={[]} isSingle />
      </Form>
    </Dialog>
  )
}
