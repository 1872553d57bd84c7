import type { OperatorFulfillment } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { Field } from '../../ui/form/form.tsx'

type Tracking = Pick<OperatorFulfillment, 'carrier' | 'trackingNumber' | 'trackingUrl'>

/** Carrier and tracking of a shipment. */
export function TrackingFields({ carrier, trackingNumber, trackingUrl }: Tracking) {
  return (
    <>
      <Field name="carrier" label={translate('Carrier')} value={carrier} />
      <Field name="trackingNumber" label={translate('Tracking number')} value={trackingNumber} />
      <Field
        name="trackingUrl"
        label={translate('Tracking URL')}
        type="url"
        hint={translate('Shown to the customer.')}
        value={trackingUrl}
      />
    </>
  )
}

/** Reads the fields. Empty ones are left out. */
export function readTracking(fields: FormData): Tracking {
  const names = ['carrier', 'trackingNumber', 'trackingUrl'] as const
  const typed = names.map((name) => [name, String(fields.get(name) ?? '').trim()] as const)
  return Object.fromEntries(typed.filter(([, value]) => value !== ''))
}
