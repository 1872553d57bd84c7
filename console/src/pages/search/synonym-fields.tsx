import type { OperatorSearchSynonyms } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { Field } from '../../ui/form/form.tsx'

export type Synonyms = Pick<OperatorSearchSynonyms, 'language' | 'source' | 'words'>

/** `sofa = couch`, or `tuque finds hat` one way. */
export function synonymsText({ source, words }: Synonyms): string {
  return source === null ? words.join(' = ') : translate('{source} finds {words}', { source, words: words.join(', ') })
}

/** The fields of synonyms. */
export function SynonymFields({ synonyms }: { readonly synonyms: Partial<Synonyms> | null }) {
  return (
    <>
      <Field
        name="words"
        label={translate('Words')}
        hint={translate('Separated by commas. Each has up to three words.')}
        value={synonyms?.words?.join(', ') ?? ''}
        required
      />
      <Field
        name="source"
        label={translate('Only found by')}
        hint={translate('A word that finds the others, but is not found by them. Leave empty if all mean the same.')}
        value={synonyms?.source ?? ''}
      />
      <Field
        name="language"
        label={translate('Language')}
        hint={translate('A language code such as en. Leave empty for every language.')}
        value={synonyms?.language ?? ''}
      />
    </>
  )
}

export function readSynonyms(fields: FormData): Synonyms {
  const typed = (name: string) => String(fields.get(name) ?? '').trim()
  const words = typed('words').split(',')
  return {
    language: typed('language').toLowerCase() || null,
    source: typed('source') || null,
    words: words.map((word) => word.trim()).filter(Boolean),
  }
}
