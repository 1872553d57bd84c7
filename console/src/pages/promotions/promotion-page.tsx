import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link, navigate } from '../../router.tsx'
import { Form } from '../../ui/form/form.tsx'
import { localized } from '../../ui/form/localized-text.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { describeEffect } from './effect-text.ts'
import { RuleFields, readRules } from './rule-fields.tsx'

const back = { to: '/promotions', title: 'Promotions' }

/** One promotion: status, discount and conditions. */
export function PromotionPage({ params }: PageProps) {
  const promotionId = params.promotionId ?? ''
  const { data, error, reload } = useCall(promotionId, () => call('getPromotion', { params: { promotionId } }))
  const { run, actionError, busy } = useAction(reload)
  if (!data) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  const { status, version, code, store, effect, usedLive, usageLimit, updatedAt } = data
  const isActive = status === 'active'
  const toggle = () =>
    run(() =>
      call('updatePromotion', {
        params: { promotionId },
        body: { status: isActive ? 'paused' : 'active', expectedVersion: version },
      }),
    )
  return (
    <Page
      title={localized(data.title)}
      back={back}
      actions={
        <>
          <button type="button" class={isActive ? '' : 'primary'} aria-disabled={busy} onClick={() => void toggle()}>
            {isActive ? 'Pause' : 'Activate'}
          </button>
          <Link to={`/audit-log?subject=${promotionId}`}>Audit log</Link>
        </>
      }
    >
      {actionError ? <ErrorNotice error={actionError} /> : null}
      <Section title="Overview">
        <DescriptionList
          items={[
            ['Status', <Status key="s" value={status} />],
            ['Discount', describeEffect(effect)],
            ['Code', code ?? 'None (automatic)'],
            ['Store', store ?? 'Marketplace'],
            [
              'Uses',
              <span key="u">
                <Count value={usedLive} />
                {usageLimit === null ? '' : ` of ${usageLimit}`}
              </span>,
            ],
            ['Updated', <DateTime key="w" at={updatedAt} />],
          ]}
        />
      </Section>
      <Section title="Details">
        <Form
          key={version}
          submit="Save"
          onSubmit={async (fields) => {
            const body = { ...readRules(fields), expectedVersion: version }
            await call('updatePromotion', { params: { promotionId }, body })
            reload()
          }}
        >
          <RuleFields promotion={data} />
        </Form>
      </Section>
    </Page>
  )
}

/** Creates a promotion. */
export function NewPromotionPage() {
  const [store, setStore] = useState('')
  return (
    <Page
      title="Create promotion"
      back={back}
      lead="The promotion is active from its start date. You can pause or test it at any time."
    >
      <Section title="Details">
        <Form
          submit="Create"
          onSubmit={async (fields) => {
            const promotion = await call('createPromotion', { body: { ...readRules(fields), ...(store && { store }) } })
            navigate(`/promotions/${promotion.id}`)
          }}
        >
          <StoreSelect value={store} onChange={setStore} none="Entire marketplace" label="Store" />
          <RuleFields />
        </Form>
      </Section>
    </Page>
  )
}
