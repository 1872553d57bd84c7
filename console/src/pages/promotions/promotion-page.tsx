import type { OperatorPromotion } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import { type PageProps, useOwnStore } from '../../page.ts'
import { navigate } from '../../router.tsx'
import { storeName } from '../../stores.ts'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Form } from '../../ui/form/form.tsx'
import { localized } from '../../ui/form/localized-text.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { DateTime, formatNumber, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { LoadingPage } from '../../ui/loading.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { DangerButton } from '../../ui/question.tsx'
import { toast } from '../../ui/toast.tsx'
import { describeEffect, usesIn } from './effect-text.ts'
import { RuleFields, readRules } from './rule-fields.tsx'

const back = { to: '/promotions', title: translate('Promotions') }

const ARCHIVE = {
  title: translate('Archive this promotion?'),
  consequences: translate(
    'It no longer applies, and another promotion can use its code. You can activate it again while its code is free.',
  ),
  action: translate('Archive'),
}

/** One promotion: status, discount and conditions. */
export function PromotionPage({ params }: PageProps) {
  const promotionId = params.promotionId ?? ''
  const { data, error, reload } = useCall(promotionId, () => call('getPromotion', { params: { promotionId } }))
  const { run, actionError, busy } = useAction(reload)
  const environment = useEnvironment()
  if (!data) return <LoadingPage error={error} retry={reload} />
  const { status, version, usedLive, usedTest, updatedAt, ...rules } = data
  const used = formatNumber(usesIn(environment, { usedLive, usedTest }))
  const { store, effect, usageLimit } = rules
  const isActive = status === 'active'
  const setStatus = (next: OperatorPromotion['status']) =>
    run(() => call('updatePromotion', { params: { promotionId }, body: { status: next, expectedVersion: version } }))
  return (
    <Page
      title={localized(data.title)}
      back={back}
      actions={
        <>
          <Allowed by="updatePromotion">
            <button
              type="button"
              class={isActive ? '' : 'primary'}
              aria-disabled={busy}
              onClick={() => void setStatus(isActive ? 'paused' : 'active')}
            >
              {isActive ? translate('Pause') : translate('Activate')}
            </button>
            {status !== 'archived' && (
              <DangerButton disabled={busy} question={ARCHIVE} onYes={() => setStatus('archived')} />
            )}
          </Allowed>
          <AuditLink subject={promotionId} />
        </>
      }
    >
      {actionError ? <ErrorNotice error={actionError} /> : null}
      <Form
        // Not keyed by version: pausing keeps unsaved edits.
        key={JSON.stringify(rules)}
        submit={translate('Save')}
        by="updatePromotion"
        onSubmit={async (fields) => {
          const body = { ...readRules(fields, data), expectedVersion: version }
          await call('updatePromotion', { params: { promotionId }, body })
          toast(translate('Promotion saved'))
          reload()
        }}
      >
        <RuleFields promotion={data} store={store}>
          <Section title={translate('Summary')}>
            <p>
              <Status value={status} />
            </p>
            <p>
              <strong>{describeEffect(effect)}</strong>
            </p>
            <DescriptionList
              items={[
                [translate('Store'), store ? storeName(store) : translate('Entire marketplace')],
                [
                  translate('Uses'),
                  usageLimit === null
                    ? used
                    : translate('{used} of {limit}', { used, limit: formatNumber(usageLimit) }),
                ],
                [translate('Updated'), <DateTime key="w" at={updatedAt} />],
              ]}
            />
          </Section>
        </RuleFields>
      </Form>
    </Page>
  )
}

/** Creates a promotion. */
export function NewPromotionPage() {
  const [store, setStore] = useState(useOwnStore() ?? '')
  return (
    <Page
      title={translate('Create promotion')}
      back={back}
      lead={translate('The promotion is active from its start date. You can pause or test it at any time.')}
    >
      <Form
        submit={translate('Create promotion')}
        by="createPromotion"
        onSubmit={async (fields) => {
          const promotion = await call('createPromotion', { body: { ...readRules(fields), ...(store && { store }) } })
          navigate(`/promotions/${promotion.id}`)
        }}
      >
        <RuleFields promotion={undefined} store={store || null}>
          <Section title={translate('Store')}>
            <StoreSelect value={store} onChange={setStore} none={translate('Entire marketplace')} />
          </Section>
        </RuleFields>
      </Form>
    </Page>
  )
}
