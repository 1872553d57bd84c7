import type { OperatorSearchPreview, OperatorShippedSynonyms } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Select } from '../../ui/form/form.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'

type Shipped = OperatorShippedSynonyms

const textOf = ({ words }: Shipped) => words.join(' = ')
const nameOf = ({ language, words }: Shipped) => ({ language, word: words[0]! })
export const keyOfShipped = ({ language, words }: Shipped) => `${language} ${words[0]}`

/** The synonyms that ship with Vitrine, each with a switch. */
export function ShippedSynonyms() {
  const { data, error, reload } = useCall('shipped', () => call('listShippedSynonyms', {}))
  const [language, setLanguage] = useState('en')
  const { actionError, busy, run } = useAction(reload)
  const all = data?.items ?? []
  const languages = [...new Set(all.map((each) => each.language))].sort()
  const items = all.filter((each) => each.language === language)
  const turn = (on: boolean, some: readonly Shipped[]) =>
    void run(() => call('switchShippedSynonyms', { body: { on, names: some.map(nameOf) } }))
  const columns: readonly Column<Shipped>[] = [
    { title: translate('Words'), wide: true, show: textOf },
    { title: translate('Used'), show: ({ on }) => (on ? translate('Yes') : translate('No')) },
    {
      title: translate('Actions'),
      buttons: true,
      show: (each) => (
        <button type="button" disabled={busy} onClick={() => turn(!each.on, [each])}>
          {each.on ? translate('Switch off') : translate('Switch on')}
          <span class="hidden"> {textOf(each)}</span>
        </button>
      ),
    },
  ]
  return (
    <Section title={translate('Shipped with Vitrine')}>
      {actionError || error ? <ErrorNotice error={actionError ?? error} /> : null}
      <div class="filters">
        <Select
          name="shipped-language"
          label={translate('Language')}
          value={language}
          onChange={setLanguage}
          options={languages.map((each) => [each, languageName(each)] as const)}
        />
        <button type="button" disabled={busy || items.every(({ on }) => !on)} onClick={() => turn(false, items)}>
          {translate('Switch all off')}
        </button>
        <button type="button" disabled={busy || items.every(({ on }) => on)} onClick={() => turn(true, items)}>
          {translate('Switch all on')}
        </button>
      </div>
      <Table caption={translate('Shipped synonyms')} items={items} columns={columns} keyOf={keyOfShipped} />
    </Section>
  )
}

interface ShippedOfQueryProps {
  readonly shipped: OperatorSearchPreview['shipped']
  readonly onSwitch: (synonyms: Shipped) => void
}

/** The shipped synonyms of the query in the editor, where switching one is tried out first. */
export function ShippedOfQuery({ shipped, onSwitch }: ShippedOfQueryProps) {
  if (shipped.length === 0) return null
  return (
    <Section title={translate('Shipped synonyms')}>
      <p class="small">{translate('They apply to every query with one of their words.')}</p>
      {shipped.map((each) => (
        <p key={keyOfShipped(each)} class="actions">
          <strong>{textOf(each)}</strong>
          <span class="small">{each.on ? translate('Used') : translate('Switched off')}</span>
          <button type="button" id={`shipped-${keyOfShipped(each)}`} onClick={() => onSwitch(each)}>
            {each.on ? translate('Switch off') : translate('Switch on')}
            <span class="hidden"> {textOf(each)}</span>
          </button>
        </p>
      ))}
    </Section>
  )
}
